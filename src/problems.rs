//! The problems after which your page does something about the order: the last part of [`ErrorNotice::problem`].
//!
//! ```
//! use payment_checkout::{ErrorNotice, problems};
//!
//! /// True if the page has to sign its order anew.
//! fn is_too_old(error: &ErrorNotice) -> bool {
//!     error.is_problem(problems::ORDER_TOKEN_REFUSED)
//! }
//! ```
//!
//! [`ErrorNotice::problem`]: crate::ErrorNotice::problem

/// The server does not know the order, or it belongs to another session. At a start
/// ([`asks_for_new_order`](crate::ErrorNotice::asks_for_new_order)): forget it, and make another one. Later the payer may have
/// lost the session of a code that can still be paid.
pub const NOT_FOUND: &str = "not-found";
/// Your shop closed the order: forget it, and make another one if the payer still wants to pay.
pub const ORDER_CLOSED: &str = "order-closed";
/// The order has another price than at its first attempt to pay, and a code with the earlier price may still be paid: your
/// shop decides whether to make another order.
pub const ORDER_CHANGED: &str = "order-changed";
/// The signed order permits no payment, for example because it is too old: sign it anew.
pub const ORDER_TOKEN_REFUSED: &str = "order-token-refused";
/// The order takes no more attempts for now; the payer reads what to do.
pub const TOO_MANY_OPERATIONS: &str = "too-many-operations";
/// The order may be paid already, and only your shop can tell: make no other one.
pub const ORDER_MAY_BE_PAID: &str = "order-may-be-paid";
