use super::{Reference, Request, Trouble};
use payment_model::{Meta, QueryResponse, RefundState, TransactionState};
use staff_model::{AttemptState, OperationDetails};
use std::rc::Rc;

/// The service is asked about one operation at most once in so many milliseconds.
const BETWEEN_QUERIES: i64 = 1_000;

/// One operation on the screen.
#[derive(Debug)]
pub(crate) struct OperationPage {
    pub(crate) reference: Reference,
    pub(crate) details: Option<Rc<OperationDetails>>,
    pub(crate) running: bool,
    pub(crate) trouble: Option<Trouble>,
    pub(crate) querying: bool,
    /// What the service said when it was asked from here.
    pub(crate) fresh: Option<Result<Fresh, Trouble>>,
    queried_at: Option<i64>,
    /// When its refunds are to be asked about.
    pub(super) due: Option<i64>,
    step: usize,
}

/// What a fresh query told.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fresh {
    pub(crate) state: Option<TransactionState>,
    pub(crate) meta: Meta,
}

impl OperationPage {
    pub(crate) fn new(reference: Reference) -> Self {
        Self {
            reference,
            details: None,
            running: false,
            trouble: None,
            querying: false,
            fresh: None,
            queried_at: None,
            due: None,
            step: 0,
        }
    }

    /// When the service may be asked again, if it is too early now.
    pub(crate) fn query_free_at(&self, at: i64) -> Option<i64> {
        let free = self.queried_at?.saturating_add(BETWEEN_QUERIES);
        // A clock that was set back must not block it.
        (free > at && free - at <= BETWEEN_QUERIES).then_some(free)
    }

    pub(super) fn query(&mut self, at: i64) -> Option<Request> {
        if self.querying || self.query_free_at(at).is_some() {
            return None;
        }
        self.querying = true;
        self.queried_at = Some(at);
        Some(Request::Query(self.reference.clone()))
    }

    pub(super) fn take_query(&mut self, answer: Result<Box<QueryResponse>, Trouble>) {
        self.querying = false;
        self.fresh = Some(answer.map(|response| {
            Fresh {
                state: response
                    .operation
                    .transactions
                    .last()
                    .map(|transaction| transaction.state.clone()),
                meta: response.meta,
            }
        }));
    }

    pub(super) fn take_details(&mut self, at: i64, answer: Result<Box<OperationDetails>, Trouble>) {
        self.running = false;
        match answer {
            Ok(details) => {
                self.due = is_unsettled(&details).then(|| at.saturating_add(delay(self.step)));
                self.details = Some(Rc::new(*details));
                self.trouble = None;
            }
            Err(trouble) => {
                self.postpone(at, trouble.retry_after);
                self.trouble = Some(trouble);
            }
        }
    }

    /// The question about refunds, when it is due.
    pub(super) fn watch(&mut self, at: i64) -> Option<Request> {
        if self.due? > at {
            return None;
        }
        // The next one is planned by the answer.
        self.due = None;
        Some(Request::Refunds(self.reference.clone()))
    }

    pub(super) fn take_watch(&mut self, at: i64, trouble: Option<&Trouble>) {
        self.step += 1;
        if let Some(trouble) = trouble {
            self.postpone(at, trouble.retry_after);
        }
    }

    /// Refunds are asked about quickly again: something was done.
    pub(super) fn restart_watch(&mut self) {
        self.step = 0;
    }

    fn postpone(&mut self, at: i64, retry_after: Option<i64>) {
        let unsettled = self.details.as_deref().is_some_and(is_unsettled);
        let wait = delay(self.step).max(retry_after.unwrap_or(0));
        self.due = unsettled.then(|| at.saturating_add(wait));
    }
}

/// Whether a refund can still change by itself.
fn is_unsettled(details: &OperationDetails) -> bool {
    let open = |state: &RefundState| !state.is_final();
    details.refunds.iter().any(|refund| open(&refund.state))
        || details
            .attempts
            .iter()
            .any(|attempt| matches!(attempt.state, AttemptState::Sending | AttemptState::InDoubt))
}

/// Refunds take hours: quick at first for what is quick, then slower.
fn delay(step: usize) -> i64 {
    const SECONDS: [i64; 7] = [3, 5, 8, 12, 20, 30, 45];
    SECONDS.get(step).copied().unwrap_or(60) * 1_000
}
