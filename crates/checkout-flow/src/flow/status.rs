//! What the status endpoint says, which alone decides.

use super::{Flow, MOST_TRIES, Phase};
use crate::cancel::{Cancel, Intent};
use crate::live::Origin;
use crate::operations::Slot;
use crate::tracked::Change;
use crate::{Answered, CallId, ErrorCode, Failure, OperationRef, schedule};
use payment_model::{Outcome, QueryResponse};

/// A cancellation gives up after so many unanswered questions about the state.
const MOST_CHECKS: u32 = 3;

impl Flow {
    pub(super) fn status_answered(&mut self, call: CallId, answer: Answered<QueryResponse>) {
        let Some(in_flight) = self
            .poller
            .in_flight
            .filter(|in_flight| in_flight.call == call)
        else {
            return;
        };
        self.poller.in_flight = None;
        let (slot, now) = (in_flight.slot, self.now());
        match answer {
            Ok(answer) => {
                self.hear(&answer);
                // A server that says it waited but did not must not be asked without a pause.
                let held =
                    answer.held && now.saturating_sub(in_flight.started) >= schedule::SPACING;
                match self.take_status(slot, *answer.body) {
                    Some(change) => self.plan(slot, held || change != Change::Nothing),
                    None => self.status_failed(slot, &Failure::Unreadable),
                }
            }
            Err(failure) => self.status_failed(slot, &failure),
        }
    }

    pub(super) fn status_failed(&mut self, slot: Slot, failure: &Failure) {
        let in_front = self.front_slot() == Some(slot);
        let not_found = failure.is_not_found();
        let tracked = &self.operations[slot];
        let unknown = not_found && !tracked.confirmed && !tracked.seen_waiting;
        // That an operation is unknown, or an old one by now, is no trouble with the connection.
        if !not_found || (in_front && !unknown) {
            self.poller.failed();
        } else {
            self.poller.reached();
        }
        self.poller.quiet(failure.retry_after(), self.now());
        self.plan_after_failure(slot, in_front || !not_found);
        if !in_front {
            if unknown {
                let tracked = &mut self.operations[slot];
                (tracked.given_up, tracked.due) = (true, None);
            }
            return;
        }
        let Phase::Live(live) = &mut self.phase else {
            return;
        };
        match &mut live.cancel {
            Cancel::Checking { failures, .. } | Cancel::Verifying { failures, .. } => {
                *failures += 1;
                if *failures >= MOST_CHECKS {
                    (live.cancel, live.cancel_failed) = (Cancel::No, true);
                }
            }
            Cancel::No | Cancel::Asking | Cancel::Sending { .. } if unknown => {
                let origin = live.origin;
                self.give_up_unknown(slot, origin);
            }
            Cancel::No | Cancel::Asking | Cancel::Sending { .. } => {}
        }
    }

    /// The server knows no such operation of this payer, and never did.
    fn give_up_unknown(&mut self, slot: Slot, origin: Origin) {
        let tracked = &mut self.operations[slot];
        // The server told of this one itself, and may need a moment to find it.
        tracked.not_found = tracked.not_found.saturating_add(1);
        if origin == Origin::Authorized && tracked.not_found < MOST_TRIES {
            return;
        }
        (tracked.given_up, tracked.due) = (true, None);
        match origin {
            Origin::Authorized | Origin::Attributes => {
                self.fail(ErrorCode::NotFound, None, Some(slot));
            }
            Origin::Remembered => self.fall_back(),
        }
    }

    /// Takes an answer of the status endpoint; `None` if it is not about the operation and
    /// transaction that were asked for.
    fn take_status(&mut self, slot: Slot, body: QueryResponse) -> Option<Change> {
        let (now, server_now) = (self.now(), self.time.server_now());
        let tracked = &mut self.operations[slot];
        let numbers = OperationRef {
            merchant_code: body.merchant_code,
            merchant_operation_number: body.operation.merchant_operation_number.clone(),
            transaction_id: None,
        };
        if !tracked.operation.is_same_operation(&numbers) {
            return None;
        }
        let confirming = matches!(&self.phase, Phase::Live(live) if !live.cancel.is_running());
        if body.operation.transactions.is_empty() && confirming {
            // The server knows the operation and has nothing to say of it yet.
            self.poller.reached();
            return Some(Change::Nothing);
        }
        let mut transactions = body.operation.transactions.into_iter();
        let transaction = match &tracked.operation.transaction_id {
            Some(id) => transactions.find(|t| t.transaction_id == *id),
            None => transactions.next(),
        };
        let transaction = transaction?;
        self.poller.reached();
        tracked.operation.transaction_id = Some(transaction.transaction_id.clone());
        // An operation that exists is what the attempt before it led to.
        self.kept_attempt = None;
        let fault = tracked.fault;
        let change = tracked.answered(transaction, &self.settings, now, server_now);
        let new_fault = tracked.outcome.is_none() && tracked.fault != fault;
        let in_front = self.front_slot() == Some(slot);
        if in_front && new_fault {
            self.tell_of_fault(slot);
        }
        match change {
            Change::Ended => self.ended(slot, in_front),
            Change::State | Change::Nothing if in_front => {
                self.check.answered(slot, server_now);
                self.tell_pending();
                if change == Change::State {
                    self.tell_state(slot);
                }
                self.go_on_cancelling();
            }
            Change::State | Change::Nothing => self.go_on_withdrawing(slot),
        }
        Some(change)
    }

    fn ended(&mut self, slot: Slot, in_front: bool) {
        let tracked = &mut self.operations[slot];
        tracked.withdrawal = None;
        let outcome = tracked.outcome;
        if !in_front {
            if outcome == Some(Outcome::Paid) {
                self.take_over(slot);
            } else if tracked.told.is_some() {
                self.tell_result(slot);
            }
            return;
        }
        let intent = match &self.phase {
            Phase::Live(live) => live.cancel.intent(),
            _ => None,
        };
        let paid = matches!(outcome, Some(Outcome::Paid | Outcome::Reversed));
        if intent == Some(Intent::AnotherWay) && !paid {
            // The payer is choosing already; the end of what they left is no result of theirs.
            self.choose_again();
            return;
        }
        // The server cancels what waits when another operation of the order is paid.
        if outcome == Some(Outcome::Cancelled) && intent.is_none() && self.ask_about_others(slot) {
            return;
        }
        self.end(slot);
    }

    /// Asks about every other operation before anything else; whether there is one to ask about.
    fn ask_about_others(&mut self, slot: Slot) -> bool {
        let now = self.now();
        let mut asks = false;
        for (other, tracked) in self.operations.iter_mut() {
            if other != slot && !tracked.given_up {
                (tracked.due, tracked.urgent, asks) = (Some(now), true, true);
            }
        }
        asks
    }

    /// Ends what nobody here cancelled, once the others have been asked about in vain.
    pub(super) fn end_what_was_cancelled(&mut self) {
        let Some(slot) = self
            .front_slot()
            .filter(|_| matches!(self.phase, Phase::Live(_)))
        else {
            return;
        };
        let asks = self.poller.in_flight.is_some_and(|i| i.slot != slot)
            || self
                .operations
                .iter()
                .any(|(other, t)| other != slot && t.urgent);
        if self.operations[slot].outcome.is_some() && !asks {
            self.end(slot);
        }
    }

    /// Takes another operation's place in front, since this one was paid.
    fn take_over(&mut self, slot: Slot) {
        match &self.phase {
            Phase::Live(live) => {
                // What was waiting must not be paid any more.
                let call = match live.cancel {
                    Cancel::Sending { call, lost_at, .. } => Some((call, lost_at)),
                    _ => None,
                };
                self.withdraw(live.slot, call);
            }
            Phase::Authorizing(authorizing) => {
                self.abandoned = authorizing.call;
            }
            Phase::New | Phase::Choosing | Phase::Ended { .. } | Phase::Failed { .. } => {}
        }
        self.end(slot);
    }
}
