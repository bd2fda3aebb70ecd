//! The routes of the merchant's own program are built with this: payers' sessions, the limits of
//! new orders, and orders. It is public, so a change of it is one for every merchant.
//!
//! It knows no address, since the program chooses its own, and no catalog and no price: an order
//! has its amount when it comes here.

pub(in crate::http) mod orders;
pub(in crate::http) mod payer_session;
pub(in crate::http) mod payers_order;
