//! The one road by which a developer is told something, in the console.
//!
//! A payer pays whether somebody can be told or not: a console that the page took away or replaced
//! must not end the wasm.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = console, js_name = warn)]
    fn console_warn(told: &str) -> Result<(), JsValue>;
}

/// Tells it, after the name of the element.
pub(crate) fn tell(told: &[&str]) {
    // There is nobody else to tell.
    let _ = console_warn(&["payment-checkout: ", &told.concat()].concat());
}
