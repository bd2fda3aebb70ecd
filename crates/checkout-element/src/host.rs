//! The element in the page, as far as the wasm calls it.

use js_sys::JsString;
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

    /// Hears a request to the merchant's server and its answer: the request's method and address, the
    /// response or `undefined`, its body if it was read, the `type` of a problem in it, the milliseconds that it took, and whether
    /// the payment goes on with it.
    #[wasm_bindgen(method)]
    pub(crate) fn heard(
        this: &Host,
        method: &str,
        url: &str,
        response: Option<Response>,
        body: Option<JsString>,
        problem: Option<String>,
        took: u32,
        usable: bool,
    );

    /// Keeps a text as the option `ended`.
    #[wasm_bindgen(method)]
    pub(crate) fn keep(this: &Host, ended: &str);

    /// Takes the name of the screen.
    #[wasm_bindgen(method, js_name = showState)]
    pub(crate) fn show_state(this: &Host, state: &str);
}
