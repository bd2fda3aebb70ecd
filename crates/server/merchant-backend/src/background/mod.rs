//! Background tasks: they take due rows from the database and call the use cases for them, remove
//! abandoned orders, end unpaid ones, find exceptions of an earlier version anew, and pass on the changes of other
//! processes. The rules of payments and refunds are in `payment_rules`.

mod old_exceptions;
mod order_ends;
mod other_nodes;
mod reconciler;

pub(crate) use old_exceptions::renew_old_exceptions;
pub(crate) use order_ends::end_unpaid_orders;
pub(crate) use order_ends::remove_abandoned_orders;
pub(crate) use other_nodes::{OtherNodes, watch_standbys};
pub(crate) use reconciler::Reconciler;
