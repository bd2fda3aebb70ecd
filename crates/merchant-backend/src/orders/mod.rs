//! Orders: their source, and their registration.

mod new_order;
mod register;
mod source;

pub use new_order::NewOrder;
pub use register::RegisterError;
pub(crate) use register::register;
pub(crate) use source::OrderSource;
