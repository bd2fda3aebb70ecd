//! Time and randomness.

/// The wall clock, in milliseconds since 1970. It may be wrong, and it may jump.
#[must_use]
pub fn wall() -> i64 {
    whole(js_sys::Date::now())
}

/// The monotonic clock, in milliseconds since anything. It stops while some systems sleep.
#[must_use]
pub fn monotonic() -> i64 {
    let performance = web_sys::window().and_then(|window| window.performance());
    whole(performance.map_or(0.0, |performance| performance.now()))
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

/// An HTTP date in milliseconds since 1970.
#[must_use]
pub fn parse_date(text: &str) -> Option<i64> {
    let millis = js_sys::Date::parse(text);
    millis.is_finite().then(|| whole(millis))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast saturates, and no clock shows such times"
)]
fn whole(millis: f64) -> i64 {
    millis as i64
}
