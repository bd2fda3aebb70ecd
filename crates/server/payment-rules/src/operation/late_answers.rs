//! Decides whether an answer is newer than the stored state: by what was stored when its request
//! began, and by the notifications that came since.

use super::OperationRecord;
use crate::timing::Reading;
use payment_model::{Timestamp, TransactionState};

/// What was stored about an operation when a request to the service began.
///
/// An answer may describe the state at the start of its request. Whether that was before or after
/// another fact was stored is decided by what was stored at the start, and not by clocks, which may
/// be set back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionContext {
    /// The clock at the start of the request.
    pub began: Reading,
    pub(super) is_query: bool,
    cancellation: Option<Timestamp>,
    state: Option<TransactionState>,
    changed_at: Timestamp,
    reversal_seen_at: Option<Timestamp>,
    contradicted_at: Option<Timestamp>,
}

impl QuestionContext {
    /// The context of a query. `cancellation` is when the request to cancel left that has not ended
    /// yet.
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

    /// The context of a cancellation.
    pub fn cancellation(record: &OperationRecord, began: Reading) -> Self {
        Self {
            is_query: false,
            ..Self::query(record, None, began)
        }
    }

    /// True for a query, and false for a cancellation.
    pub fn is_query(&self) -> bool {
        self.is_query
    }

    /// True when the request to cancel that left at this instant had left before this one began.
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

impl OperationRecord {
    /// True when no query has begun since a notification came.
    pub fn awaits_query(&self) -> bool {
        let turn = self.queried_at;
        self.hinted_at
            .is_some_and(|hinted| turn.is_none_or(|turn| turn < hinted))
    }

    /// Clears the notifications that the answer to a query covers. `turn` is the stored turn when
    /// the query began: a notification up to it came before the query.
    pub fn answer_hint(&mut self, turn: Option<Timestamp>) {
        if self.hinted_at <= turn {
            self.hinted_at = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::operation::OperationRecord;
    use crate::operation::fixture::pending;
    use crate::timing::instant;

    fn record(queried_at: Option<i64>, hinted_at: Option<i64>) -> OperationRecord {
        OperationRecord {
            queried_at: queried_at.map(instant),
            hinted_at: hinted_at.map(instant),
            ..pending()
        }
    }

    #[test]
    fn a_notification_waits_for_the_next_turn() {
        for (queried_at, hinted_at, awaits) in [
            (None, None, false),
            (Some(1), None, false),
            (None, Some(1), true),
            (Some(1), Some(2), true),
            (Some(2), Some(2), false),
            (Some(3), Some(2), false),
        ] {
            let record = record(queried_at, hinted_at);
            assert_eq!(
                record.awaits_query(),
                awaits,
                "{queried_at:?} {hinted_at:?}"
            );
        }
    }

    #[test]
    fn only_the_answer_to_a_later_query_makes_the_state_new() {
        for (turn, hinted_at, left) in [
            (Some(1), None, None),
            (Some(1), Some(2), Some(2)),
            (Some(2), Some(2), None),
            (Some(3), Some(2), None),
            (None, Some(2), Some(2)),
        ] {
            let mut record = record(Some(9), hinted_at);
            record.answer_hint(turn.map(instant));
            assert_eq!(
                record.hinted_at,
                left.map(instant),
                "{turn:?} {hinted_at:?}"
            );
        }
    }
}
