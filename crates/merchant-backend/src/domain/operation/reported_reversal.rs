//! Recognizes a payment that was given back, in answers that do not say so.

use super::OperationRecord;
use super::asked::Asked;
use payment_model::{
    DateObject, LifecycleEntry, Outcome, Timestamp, Transaction, TransactionState,
};

impl OperationRecord {
    /// A paid operation that is answered as canceled, by an answer that does not say that it was
    /// paid: its payment was given back, unless the answer is a late one about the time before the
    /// payment. Two answers that were asked for one after the other cannot both be late.
    pub(super) fn read_reversal(&mut self, next: &mut Transaction, asked: Asked, now: Timestamp) {
        let since_paid = asked.began > self.changed_at;
        match next.outcome() {
            Some(Outcome::Paid) if since_paid => self.reversal_seen_at = None,
            Some(Outcome::Cancelled) if since_paid => match self.reversal_seen_at {
                Some(seen) if asked.is_query && asked.began > seen => {
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
