//! A program of the shop closes an order whose customer cancelled it: no attempt to pay begins any more,
//! and the code that can be paid ends by the rules of a payer's cancellation, which never gives a payment
//! back. What cannot be ended now is ended by the background.

use super::Payments;
use crate::clock::now;
use crate::db::DbError;
use payment_rules::ledger::EndCause;
use payment_rules::order::FullOrderId;
use payment_rules::payment::OrderOutcome;

/// How far the closing of an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CloseOutcome {
    /// No payment is in force and none is under way. With `given_back`, a payment was given back: maybe one that
    /// came while the code was being cancelled.
    Closed { given_back: bool },
    /// A payment may still arrive.
    Closing,
    /// A payment is in force.
    Paid,
}

impl Payments {
    /// Closes an order, which need not be known yet. Run this as a task of its own.
    pub(crate) async fn close_order(
        &self,
        key: &FullOrderId,
        closed_by: &str,
    ) -> Result<CloseOutcome, DbError> {
        self.db.close_order(key, closed_by).await?;
        let Some(order) = self.db.order_with_payments(key).await? else {
            // A restore may have lost the order with its payment.
            let is_known = self.db.fence().await?.is_none();
            return Ok(if is_known {
                CloseOutcome::Closed { given_back: false }
            } else {
                CloseOutcome::Closing
            });
        };
        for payment in order.payments {
            let waits = payment
                .operation
                .state()
                .is_some_and(|state| state.is_waiting());
            if waits {
                self.cancel_unpaid(payment.operation, EndCause::Staff)
                    .await?;
            }
        }
        let order = self.db.order_with_payments(key).await?;
        Ok(match order.map(|order| order.summary(now())) {
            Some(summary) if summary.outcome == OrderOutcome::Paid => CloseOutcome::Paid,
            Some(summary) if summary.payment_may_come => CloseOutcome::Closing,
            summary => CloseOutcome::Closed {
                given_back: summary.is_some_and(|one| one.outcome == OrderOutcome::Reversed),
            },
        })
    }
}
