//! Takes the hint of a notification that a state may have changed.

use super::Charges;
use crate::clock::now;
use crate::shared_query::Freshness;
use payment_rules::operation::OperationRecord;

impl Charges {
    /// Makes the stored state old, for every server of the database, and asks in a task of its own.
    pub(crate) async fn take_hint(&self, record: OperationRecord) {
        // Of many notifications the first one after a turn is written, and the others change nothing.
        if !record.awaits_query() {
            // Without the database's answer this server asks all the same.
            let _ = self.db.note_hint(&record.key, now()).await;
        }
        let charges = self.clone();
        self.tasks
            .spawn(async move { charges.query(record, Freshness::Hinted).await });
    }
}
