//! Loads an order with all its payments, by three statements whatever it holds.

use super::engine::Connection;
use super::error::DbError;
use super::ledger_entries::{self, Of};
use super::{operations, orders};
use payment_rules::ledger::Ledger;
use payment_rules::operation::OperationKey;
use payment_rules::payment::{Order, Payment};

/// The order that an operation pays. The transaction must be one that sees one state, or has locked
/// the order.
pub(super) async fn of_operation(
    connection: &mut Connection,
    key: &OperationKey,
) -> Result<Option<Order>, DbError> {
    let Some(facts) = orders::of_operation(&mut *connection, key).await? else {
        return Ok(None);
    };
    let operations = operations::of_order(&mut *connection, &facts.order_id).await?;
    let mut entries = ledger_entries::entries(connection, Of::Order(&facts.order_id)).await?;
    let payments = operations.into_iter().map(|operation| {
        let entries = entries.remove(&operation.key).unwrap_or_default();
        Payment {
            ledger: Ledger::new(&operation, entries),
            operation,
        }
    });
    Ok(Some(Order {
        payments: payments.collect(),
        facts,
    }))
}
