//! Time and randomness, which the flow has no source of.

use checkout_flow::Moment;

/// Returns the times of both clocks now.
pub(crate) fn now() -> Moment {
    let monotonic = web_sys::window()
        .and_then(|window| window.performance())
        .map_or(0.0, |p| p.now());
    Moment {
        wall: whole(js_sys::Date::now()),
        monotonic: whole(monotonic),
    }
}

/// 128 unguessable bits. Every browser that runs the wasm has a source of them; a zero in its
/// place would repeat an earlier attempt of this order, and never make a second payment.
pub(crate) fn entropy() -> u128 {
    let mut bytes = [0; 16];
    if let Some(crypto) = web_sys::window().and_then(|window| window.crypto().ok()) {
        // Fails only for arrays of more than 65,536 bytes.
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    u128::from_be_bytes(bytes)
}

/// An HTTP date in milliseconds since 1970.
pub(crate) fn parse_date(text: &str) -> Option<i64> {
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
