use crate::db::{Db, DbError};
use crate::domain::order::Order;

/// The source of an order that a payer wants to pay. It gives the order's amount and payer. The
/// server copies these facts into a row of its own when it first sees the order, and never changes
/// them there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderSource {
    /// The merchant's program registers an order before its payer can pay it.
    Registered,
}

impl OrderSource {
    /// The order of this id, for any caller.
    pub(crate) async fn order(self, db: &Db, order_id: &str) -> Result<Option<Order>, DbError> {
        match self {
            Self::Registered => db.order(order_id).await,
        }
    }
}
