//! What the status endpoint says, which alone decides.

use super::{Flow, Phase};
use crate::cancel::{Cancel, Intent};
use crate::live::Origin;
use crate::tracked::{Change, Withdrawal};
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
        let (index, now) = (in_flight.index, self.now());
        match answer {
            Ok(answer) => {
                self.hear(&answer);
                // A server that says it waited but did not must not be asked without a pause.
                let held =
                    answer.held && now.saturating_sub(in_flight.started) >= schedule::SPACING;
                match self.take_status(index, *answer.body) {
                    Some(news) => self.plan(index, held || news),
                    None => self.status_failed(index, &Failure::Unreadable),
                }
            }
            Err(failure) => self.status_failed(index, &failure),
        }
    }

    pub(super) fn status_failed(&mut self, index: usize, failure: &Failure) {
        let now = self.now();
        self.poller.failed(failure.retry_after(), now);
        let delay = schedule::jittered(schedule::retry(self.poller.failures), self.entropy);
        self.operations[index].due = Some(now.saturating_add(delay));
        let Phase::Live(live) = &mut self.phase else {
            return;
        };
        if live.index != index {
            return;
        }
        let unknown = failure.is_not_found() && !self.operations[index].confirmed;
        match &mut live.cancel {
            Cancel::Checking { failures, .. } | Cancel::Verifying { failures, .. } => {
                *failures += 1;
                if *failures >= MOST_CHECKS {
                    (live.cancel, live.cancel_failed) = (Cancel::No, true);
                }
            }
            Cancel::No | Cancel::Asking | Cancel::Sending { .. } if unknown => {
                let origin = live.origin;
                self.give_up_unknown(index, origin);
            }
            Cancel::No | Cancel::Asking | Cancel::Sending { .. } => {}
        }
    }

    /// The server knows no such operation of this payer, and never did.
    pub(super) fn give_up_unknown(&mut self, index: usize, origin: Origin) {
        match origin {
            Origin::Authorized => {}
            Origin::Attributes => {
                let operation = self.operations[index].operation.clone();
                self.operations[index].due = None;
                self.fail(ErrorCode::NotFound, None, Some(operation));
            }
            Origin::Remembered => {
                self.operations.remove(index);
                self.phase = Phase::Choosing;
            }
        }
    }

    /// Takes an answer of the status endpoint; whether it was news, and `None` if it is not
    /// about the operation and transaction that were asked for.
    pub(super) fn take_status(&mut self, index: usize, body: QueryResponse) -> Option<bool> {
        let now = self.now();
        let tracked = &mut self.operations[index];
        let numbers = OperationRef {
            merchant_code: body.merchant_code,
            merchant_operation_number: body.operation.merchant_operation_number.clone(),
            transaction_id: None,
        };
        if !tracked.operation.is_same_operation(&numbers) {
            return None;
        }
        let transaction = match &tracked.operation.transaction_id {
            Some(id) => body
                .operation
                .transactions
                .into_iter()
                .find(|t| t.transaction_id == *id),
            None => body.operation.transactions.into_iter().next(),
        };
        let transaction = transaction?;
        self.poller.failures = 0;
        tracked.operation.transaction_id = Some(transaction.transaction_id.clone());
        let fault = tracked.fault;
        let change = tracked.answered(transaction, &self.settings, now);
        let in_front = self.front_index() == Some(index);
        if in_front
            && self.operations[index].fault != fault
            && self.operations[index].outcome.is_none()
        {
            self.tell_of_fault(index);
        }
        match change {
            Change::Ended { previous } => {
                self.ended(index, previous, in_front);
                Some(true)
            }
            Change::State | Change::Nothing => {
                if in_front && change == Change::State {
                    self.tell_of_front();
                }
                if in_front {
                    self.go_on_cancelling();
                }
                Some(change == Change::State)
            }
        }
    }

    pub(super) fn ended(&mut self, index: usize, previous: Option<Outcome>, in_front: bool) {
        let outcome = self.operations[index].outcome;
        self.operations[index].withdrawal = None;
        if !in_front {
            if outcome == Some(Outcome::Paid) {
                self.take_over(index, previous);
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
            self.phase = Phase::Choosing;
            return;
        }
        self.end(index, previous);
    }

    /// Takes another operation's place in front, since this one was paid.
    pub(super) fn take_over(&mut self, index: usize, previous: Option<Outcome>) {
        match &self.phase {
            Phase::Live(live) => {
                // What was waiting must not be paid any more.
                let due = self.time.now();
                self.operations[live.index].withdrawal = Some(Withdrawal {
                    call: None,
                    tries: 0,
                    due,
                });
            }
            Phase::Authorizing(authorizing) => {
                self.abandoned = authorizing.call.map(|(call, _)| call)
            }
            Phase::New | Phase::Choosing | Phase::Ended { .. } | Phase::Failed { .. } => {}
        }
        self.end(index, previous);
    }
}
