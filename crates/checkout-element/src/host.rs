//! The element in the page, as far as the wasm calls it.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Response;

#[wasm_bindgen]
extern "C" {
    /// The element, as far as the wasm knows it.
    #[derive(Clone)]
    pub type Host;

    /// Dispatches an event of the element. True when no listener prevented its default action.
    #[wasm_bindgen(method)]
    pub(crate) fn tell(this: &Host, name: &str, detail: &JsValue) -> bool;

    /// Takes a request to the merchant's server and its answer: the `Exchange` of `exchange.js`, but
    /// for the response.
    #[wasm_bindgen(method)]
    pub(crate) fn exchanged(this: &Host, detail: &JsValue, response: Option<Response>);

    /// Keeps a text as the option `ended`.
    #[wasm_bindgen(method)]
    pub(crate) fn keep(this: &Host, ended: &str);

    /// Takes the name of the screen.
    #[wasm_bindgen(method, js_name = showState)]
    pub(crate) fn show_state(this: &Host, state: &str);
}
