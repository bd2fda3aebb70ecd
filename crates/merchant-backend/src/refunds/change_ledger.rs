//! Stores the results of refunds.

use super::Refunds;
use crate::clock::now;
use crate::db::{DbError, Notes};
use payment_model::Refund;
use payment_rules::ledger::{Ledger, RefundEnd};
use payment_rules::operation::OperationKey;

impl Refunds {
    /// Stores refunds of the service's answer.
    pub(super) async fn told(
        &self,
        key: &OperationKey,
        refunds: Vec<Refund>,
        and: impl FnOnce(&mut Ledger) + Send,
    ) -> Result<Ledger, DbError> {
        let units = self.amount_units;
        let change = |ledger: &mut Ledger| {
            let ends = ledger.take(&refunds, units, now());
            and(ledger);
            let notes = Notes {
                ends,
                audit: Vec::new(),
            };
            ((), notes)
        };
        let (ledger, ()) = self.change_one(key, change).await?;
        Ok(ledger)
    }

    /// Changes one ledger, plans the next look, and wakes the waiting requests.
    pub(super) async fn change_one<R: Send>(
        &self,
        key: &OperationKey,
        change: impl FnOnce(&mut Ledger) -> (R, Notes) + Send,
    ) -> Result<(Ledger, R), DbError> {
        let change = |ledger: &mut Ledger| {
            let (result, notes) = change(ledger);
            ledger.plan(now());
            ((result, notes.ends.clone()), notes)
        };
        let (ledger, (result, ends)) = self.db.change_ledger(key, change).await?;
        ends.iter().for_each(log);
        self.wakeups.changed(key);
        Ok((ledger, result))
    }
}

fn log(end: &RefundEnd) {
    let number = end.key.number.as_str();
    let (refund_id, state) = (end.refund.refund_id.as_str(), end.refund.state.as_str());
    tracing::info!(
        merchant_operation_number = number,
        refund_id,
        state,
        "a refund ended"
    );
}
