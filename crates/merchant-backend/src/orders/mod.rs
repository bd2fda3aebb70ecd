//! Orders: where they come from, and how they become rows.
//!
//! ```text
//! register, new_order    the merchant's program registers an order
//! source, order_of_shop  the shop tells an order, in a token or when it is asked
//! ```
//!
//! It copies the facts of an order into a row of its own. It knows no catalog, no payment and no
//! status code.

mod new_order;
mod order_of_shop;
mod register;
mod source;

pub use new_order::NewOrder;
pub use register::RegisterError;
pub(crate) use register::register;
pub(crate) use source::{NamedOrder, OrderRefusal, PayableOrder, Right, payable, save};
