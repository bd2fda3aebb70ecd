//! The element in the page, as far as the wasm calls it.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The element in the page.
    #[derive(Clone)]
    pub type Host;

    /// Dispatches an event of the element. True when no listener prevented its default action.
    #[wasm_bindgen(method)]
    pub(crate) fn dispatch(this: &Host, name: &str, detail: &JsValue) -> bool;

    /// Dispatches `checkout-start`. True when the attempt may begin, false when the page prevents it, or a promise that is
    /// resolved when it may begin, with the page's reason if it refuses.
    #[wasm_bindgen(method, js_name = askToStart)]
    pub(crate) fn ask_to_start(this: &Host, method: &str) -> JsValue;

    /// Takes a request to the merchant's server with its answer: the `Exchange` of `exchange.ts`.
    #[wasm_bindgen(method)]
    pub(crate) fn exchanged(this: &Host, exchange: &JsValue);

    /// Takes the name of the state.
    #[wasm_bindgen(method, js_name = showState)]
    pub(crate) fn show_state(this: &Host, state: &str);
}
