//! The console: the only way for the component to report a mistake to a developer.
//!
//! A payment does not depend on these messages: a console that the page removed or replaced must
//! not end the wasm.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = console, js_name = warn)]
    fn console_warn(message: &str) -> Result<(), JsValue>;
}

/// Logs a warning with the element's name as its prefix.
pub(crate) fn warn(message: &str) {
    // There is no other place for the message.
    let _ = console_warn(&format!("payment-checkout: {message}"));
}
