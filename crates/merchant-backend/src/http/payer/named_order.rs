//! The order in a body: a signed one, or its id, with the key that the shop gave to the page or
//! without.

use crate::http::body::{Text, missing, not_allowed};
use crate::http::problem::Problem;
use crate::orders::NamedOrder;

/// The order that these fields name: a signed order in `order` has its id, and no field beside it.
pub(super) fn named_order<'a>(
    order: Option<&'a Text>,
    order_id: Option<&'a Text>,
    order_key: Option<&'a Text>,
) -> Result<NamedOrder<'a>, Problem> {
    match (order, order_id, order_key) {
        (Some(token), None, None) => Ok(NamedOrder::Token(token)),
        (Some(_), Some(_), _) => Err(not_allowed("order_id")),
        (Some(_), None, Some(_)) => Err(not_allowed("order_key")),
        (None, None, _) => Err(missing("order_id")),
        (None, Some(order_id), None) => Ok(NamedOrder::Id(order_id)),
        (None, Some(order_id), Some(order_key)) => Ok(NamedOrder::Key {
            order_id,
            order_key,
        }),
    }
}
