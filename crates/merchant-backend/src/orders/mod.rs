//! Orders: where they come from, and how one is first kept.

mod new_order;
mod register;
mod source;

pub use new_order::NewOrder;
pub use register::RegisterError;
pub(crate) use register::register;
pub(crate) use source::OrderSource;
