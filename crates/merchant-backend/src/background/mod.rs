//! Work without a request: it takes the due rows from the database and calls the use cases for
//! them, and passes on what other processes changed. It knows no rule of a payment or a refund.

mod abandoned_orders;
mod gone_senders;
mod lost_commits;
mod other_nodes;
mod reconciler;

pub(crate) use abandoned_orders::remove_abandoned_orders;
pub(crate) use lost_commits::watch_for_lost_commits;
pub(crate) use other_nodes::OtherNodes;
pub(crate) use reconciler::Reconciler;
