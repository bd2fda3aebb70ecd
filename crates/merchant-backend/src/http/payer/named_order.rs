//! The order in a body: a signed one, or its id, with the key that the shop gave to the page or
//! without.

use crate::http::body::field::Object;
use crate::http::problem::Problem;
use crate::orders::NamedOrder;

/// Reads the order, and refuses fields that are neither of it nor among these.
pub(super) fn named_order<'a>(
    root: Object<'a>,
    beside: &[&str],
) -> Result<NamedOrder<'a>, Problem> {
    if root.get("order").is_some() {
        root.only(&[&["order"], beside].concat())?;
        return Ok(NamedOrder::Token(root.text("order")?));
    }
    root.only(&[&["order_id", "order_key"], beside].concat())?;
    let order_id = root.text("order_id")?;
    Ok(match root.get("order_key") {
        None => NamedOrder::Id(order_id),
        Some(_) => NamedOrder::Key {
            order_id,
            order_key: root.text("order_key")?,
        },
    })
}
