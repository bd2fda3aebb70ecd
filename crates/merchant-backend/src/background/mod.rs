//! Work that nobody asks for: it takes from the database what is due and has it done. It knows no rule
//! of a payment or a refund.

mod abandoned_orders;
mod reconciler;

pub(crate) use abandoned_orders::remove_abandoned_orders;
pub(crate) use reconciler::Reconciler;
