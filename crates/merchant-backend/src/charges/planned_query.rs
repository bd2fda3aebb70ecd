//! Looks at an operation by its plan, without a request.

use super::Charges;
use super::cancel_for_payer::Cancelled;
use crate::clock::now;
use crate::db::DbError;
use crate::shared_query::Freshness;
use payment_rules::ledger::EndCause;
use payment_rules::operation::{OperationRecord, Phase};
use payment_rules::order::OrderState;

impl Charges {
    /// Looks at an operation by its plan, without a request.
    pub(crate) async fn look_as_planned(&self, record: OperationRecord) -> Result<(), DbError> {
        match record.phase {
            Phase::InDoubt => self.settle_doubt_as_planned(record).await,
            Phase::Known if self.is_superfluous(&record).await? => {
                self.withdraw_superfluous(record).await
            }
            Phase::Known => {
                // A failed query plans the next one itself.
                let _ = self.query(record, Freshness::Planned).await;
                Ok(())
            }
            Phase::Lost => self.ask_about_lost(record).await,
            Phase::Sending | Phase::Refused => Ok(()),
        }
    }

    /// Cancels a code that is not needed any more. After a failure the pause grows, and the server
    /// waits while the service wants no cancellations.
    async fn withdraw_superfluous(&self, record: OperationRecord) -> Result<(), DbError> {
        let key = record.key.clone();
        let rest = self.service.no_cancellations_for();
        if rest.is_none()
            && !matches!(
                self.cancel_unpaid(record, EndCause::Replaced).await?,
                Cancelled::Unconfirmed(_)
            )
        {
            return Ok(());
        }
        let rest = rest.unwrap_or_default();
        let later = move |record: &mut OperationRecord| record.plan_withdrawal(now(), rest);
        self.db.change(&key, later).await?;
        Ok(())
    }

    /// True when the code of an operation is not to be paid any more: it reached no payer, or another one has
    /// paid the order. That holds for a code that was left for another one too, while it waits.
    async fn is_superfluous(&self, record: &OperationRecord) -> Result<bool, DbError> {
        if record.reached_nobody() {
            return Ok(true);
        }
        if !record.live && !record.state().is_some_and(|state| state.is_waiting()) {
            return Ok(false);
        }
        let order = self.db.order(&record.order_id).await?;
        Ok(order.is_some_and(|order| order.state == OrderState::Paid))
    }
}
