//! Orders: their source, and their registration by the merchant's program.
//!
//! It copies the facts of an order into a row of its own, and nobody changes them there. It knows
//! no catalog, no payment and no status code.

mod new_order;
mod register;
mod source;

pub use new_order::NewOrder;
pub use register::RegisterError;
pub(crate) use register::register;
pub(crate) use source::OrderSource;
