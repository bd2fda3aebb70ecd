//! An order as a shop signs it, without the code under test.

use crate::stack::ORDERS_SECRET;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// For how long a page may use it: longer than a run.
const LIFE_SECONDS: u64 = 3600;

/// Signs an order for the server of this public address.
pub(super) fn sign(public_url: &str, order_id: &str, amount: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_secs());
    let claims = json!({
        "aud": public_url, "iat": now, "exp": now + LIFE_SECONDS,
        "order_id": order_id, "amount": amount, "currency": "PEN",
    });
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!(
        "{}.{}",
        part(&json!({"alg": "HS256", "typ": "JWT"})),
        part(&claims)
    );
    let key = hmac::Key::new(hmac::HMAC_SHA256, ORDERS_SECRET.as_bytes());
    let tag = hmac::sign(&key, signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(tag))
}
