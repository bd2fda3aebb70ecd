//! Recognizes a payment that was given back, in answers that do not say so.

use super::OperationRecord;
use super::asked::Asked;
use crate::planted::{Mistake, planted};
use payment_model::{
    DateObject, LifecycleEntry, Outcome, Timestamp, Transaction, TransactionState,
};

impl OperationRecord {
    /// A paid operation that is answered as canceled, by an answer that does not say that it was
    /// paid: its payment was given back, unless the answer is a late one about the time before the
    /// payment. Two answers that were asked for one after the other cannot both be late.
    pub(super) fn read_reversal(&mut self, next: &mut Transaction, asked: &Asked, now: Timestamp) {
        let knew = if planted(Mistake::ReversalIsOrderedByClock) {
            asked.began.now > self.changed_at
        } else {
            asked.knew_state(self)
        };
        match next.outcome() {
            Some(Outcome::Paid) if knew => self.reversal_seen_at = None,
            Some(Outcome::Cancelled) if knew => match self.reversal_seen_at {
                Some(_) if asked.asks_again_about_reversal(self) => {
                    next.lifecycle = self.reversed_lifecycle(next, now);
                    self.reversal_seen_at = None;
                }
                Some(_) => {}
                None => self.reversal_seen_at = Some(now),
            },
            _ => {}
        }
    }

    /// The history of a payment that was given back, for answers that do not tell it: without the
    /// paid entry, browsers would say *canceled*.
    fn reversed_lifecycle(&self, next: &Transaction, now: Timestamp) -> Vec<LifecycleEntry> {
        let mut entries = Vec::new();
        if let Some(stored) = self.transaction() {
            entries.clone_from(&stored.lifecycle);
            if !entries.iter().any(|entry| entry.state.is_paid()) {
                entries.push(LifecycleEntry {
                    state: stored.state.clone(),
                    date: DateObject::from_timestamp(self.changed_at),
                });
            }
        }
        let told = next.lifecycle.iter().rev();
        let mut told = told.filter(|entry| entry.state == TransactionState::Cancelled);
        entries.push(told.next().cloned().unwrap_or_else(|| LifecycleEntry {
            state: TransactionState::Cancelled,
            date: DateObject::from_timestamp(now),
        }));
        entries
    }
}

#[cfg(test)]
mod tests {
    use crate::operation::fixture::{pending, reading, take, take_asked, transaction};
    use crate::operation::{Asked, OperationRecord};
    use crate::reading::instant;
    use payment_model::{DateObject, Outcome};
    use serde_json::{Value, json};

    /// A paid operation after two queries that answered this.
    fn asked_twice(paid: &[&str], answer: &Value) -> OperationRecord {
        let mut record = pending();
        take(&mut record, &transaction("AUTORIZADO", paid), instant(10));
        for at in [20, 30] {
            assert_eq!(record.outcome(), Some(Outcome::Paid));
            take(&mut record, answer, instant(at));
        }
        record
    }

    fn history(record: &OperationRecord) -> Vec<(&str, &DateObject)> {
        let entries = record.transaction().unwrap().lifecycle.iter();
        entries
            .map(|entry| (entry.state.as_str(), &entry.date))
            .collect()
    }

    #[test]
    fn the_history_of_a_reversal_has_the_payment_and_the_cancellation() {
        let paid_at = DateObject::from_timestamp(instant(10));
        let seen_at = DateObject::from_timestamp(instant(30));
        let told = transaction("CANCELADO", &["PENDIENTE"])["lifecycle"][0]["date"].clone();
        let told: DateObject = serde_json::from_value(told).unwrap();
        // Neither answer told any history.
        let bare = asked_twice(&[], &transaction("CANCELADO", &[]));
        assert_eq!(
            history(&bare),
            [("AUTORIZADO", &paid_at), ("CANCELADO", &seen_at)]
        );
        // The stored history lacks the payment.
        let unpaid = asked_twice(&["PENDIENTE"], &transaction("CANCELADO", &["PENDIENTE"]));
        assert_eq!(
            history(&unpaid),
            [
                ("PENDIENTE", &told),
                ("AUTORIZADO", &paid_at),
                ("CANCELADO", &seen_at)
            ]
        );
        // The stored history has it, and the answer tells when it was canceled: the last time.
        let mut answer = transaction("CANCELADO", &["CANCELADO", "CANCELADO", "PENDIENTE"]);
        answer["lifecycle"][1]["date"] = json!({"unix_time": 2});
        let last: DateObject = serde_json::from_value(json!({"unix_time": 2})).unwrap();
        let whole = asked_twice(&["PENDIENTE", "AUTORIZADO"], &answer);
        assert_eq!(
            history(&whole),
            [
                ("PENDIENTE", &told),
                ("AUTORIZADO", &told),
                ("CANCELADO", &last)
            ]
        );
        for record in [bare, unpaid, whole] {
            assert_eq!(record.outcome(), Some(Outcome::Reversed));
            assert_eq!(record.reversal_seen_at, None);
        }
    }

    #[test]
    fn an_answer_about_the_time_before_the_payment_neither_reports_nor_denies_a_reversal() {
        let canceled = transaction("CANCELADO", &[]);
        let paid = transaction("AUTORIZADO", &[]);
        let mut record = pending();
        let asked = |record: &OperationRecord| Asked::query(record, None, reading(instant(0)));
        let before = asked(&record);
        take(&mut record, &paid, instant(10));
        take_asked(&mut record, &canceled, &before, instant(11));
        assert_eq!(record.reversal_seen_at, None);
        let since = asked(&record);
        take_asked(&mut record, &canceled, &since, instant(13));
        assert_eq!(record.reversal_seen_at, Some(instant(13)));
        take_asked(&mut record, &paid, &before, instant(14));
        assert_eq!(record.reversal_seen_at, Some(instant(13)));
        take_asked(&mut record, &paid, &since, instant(15));
        assert_eq!(record.reversal_seen_at, None);
    }

    #[test]
    fn a_waiting_operation_that_is_canceled_needs_no_second_answer() {
        let mut record = pending();
        take(&mut record, &transaction("CANCELADO", &[]), instant(1));
        assert_eq!(record.outcome(), Some(Outcome::Cancelled));
        assert_eq!(record.reversal_seen_at, None);
    }
}
