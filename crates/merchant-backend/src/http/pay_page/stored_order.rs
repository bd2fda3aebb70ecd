//! The order of a page, as it is stored.

use crate::db::DbError;
use crate::http::app::App;
use payment_rules::operation::{OperationRecord, to_show};
use payment_rules::order::OrderFacts;
use payment_rules::payment::Order;

/// The order with its payments.
pub(super) async fn whole(app: &App, facts: &OrderFacts) -> Result<Order, DbError> {
    let order = app.db.order_with_payments(&facts.full_id()).await?;
    order.ok_or_else(|| DbError::missing("the order of a page"))
}

/// The operation that can be paid now.
pub(super) async fn live(
    app: &App,
    facts: &OrderFacts,
) -> Result<Option<OperationRecord>, DbError> {
    let order = whole(app, facts).await?;
    let waits = |record: &OperationRecord| record.state().is_some_and(|state| state.is_waiting());
    Ok(to_show(order.operations()).cloned().filter(waits))
}
