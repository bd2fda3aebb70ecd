//! Requests as honest payers, members of staff and programs of the shop send them.

use crate::request::Request;
use crate::settings::{MERCHANT, SHOP_PAGE, STAFF_PASSWORD};
use serde_json::{Value, json};

/// A request to the demo shop that orders this many packs of coffee.
pub(crate) fn order(quantity: u64) -> Request {
    let items = json!({"items": [{"sku": "cafe-250", "quantity": quantity}]});
    Request::new("POST", "/api/orders").with_json(&items)
}

/// A payer asks for a payment of the order that these fields name, maybe in place of the operation of a number.
pub(crate) fn charge(order: &Value, method: &str, key: &str, replaces: Option<&str>) -> Request {
    let details = match method {
        "INSTALLMENT" => json!({"redirect_url": format!("{SHOP_PAGE}/")}),
        _ => json!({}),
    };
    let mut body = order.clone();
    body["payment_method"] = json!({"method_name": method, "method_details": details});
    let request = Request::new("POST", "/api/charges").with_json(&body);
    let request = request.with_key(key);
    match replaces {
        Some(number) => request.with("checkout-replaces", &format!("\"{number}\"")),
        None => request,
    }
}

/// A payer asks for the state of an operation.
pub(crate) fn status(number: &str) -> Request {
    Request::new("GET", &format!("/api/charges/{MERCHANT}/{number}/-"))
}

/// A payer cancels a code.
pub(crate) fn cancel(number: &str) -> Request {
    Request::new("DELETE", &format!("/api/charges/{MERCHANT}/{number}"))
}

/// A member of staff signs in.
pub(crate) fn sign_in(name: &str) -> Request {
    let body = json!({"name": name, "password": STAFF_PASSWORD});
    Request::new("POST", "/api/staff/session").with_json(&body)
}

/// A member of staff cancels a code, or reverses a payment.
pub(crate) fn staff_ends(number: &str, intent: &str) -> Request {
    let path = format!("/api/staff/charges/{MERCHANT}/{number}?intent={intent}");
    Request::new("DELETE", &path)
}

/// A member of staff refunds a part.
pub(crate) fn refund(number: &str, cents: u64, key: &str) -> Request {
    let part = json!({"type": "PARTIAL", "merchant_operation_number": number,
        "refund_amount": cents.to_string()});
    let body = json!({"merchant_code": MERCHANT, "operations": [part]});
    Request::new("POST", "/api/staff/refund")
        .with_json(&body)
        .with_key(key)
}

/// A member of staff reserves what is given back by hand.
pub(crate) fn return_by_hand(number: &str, cents: u64, key: &str) -> Request {
    let body = json!({"merchant_code": MERCHANT, "merchant_operation_number": number,
        "amount": cents, "reason": "in cash"});
    Request::new("POST", "/api/staff/returns")
        .with_json(&body)
        .with_key(key)
}

/// The header by which a program of the shop shows its key.
pub(crate) fn bearer(secret: &str) -> (&'static str, String) {
    ("authorization", format!("Bearer {secret}"))
}
