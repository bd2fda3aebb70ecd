//! The only way to tell a developer something: the console.
//!
//! A payment does not depend on these messages: a console that the page removed or replaced must
//! not end the wasm.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = console, js_name = warn)]
    fn console_warn(told: &str) -> Result<(), JsValue>;
}

/// Tells it, after the name of the element.
pub(crate) fn tell(told: &[&str]) {
    // There is no other place for the message.
    let _ = console_warn(&["payment-checkout: ", &told.concat()].concat());
}
