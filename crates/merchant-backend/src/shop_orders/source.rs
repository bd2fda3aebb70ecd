use super::keys::OrderKeys;
use super::shop::Shop;

/// The source of orders that no program registered. It gives an order's amount and payer, and says
/// who may pay it. The server copies these facts into a row of its own. They may change there until
/// the first operation is made of them, and never afterwards: a code that is paid late pays the
/// price that it was made with.
#[derive(Debug, Clone)]
pub(crate) enum OrderSource {
    /// None: the merchant's program registers each order before its payer can pay it.
    Registered,
    /// The shop signs each order, and its page shows the signed order.
    Signed(OrderKeys),
    /// The server asks the shop about each order that a page names.
    Shop(Shop),
}
