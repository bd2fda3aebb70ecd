//! Work without a request: it takes the due rows from the database and calls the use cases for
//! them. It knows no rule of a payment or a refund.

mod abandoned_orders;
mod reconciler;

pub(crate) use abandoned_orders::remove_abandoned_orders;
pub(crate) use reconciler::Reconciler;
