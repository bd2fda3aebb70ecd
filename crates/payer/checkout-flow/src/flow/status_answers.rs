//! Handles the answers of the status endpoint. Only they decide the state of an operation.

use super::cancelling::{Cancel, Intent};
use super::operations::Slot;
use super::poller::InFlight;
use super::tracked_operation::{Change, Knowledge};
use super::{Flow, Origin, Phase, schedule};
use crate::event::Answered;
use crate::failure::{ErrorCode, Failure};
use crate::operation_ref::{CallId, OperationRef};
use payment_model::{Outcome, ProblemMoney, QueryResponse, Transaction};
use std::time::Duration;

/// A cancellation fails after this number of unanswered questions about the state.
const MOST_CHECKS: u32 = 3;

/// The server counts as having lost an operation that it showed before when it has not known it for so long. A restored
/// backup lacks it; a server that restarts, or a session that moves to another one, takes seconds.
const LOST_AFTER: Duration = Duration::from_mins(2);

impl Flow {
    pub(super) fn status_answered(
        &mut self,
        call: CallId,
        answer: Answered<Option<QueryResponse>>,
    ) {
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
            Ok(mut answer) => {
                let old = self.operations[slot].is_old(
                    answer.date,
                    answer.id.take(),
                    in_flight.started,
                    now,
                );
                if !old {
                    self.note_date(&answer);
                }
                let transaction = match *answer.body {
                    Some(body) => self.transaction_of(slot, body),
                    None if in_flight.names => self.known_transaction(slot),
                    None => None,
                };
                let Some(transaction) = transaction else {
                    return self.status_failed(in_flight, &Failure::Unreadable);
                };
                let tracked = &mut self.operations[slot];
                let state = transaction.as_ref().map(|transaction| &transaction.state);
                // News are news, also of a server whose clock has stopped.
                if old && state.is_none_or(|state| tracked.state() == Some(state)) {
                    self.poller.cached = true;
                    return self.status_failed(in_flight, &Failure::Unreadable);
                }
                tracked.payable |= answer.order_open;
                tracked.cancelled_by = tracked.cancelled_by.updated(answer.cancelled_by);
                let change = transaction.map_or(Change::Nothing, |transaction| {
                    self.operations[slot].tag = answer.tag;
                    self.take_status(slot, transaction, answer.age)
                });
                // A server that claims to have held the request, but answered at once, must not be asked without a pause.
                let lasted = now.duration_since(in_flight.started);
                let held = answer.held && lasted >= schedule::SPACING;
                let soon = if change != Change::Nothing {
                    Some(Duration::ZERO)
                } else if held {
                    let wait = in_flight.wait.unwrap_or_default();
                    let early = self.poller.was_held(wait, lasted);
                    Some(if early {
                        schedule::spread(self.entropy)
                    } else {
                        Duration::ZERO
                    })
                } else {
                    None
                };
                self.plan(slot, soon);
            }
            Err(failure) => self.status_failed(in_flight, &failure),
        }
    }

    pub(super) fn status_failed(&mut self, in_flight: InFlight, failure: &Failure) {
        let slot = in_flight.slot;
        let in_front = self.front_slot() == Some(slot);
        let not_found = failure.is_not_found();
        let now = self.now();
        let tracked = &mut self.operations[slot];
        if not_found {
            tracked.plan.was_not_found(now);
        }
        let unknown = not_found && !tracked.knowledge.is_confirmed() && !tracked.seen_waiting;
        // A server that does not find an operation can be reached. That is a failure only for an operation in
        // front that the server knew before.
        if !not_found || (in_front && !unknown) {
            self.poller.failed();
        } else {
            self.poller.reached();
        }
        // The server may refuse the query that keeps caches away.
        self.poller.cached &= !matches!(failure, Failure::Status { .. });
        self.poller.quiet(failure.retry_after(), now);
        let spread = in_flight.wait.is_some() && failure.is_going_away();
        self.plan_after_failure(slot, in_front || !not_found, spread);
        if !in_front {
            if unknown {
                self.operations[slot].give_up();
            }
            return;
        }
        let known_at = self.operations[slot].known_at;
        self.check.unanswered(slot, known_at);
        let Phase::Live(live) = &mut self.phase else {
            return;
        };
        let plan = self.operations[slot].plan;
        let lost_since = plan
            .not_found_since
            .filter(|_| plan.not_found >= schedule::MAX_TRIES);
        if !unknown && lost_since.is_some_and(|since| now.duration_since(since) >= LOST_AFTER) {
            // The flow goes on asking, less often: the server may find it again.
            self.fail(ErrorCode::NotFound, ProblemMoney::Unknown, None, Some(slot));
            return;
        }
        match &mut live.cancel {
            Cancel::Checking { failures, .. } | Cancel::Verifying { failures, .. } => {
                *failures += 1;
                if *failures >= MOST_CHECKS {
                    (live.cancel, live.cancel_failed) = (Cancel::No, true);
                }
            }
            Cancel::No | Cancel::Asking { .. } | Cancel::Sending { .. } if unknown => {
                let origin = live.origin;
                self.give_up_unknown(slot, origin);
            }
            Cancel::No | Cancel::Asking { .. } | Cancel::Sending { .. } => {}
        }
    }

    /// The server does not know the operation in front, and never did.
    fn give_up_unknown(&mut self, slot: Slot, origin: Origin) {
        let tracked = &mut self.operations[slot];
        // The server named this operation itself, and may need a moment to find it.
        if origin == Origin::Authorized && tracked.plan.not_found < schedule::MAX_TRIES {
            return;
        }
        tracked.give_up();
        match origin {
            Origin::Authorized | Origin::Attributes => {
                self.fail(ErrorCode::NotFound, ProblemMoney::Unknown, None, Some(slot));
            }
            Origin::Remembered => self.fall_back(),
        }
    }

    /// The transaction of a status answer. The outer `None` says that the answer is about another operation or
    /// transaction than the question.
    fn transaction_of(&mut self, slot: Slot, body: QueryResponse) -> Option<Option<Transaction>> {
        let confirming = self.live().is_some_and(|live| !live.cancel.is_running());
        let tracked = &mut self.operations[slot];
        tracked.tag = None;
        let numbers = OperationRef {
            merchant_code: body.merchant_code,
            merchant_operation_number: body.operation.merchant_operation_number.clone(),
            transaction_id: None,
        };
        if !tracked.operation.is_same_operation(&numbers) {
            return None;
        }
        if body.operation.transactions.is_empty() && confirming {
            // The server knows the operation but not its state yet.
            tracked.plan.was_found();
            self.poller.reached();
            return Some(None);
        }
        let mut transactions = body.operation.transactions.into_iter();
        let transaction = match &tracked.operation.transaction_id {
            Some(id) => transactions.find(|t| t.transaction_id == *id),
            None => transactions.next(),
        };
        transaction.map(Some)
    }

    /// The known transaction, for an answer that says that it has not changed. `None` if the flow has forgotten it
    /// meanwhile.
    fn known_transaction(&self, slot: Slot) -> Option<Option<Transaction>> {
        let tracked = &self.operations[slot];
        tracked.tag.as_ref()?;
        tracked.transaction.clone().map(Some)
    }

    /// Takes a transaction from an answer of the status endpoint.
    pub(super) fn take_status(
        &mut self,
        slot: Slot,
        transaction: Transaction,
        age: Option<Duration>,
    ) -> Change {
        let (now, server_now) = (self.now(), self.time.server_now());
        self.poller.reached();
        let tracked = &mut self.operations[slot];
        tracked.plan.was_found();
        let reported_at = server_now.saturating_sub(age.unwrap_or_default());
        // Two answers about the same state have two times; the later one counts.
        let known_at = tracked
            .known_at
            .map_or(reported_at, |known| known.max(reported_at));
        tracked.known_at = Some(known_at);
        tracked.operation.transaction_id = Some(transaction.transaction_id.clone());
        // The operation exists, so it is the result of the kept attempt.
        self.kept_attempt = None;
        let fault = tracked.offer.fault;
        let change = tracked.answered(transaction, &self.settings, now, server_now);
        let new_fault = tracked.outcome.is_none() && tracked.offer.fault != fault;
        let in_front = self.front_slot() == Some(slot);
        if in_front && new_fault {
            self.report_fault(slot);
        }
        match change {
            Change::Ended => self.ended(slot, in_front),
            Change::State | Change::Nothing if in_front => {
                if age.is_some() {
                    self.check.unanswered(slot, Some(known_at));
                } else {
                    self.check.answered(slot, server_now);
                }
                self.report_pending();
                if change == Change::State {
                    self.report_state(slot);
                }
                self.go_on_cancelling();
            }
            Change::State | Change::Nothing => self.go_on_withdrawing(slot),
        }
        change
    }

    fn ended(&mut self, slot: Slot, in_front: bool) {
        let tracked = &mut self.operations[slot];
        tracked.withdrawal = None;
        let outcome = tracked.outcome;
        if !in_front {
            if outcome == Some(Outcome::Paid) {
                self.take_over(slot);
            } else if tracked.reported.outcome.is_some() {
                self.report_result(slot);
            }
            return;
        }
        let intent = self.live().and_then(|live| live.cancel.intent());
        let paid = matches!(outcome, Some(Outcome::Paid | Outcome::Reversed));
        if intent == Some(Intent::AnotherWay) && !paid {
            // The payer wants to choose again; the end of the operation that they left is no result.
            self.choose_again();
            return;
        }
        // The server cancels the waiting operations of an order when another one is paid.
        if outcome == Some(Outcome::Cancelled) && intent.is_none() && self.ask_about_others(slot) {
            return;
        }
        self.end(slot);
    }

    /// Makes the questions about all other operations urgent. Returns true if there are any.
    fn ask_about_others(&mut self, slot: Slot) -> bool {
        let now = self.now();
        let mut asks = false;
        for (other, tracked) in self.operations.iter_mut() {
            if other != slot && tracked.knowledge != Knowledge::UnknownToServer {
                tracked.plan.ask_now(now);
                asks = true;
            }
        }
        asks
    }

    /// Shows the end of an operation that was not cancelled by this page, once the answers about the other
    /// operations have shown no payment.
    pub(super) fn end_what_was_cancelled(&mut self) {
        let Some(slot) = self.live().map(|live| live.slot) else {
            return;
        };
        let asks = self.poller.in_flight.is_some_and(|i| i.slot != slot)
            || self
                .operations
                .iter()
                .any(|(other, t)| other != slot && t.plan.urgent);
        let tracked = &self.operations[slot];
        let open = tracked.knowledge == Knowledge::EndToConfirm || tracked.new_code_from.is_some();
        if tracked.outcome.is_some() && !asks && !open {
            self.end(slot);
        }
    }

    /// Puts a paid operation in front, in place of another one.
    fn take_over(&mut self, slot: Slot) {
        match &self.phase {
            Phase::Live(live) => {
                // The payer must not pay the operation that waits.
                self.withdraw(live.slot, live.cancel.sent());
            }
            Phase::Authorizing(authorizing) => {
                self.abandoned = authorizing.call;
            }
            Phase::New
            | Phase::Choosing
            | Phase::AskingPage(_)
            | Phase::AskingToReplace { .. }
            | Phase::Ended { .. }
            | Phase::Failed { .. } => {}
        }
        self.end(slot);
    }
}
