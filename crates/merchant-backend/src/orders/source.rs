use crate::db::{Db, DbError};
use crate::domain::order::Order;

/// Where an order comes from that somebody wants to pay: who says what it costs, and whose it is.
/// From every source its facts are copied into a row of our own when it is first seen, and stay
/// there as they were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderSource {
    /// The host program registers an order before anybody can pay it.
    Registered,
}

impl OrderSource {
    /// The order of this id, whoever asks.
    pub(crate) async fn order(self, db: &Db, order_id: &str) -> Result<Option<Order>, DbError> {
        match self {
            Self::Registered => db.order(order_id).await,
        }
    }
}
