//! Orders as a shop signs them, by the words of the standards and without the code under test.

use crate::support::stack::ORDERS_SECRET;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) fn seconds() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_secs()).unwrap()
}

/// The claims of an order for the server at this address.
pub(crate) fn claims(base: &str, order_id: &str, amount: u64) -> Value {
    json!({
        "aud": base, "iat": seconds(), "exp": seconds() + 600,
        "order_id": order_id, "amount": amount, "currency": "PEN",
        "payer": {"first_name": "Canary", "email": "canary@example.com"},
        "products": [{"sku": "c", "name": "Coffee", "quantity": 1, "unit_price": amount}],
    })
}

pub(crate) fn sign(claims: &Value) -> String {
    sign_as(
        &json!({"alg": "HS256", "typ": "JWT"}),
        claims,
        ORDERS_SECRET,
    )
}

pub(crate) fn sign_as(header: &Value, claims: &Value, secret: &str) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(header), part(claims));
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(tag))
}
