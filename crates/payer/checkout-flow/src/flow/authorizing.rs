//! From the attempt to the operation. Where an operation of another method is live, the flow asks the payer before that one
//! ends: its code may be open in another tab or on another device, and may be paid at this moment.

use super::operations::Slot;
use super::schedule::{self, Sent};
use super::tracked_operation::{Knowledge, Standing};
use super::{Flow, LiveOperation, Origin, Phase};
use crate::command::Command;
use crate::event::Answered;
use crate::failure::{ErrorCode, Failure, Problem};
use crate::notice::Action;
use crate::operation_ref::{Attempt, CallId, OperationRef};
use crate::time::FlowTime;
use payment_model::{AuthorizeResponse, PaymentMethodName, ProblemMoney};
use std::time::Duration;

/// An attempt without an answer.
#[derive(Debug, Clone)]
pub(super) struct Authorizing {
    pub(super) attempt: Attempt,
    pub(super) call: Option<Sent>,
    /// The number of failed requests.
    pub(super) tries: u32,
    /// True once a request may have begun a payment. A later refusal then says nothing of that one.
    pub(super) may_have_begun: bool,
    /// When to send the next request.
    pub(super) due: FlowTime,
    /// Until when the server wants no requests.
    pub(super) closed_until: FlowTime,
}

impl Flow {
    /// `may_have_begun` says that an earlier request of this attempt may have begun a payment.
    pub(super) fn authorize(&mut self, attempt: Attempt, may_have_begun: bool) {
        self.kept_attempt = None;
        self.phase = Phase::Authorizing(Authorizing {
            attempt,
            call: None,
            tries: 0,
            may_have_begun,
            due: self.now(),
            closed_until: self.now(),
        });
    }

    pub(super) fn send_authorize(&mut self) {
        let now = self.now();
        let Phase::Authorizing(Authorizing {
            attempt,
            call: None,
            due,
            ..
        }) = &self.phase
        else {
            return;
        };
        if now < *due {
            return;
        }
        let attempt = attempt.clone();
        // The key must be stored before the request leaves, so that a reload repeats it.
        self.persist();
        // The server may need its full time twice: once for an older operation, once for this one.
        let timeout = schedule::TIMEOUT.saturating_mul(3);
        let sent = self.next_call_within(timeout);
        self.commands.push(Command::Authorize {
            call: sent.0,
            key: attempt.key,
            method: attempt.method,
            replaces: attempt.replaces,
            timeout,
        });
        if let Phase::Authorizing(authorizing) = &mut self.phase {
            authorizing.call = Some(sent);
        }
    }

    pub(super) fn authorize_answered(&mut self, call: CallId, answer: Answered<AuthorizeResponse>) {
        if self.abandoned.is_some_and(|(expected, _)| expected == call) {
            self.abandoned = None;
            if let Ok(answer) = answer {
                // Another operation paid the order, so the payer must not pay this one too.
                let slot = self.take_authorized(*answer.body);
                self.withdraw(slot, None);
            }
            return;
        }
        let Phase::Authorizing(authorizing) = &self.phase else {
            return;
        };
        if authorizing
            .call
            .is_none_or(|(expected, _)| expected != call)
        {
            return;
        }
        let authorizing = authorizing.clone();
        match answer {
            Ok(answer) => {
                self.note_date(&answer);
                self.poller.reached();
                let slot = self.take_authorized(*answer.body);
                // A browser that may authorize may also cancel.
                self.read_only = self.read_only.filter(|read_only| *read_only != slot);
                self.bring_to_front(slot, Origin::Authorized);
                self.report_pending();
                self.report_fault(slot);
                self.follow_continue_url();
            }
            Err(Failure::Status {
                problem: Some(Problem::OrderPaid(operation)),
                ..
            }) => self.bring_named_to_front(operation),
            Err(Failure::Status {
                problem: Some(Problem::PaymentReversed(operation)),
                ..
            }) => self.take_reversed(operation),
            Err(Failure::Status {
                problem: Some(Problem::Unconfirmed(operation)),
                retry_after,
                ..
            }) => self.take_unconfirmed(operation, retry_after),
            Err(Failure::Status {
                problem: Some(Problem::OperationLive(operation, method)),
                ..
            }) => {
                let Authorizing {
                    attempt,
                    may_have_begun,
                    ..
                } = authorizing;
                self.ask_to_replace(attempt, may_have_begun, operation, method);
            }
            Err(Failure::Status {
                problem: Some(Problem::NotOffered(offer)),
                ..
            }) => self.not_offered(authorizing, offer),
            Err(failure) => self.authorize_failed(authorizing, &failure),
        }
    }

    pub(super) fn authorize_failed(&mut self, authorizing: Authorizing, failure: &Failure) {
        let now = self.now();
        let tries = authorizing.tries + 1;
        let money = failure.money();
        let passing = failure.is_passing();
        let may_have_begun = authorizing.may_have_begun || money == ProblemMoney::Unknown;
        let closed = failure.retry_after().unwrap_or_default();
        if passing && tries < schedule::MAX_TRIES && closed <= schedule::LONGEST_RETRY_AFTER {
            let delay = schedule::jittered(schedule::retry(tries), self.entropy);
            let closed_until = now.saturating_add(closed);
            self.phase = Phase::Authorizing(Authorizing {
                call: None,
                tries,
                may_have_begun,
                due: now.saturating_add(delay).max(closed_until),
                closed_until,
                ..authorizing
            });
            return;
        }
        // A refused attempt is over. An attempt with an unknown outcome keeps its key.
        let attempt = passing.then_some(authorizing.attempt);
        self.refusal = failure.refusal().cloned();
        let money = match money {
            ProblemMoney::NothingCharged if may_have_begun => ProblemMoney::Unknown,
            money => money,
        };
        self.fail(ErrorCode::of(failure), money, attempt, None);
    }

    fn take_authorized(&mut self, body: AuthorizeResponse) -> Slot {
        let slot = self.track(OperationRef {
            merchant_code: body.merchant_code,
            merchant_operation_number: body.merchant_operation_number,
            transaction_id: Some(body.transaction.transaction_id.clone()),
        });
        let (now, server_now) = (self.now(), self.time.server_now());
        let tracked = &mut self.operations[slot];
        let waiting = body.transaction.state.is_waiting();
        if tracked.outcome.is_none() {
            tracked.authorized(body.transaction, &self.settings);
            tracked.known_at = Some(server_now);
        }
        // The answer to an authorization counts only while it waits: the status endpoint decides about any other
        // state, and about an operation whose time was over long ago.
        let fresh = waiting
            && tracked
                .offer
                .overdue(server_now)
                .is_none_or(|o| o < schedule::GRACE);
        let delay = if fresh {
            tracked.delay(true, now, server_now).unwrap_or_default()
        } else {
            Duration::ZERO
        };
        let due = self.moment_to_ask(slot, delay);
        self.operations[slot].plan.due = Some(due);
        slot
    }

    /// Puts an operation in front that the server named, because it paid the order or because it is live. The flow
    /// asks the status endpoint before it shows or reports anything about it.
    fn bring_named_to_front(&mut self, operation: OperationRef) {
        let slot = self.ask_about_named(operation);
        let tracked = &mut self.operations[slot];
        tracked.pays_order = true;
        if tracked.outcome.is_none() {
            // With the old transaction the operation would be offered to the payer again.
            tracked.forget_transaction();
        }
        self.bring_to_front(slot, Origin::Authorized);
    }

    /// The server gave back a late payment of this operation. The flow asks the status endpoint and shows that end
    /// first; then the payer may pay again.
    fn take_reversed(&mut self, operation: OperationRef) {
        let slot = self.ask_about_named(operation);
        let tracked = &mut self.operations[slot];
        tracked.payable = true;
        if tracked.outcome.is_some() {
            tracked.knowledge = Knowledge::EndToConfirm;
        } else {
            tracked.forget_transaction();
        }
        self.phase = Phase::Live(LiveOperation::new(slot, Origin::Authorized));
    }

    /// The server does not know yet how this operation ended, so it authorized no other one. This attempt is over:
    /// a later request for a new code is a new decision of the payer.
    fn take_unconfirmed(&mut self, operation: OperationRef, retry_after: Option<Duration>) {
        let slot = self.ask_about_named(operation);
        let after = retry_after.unwrap_or(schedule::AGAIN);
        let after = after.max(schedule::SPACING).min(schedule::LONGEST_AGAIN);
        self.operations[slot].new_code_from = Some(self.now().saturating_add(after));
        self.phase = Phase::Live(LiveOperation::new(slot, Origin::Authorized));
    }

    /// Asks about an operation that the server named instead of authorizing one.
    fn ask_about_named(&mut self, operation: OperationRef) -> Slot {
        let (slot, now) = (self.track(operation), self.now());
        self.poller.reached();
        let tracked = &mut self.operations[slot];
        tracked.knowledge.may_exist();
        // An older refusal does not hold any more; `take_unconfirmed` notes a new one.
        tracked.new_code_from = None;
        tracked.plan.ask_now(now);
        slot
    }

    /// Leads the payer to the continue URL. This happens only right after they chose to pay: a payer who comes
    /// back must not be sent away a second time.
    fn follow_continue_url(&mut self) {
        let server_now = self.time.server_now();
        let Phase::Live(live) = &mut self.phase else {
            return;
        };
        let tracked = &self.operations[live.slot];
        if let Standing::Elsewhere(url) = tracked.standing(server_now) {
            let (url, operation) = (url.clone(), tracked.operation.clone());
            live.left = true;
            // The snapshot must be stored before the page goes away.
            self.persist();
            self.commands.push(Command::Leave { url, operation });
        }
    }

    /// The server authorized nothing, since this operation can still be paid, so the key of the attempt stays
    /// unused. Meanwhile the flow asks about the operation, so that a payment is shown at once.
    fn ask_to_replace(
        &mut self,
        attempt: Attempt,
        may_have_begun: bool,
        operation: OperationRef,
        method: PaymentMethodName,
    ) {
        let slot = self.ask_about_named(operation);
        self.phase = Phase::AskingToReplace {
            attempt,
            may_have_begun,
            slot,
            method,
        };
    }

    /// The payer wants to see the live operation. The attempt is over.
    pub(super) fn show_live(&mut self) {
        let Phase::AskingToReplace { slot, method, .. } = self.phase.clone() else {
            return;
        };
        let operation = self.operations[slot].operation.clone();
        self.bring_named_to_front(operation);
        self.report_action(Action::LiveShown, Some(method));
    }

    /// The payer agrees that the live operation ends. The same attempt goes on, and names that operation.
    pub(super) fn replace(&mut self) {
        let Phase::AskingToReplace {
            attempt,
            may_have_begun,
            slot,
            method,
        } = self.phase.clone()
        else {
            return;
        };
        let number = &self.operations[slot].operation.merchant_operation_number;
        let replaces = Some(number.clone());
        let attempt = Attempt {
            replaces,
            ..attempt
        };
        self.authorize(attempt, may_have_begun);
        self.report_action(Action::LiveReplaced, Some(method));
    }
}
