//! What is done with payments: the use cases between the addresses and the store.

mod authorize;
mod cancel;
mod doubt;
mod live;
mod query;
mod record;
mod rounds;
mod send;
mod staff_cancel;
mod staff_trouble;
mod tries;
mod withdraw;

pub(crate) use authorize::{Authorization, AuthorizeOrder, Method, authorize, order_paid};
pub(crate) use cancel::{Cancelled, cancel};
pub(crate) use doubt::{settle_doubt, settle_doubt_as_planned};
pub(crate) use query::{Freshness, query};
pub(crate) use rounds::SharedQueries;
pub(crate) use staff_cancel::{CancelWanted, Intent, staff_cancel};
pub(crate) use staff_trouble::not_known;
