//! A notification makes the stored state old, until the answer to a later query is stored.

use super::OperationRecord;
use payment_model::Timestamp;

impl OperationRecord {
    /// True when no query has taken its turn since a notification came.
    pub fn awaits_query(&self) -> bool {
        let turn = self.queried_at;
        self.hinted_at
            .is_some_and(|hinted| turn.is_none_or(|turn| turn < hinted))
    }

    /// The answer to a query is stored. The last turn that anybody had taken when it began tells
    /// which notifications came before it.
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
    use crate::reading::instant;

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
