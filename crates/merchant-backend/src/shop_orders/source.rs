use super::keys::OrderKeys;
use super::shop::Shop;

/// Where orders come from. The source provides an order's amount and payer, and decides who may pay it.
///
/// The server stores a copy of these facts. The copy follows the source until the first operation of the
/// order, and never changes afterwards: a code that is paid late must have the price with which it was
/// created.
#[derive(Debug, Clone)]
pub(crate) enum OrderSource {
    /// The merchant's program registers each order before it can be paid.
    Registered,
    /// The shop signs each order, and its page sends the signed order.
    Signed(OrderKeys),
    /// The server requests each order from the shop.
    Shop(Shop),
}
