use super::OperationRecord;
use crate::reading::Reading;
use payment_model::{Timestamp, TransactionState};

/// A request to the service, with what was known of its operation when it began.
///
/// An answer may say what was true when its request began. Whether that was before or after another
/// fact was stored follows from what was stored when the request began, and not from clocks, which may be set back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub began: Reading,
    pub(super) is_query: bool,
    cancellation: Option<Timestamp>,
    state: Option<TransactionState>,
    changed_at: Timestamp,
    reversal_seen_at: Option<Timestamp>,
    contradicted_at: Option<Timestamp>,
}

impl Asked {
    /// A query, which knows of a request to cancel that left then and has not ended.
    pub fn query(
        record: &OperationRecord,
        cancellation: Option<Timestamp>,
        began: Reading,
    ) -> Self {
        Self {
            began,
            cancellation,
            is_query: true,
            state: record.state().cloned(),
            changed_at: record.changed_at,
            reversal_seen_at: record.reversal_seen_at,
            contradicted_at: record.contradicted_at(),
        }
    }

    pub fn cancellation(record: &OperationRecord, began: Reading) -> Self {
        Self {
            is_query: false,
            ..Self::query(record, None, began)
        }
    }

    /// True when the request to cancel that left then had left before this one began.
    pub fn knew_request(&self, begun_at: Timestamp) -> bool {
        self.cancellation == Some(begun_at)
    }

    /// True when the stored state was known before the request began.
    pub fn knew_state(&self, record: &OperationRecord) -> bool {
        self.changed_at == record.changed_at && self.state.as_ref() == record.state()
    }

    /// True when an earlier answer had reported the reversal before the query began.
    pub(super) fn asks_again_about_reversal(&self, record: &OperationRecord) -> bool {
        self.is_query && self.reversal_seen_at == record.reversal_seen_at
    }

    /// True when an earlier answer had contradicted the stored state before the query began.
    pub(super) fn asks_again_about_contradiction(&self, record: &OperationRecord) -> bool {
        self.is_query && self.contradicted_at == record.contradicted_at()
    }
}
