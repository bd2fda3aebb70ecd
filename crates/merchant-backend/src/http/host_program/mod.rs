//! The API on which a merchant's own program builds its routes: payers' sessions, the limits of new
//! orders, and orders.

pub(in crate::http) mod orders;
pub(in crate::http) mod payer_session;
pub(in crate::http) mod payers_order;
