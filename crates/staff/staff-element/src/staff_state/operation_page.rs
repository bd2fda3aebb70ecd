use super::{Failure, Reference, Request};
use payment_model::{
    Meta, Outcome, QueryResponse, RefundState, Timestamp, Transaction, TransactionState,
};
use staff_model::{AttemptState, OperationDetails, ReversalState};
use std::rc::Rc;
use std::time::Duration;

/// The service is asked about one operation at most once in this time.
const BETWEEN_QUERIES: Duration = Duration::from_secs(1);

/// One operation on the screen.
#[derive(Debug)]
pub(crate) struct OperationPage {
    pub(crate) reference: Reference,
    pub(crate) details: Option<Rc<OperationDetails>>,
    pub(crate) running: bool,
    pub(crate) failure: Option<Failure>,
    pub(crate) querying: bool,
    /// The service's answer to a query from this page.
    pub(crate) fresh: Option<Result<Fresh, Failure>>,
    queried_at: Option<Timestamp>,
    /// When it is to be asked about again.
    pub(super) due: Option<Timestamp>,
    step: usize,
}

/// The parts of an operation that can change by themselves, so that the page asks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    Refunds,
    State,
}

/// The answer to a fresh query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fresh {
    pub(crate) state: Option<TransactionState>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) meta: Meta,
}

impl OperationPage {
    pub(crate) fn new(reference: Reference) -> Self {
        Self {
            reference,
            details: None,
            running: false,
            failure: None,
            querying: false,
            fresh: None,
            queried_at: None,
            due: None,
            step: 0,
        }
    }

    /// When the service may be asked again, if it is too early now.
    pub(crate) fn query_free_at(&self, at: Timestamp) -> Option<Timestamp> {
        let free = self.queried_at?.saturating_add(BETWEEN_QUERIES);
        // A clock that was set back must not block it.
        (free > at && free.duration_since(at) <= BETWEEN_QUERIES).then_some(free)
    }

    pub(super) fn query(&mut self, at: Timestamp) -> Option<Request> {
        if self.querying || self.query_free_at(at).is_some() {
            return None;
        }
        self.querying = true;
        self.queried_at = Some(at);
        Some(Request::Query(self.reference.clone()))
    }

    pub(super) fn take_query(&mut self, answer: Result<Box<QueryResponse>, Failure>) {
        self.querying = false;
        self.fresh = Some(answer.map(|response| {
            let last = response.operation.transactions.last();
            Fresh {
                state: last.map(|transaction| transaction.state.clone()),
                outcome: last.and_then(Transaction::outcome),
                meta: response.meta,
            }
        }));
    }

    pub(super) fn take_details(
        &mut self,
        at: Timestamp,
        answer: Result<Box<OperationDetails>, Failure>,
    ) {
        self.running = false;
        match answer {
            Ok(details) => {
                self.due = open_end(&details).map(|_| at.saturating_add(delay(self.step)));
                self.details = Some(Rc::new(*details));
                self.failure = None;
            }
            Err(failure) => {
                self.postpone(at, failure.retry_after);
                self.failure = Some(failure);
            }
        }
    }

    /// Returns the part to ask for now.
    pub(super) fn poll(&mut self, at: Timestamp) -> Option<Due> {
        if self.due? > at {
            return None;
        }
        // The next one is planned by the answer.
        self.due = None;
        let due = self.details.as_deref().and_then(open_end);
        if due == Some(Due::State) {
            self.step += 1;
        }
        due
    }

    pub(super) fn take_poll(&mut self, at: Timestamp, failure: Option<&Failure>) {
        self.step += 1;
        if let Some(failure) = failure {
            self.postpone(at, failure.retry_after);
        }
    }

    /// Refunds are asked about quickly again: something was done.
    pub(super) fn restart_polling(&mut self) {
        self.step = 0;
    }

    fn postpone(&mut self, at: Timestamp, retry_after: Option<Duration>) {
        let open = self.details.as_deref().and_then(open_end);
        let wait = delay(self.step).max(retry_after.unwrap_or_default());
        self.due = open.map(|_| at.saturating_add(wait));
    }
}

/// Returns the part that can still change by itself: a refund, or a payment that is pending or being
/// reversed. The server watches payments anyway, so its own state is enough.
fn open_end(details: &OperationDetails) -> Option<Due> {
    let open = |state: &RefundState| !state.is_final();
    let refunds = details.refunds.iter().any(|refund| open(&refund.state))
        || details
            .attempts
            .iter()
            .any(|attempt| matches!(attempt.state, AttemptState::Sending | AttemptState::InDoubt));
    let reversing = details.reversals.iter().any(|reversal| {
        matches!(
            reversal.state,
            ReversalState::Sending | ReversalState::InDoubt
        )
    });
    let state = details.row.state.as_ref();
    let waits = reversing || state.is_some_and(TransactionState::is_waiting);
    match (refunds, waits) {
        (true, _) => Some(Due::Refunds),
        (false, true) => Some(Due::State),
        (false, false) => None,
    }
}

/// Refunds take hours: the pauses are short at first, then longer.
fn delay(step: usize) -> Duration {
    const SECONDS: [u64; 7] = [3, 5, 8, 12, 20, 30, 45];
    Duration::from_secs(SECONDS.get(step).copied().unwrap_or(60))
}
