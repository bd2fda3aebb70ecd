//! From the attempt to the operation.

use super::{Authorizing, Flow, MOST_TRIES, Phase};
use crate::attempt::Attempt;
use crate::live::Origin;
use crate::tracked::Withdrawal;
use crate::{Answered, CallId, Command, ErrorCode, Failure, OperationRef, Problem, schedule};
use payment_model::AuthorizeResponse;

impl Flow {
    pub(super) fn authorize(&mut self, attempt: Attempt) {
        self.phase = Phase::Authorizing(Authorizing {
            attempt,
            call: None,
            tries: 0,
            due: self.now(),
        });
    }

    pub(super) fn authorize_answered(&mut self, call: CallId, answer: Answered<AuthorizeResponse>) {
        if self.abandoned == Some(call) {
            self.abandoned = None;
            if let Ok(answer) = answer {
                // The order is paid by another operation, so this one must not be paid too.
                let index = self.take_authorized(*answer.body);
                self.operations[index].withdrawal = Some(Withdrawal {
                    call: None,
                    tries: 0,
                    due: self.now(),
                });
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
                self.hear(&answer);
                let index = self.take_authorized(*answer.body);
                self.bring_to_front(index, Origin::Authorized);
                self.tell_of_front();
                self.leave_if_told();
            }
            Err(Failure::Status {
                problem: Some(Problem::OrderPaid(operation)),
                ..
            }) => {
                let index = self.track(operation);
                self.operations[index].due = Some(self.now());
                self.bring_to_front(index, Origin::Authorized);
            }
            Err(failure) => self.authorize_failed(authorizing, &failure),
        }
    }

    pub(super) fn authorize_failed(&mut self, authorizing: Authorizing, failure: &Failure) {
        let tries = authorizing.tries + 1;
        let passing = failure.is_passing();
        if passing && tries < MOST_TRIES {
            let delay = schedule::jittered(schedule::retry(tries), self.entropy);
            let due = self
                .now()
                .saturating_add(failure.retry_after().unwrap_or(0).max(delay));
            self.phase = Phase::Authorizing(Authorizing {
                call: None,
                tries,
                due,
                ..authorizing
            });
            return;
        }
        // A refused attempt is over; one whose outcome is unknown keeps its key.
        let attempt = passing.then_some(authorizing.attempt);
        self.fail(ErrorCode::of(failure), attempt, None);
    }

    pub(super) fn take_authorized(&mut self, body: AuthorizeResponse) -> usize {
        let (now, server_now) = (self.now(), self.time.server_now());
        let index = self.track(OperationRef {
            merchant_code: body.merchant_code,
            merchant_operation_number: body.merchant_operation_number,
            transaction_id: Some(body.transaction.transaction_id.clone()),
        });
        let tracked = &mut self.operations[index];
        let waiting = body.transaction.state.is_waiting();
        if tracked.outcome.is_none() {
            tracked.authorized(body.transaction, &self.settings);
        }
        // An answer that is no waiting state is not believed: the status endpoint decides.
        let delay = if waiting {
            tracked.delay(true, now, server_now).unwrap_or(0)
        } else {
            0
        };
        tracked.due = Some(now.saturating_add(schedule::jittered(delay, self.entropy)));
        index
    }

    /// Leads the payer to the continue URL, right after they chose to pay and never again:
    /// who comes Back must not be sent away a second time.
    pub(super) fn leave_if_told(&mut self) {
        if let Phase::Live(live) = &mut self.phase
            && let tracked = &self.operations[live.index]
            && tracked.fault.is_none()
            && let Some(url) = &tracked.continue_url
        {
            live.left = true;
            let (url, operation) = (url.clone(), tracked.operation.clone());
            // On disk before the page goes away.
            self.persist();
            self.commands.push(Command::Leave { url, operation });
        }
    }
}
