//! Background tasks: they take due rows from the database and call the use cases for them, remove
//! abandoned orders, end unpaid ones, find exceptions of an earlier version anew, pass on the changes of other
//! processes, and read what changed for the desks of staff. The rules of payments and refunds are in `payment_rules`.

mod desk_news;
mod old_exceptions;
mod order_ends;
mod other_nodes;
mod reconciler;

#[cfg(test)]
pub(crate) use desk_news::RecentOperation;
pub(crate) use desk_news::{ChangeMark, DeskNews, LOOK_BACK, MARK_CHARACTERS, RecentChanges};
pub(crate) use old_exceptions::renew_old_exceptions;
pub(crate) use order_ends::end_unpaid_orders;
pub(crate) use order_ends::remove_abandoned_orders;
pub(crate) use other_nodes::{OtherNodes, watch_standbys};
pub(crate) use reconciler::Reconciler;
