//! Time and randomness.

use payment_model::Timestamp;
use std::time::Duration;

/// The wall clock. It may be wrong, and it may jump.
#[must_use]
pub fn wall() -> Timestamp {
    timestamp(js_sys::Date::now())
}

/// The monotonic clock: the whole milliseconds since the page began. It stops while some systems
/// sleep. In a page that broke it, it is the wall clock.
#[must_use]
pub fn monotonic() -> Duration {
    let performance = web_sys::window().and_then(|window| window.performance());
    let millis = performance.map_or(f64::NAN, |performance| performance.now());
    let millis = if millis.is_nan() {
        js_sys::Date::now()
    } else {
        millis
    };
    Duration::from_millis(whole(millis).unsigned_abs())
}

/// 128 unguessable bits. Every browser that runs the wasm has a source of them; a zero in its
/// place would repeat an earlier attempt of this order, and never make a second payment.
#[must_use]
pub fn entropy() -> u128 {
    let mut bytes = [0; 16];
    if let Some(crypto) = web_sys::window().and_then(|window| window.crypto().ok()) {
        // Fails only for arrays of more than 65,536 bytes.
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    u128::from_be_bytes(bytes)
}

/// An HTTP date.
#[must_use]
pub fn parse_date(text: &str) -> Option<Timestamp> {
    let millis = js_sys::Date::parse(text);
    millis.is_finite().then(|| timestamp(millis))
}

fn timestamp(millis: f64) -> Timestamp {
    Timestamp::from_millis(whole(millis))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast saturates, and no clock shows such times"
)]
fn whole(millis: f64) -> i64 {
    millis as i64
}
