//! Tells JavaScript that the wasm is at its end.

use js_sys::Function;
use std::cell::RefCell;
use wasm_bindgen::JsValue;

thread_local! {
    static REPORT: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Has `report` called when the wasm panics, after which nothing in it works any more. It is
/// told the place in the source, never what was being worked on.
pub fn to(report: Function) {
    REPORT.replace(Some(report));
    yew::set_custom_panic_hook(Box::new(|panic| {
        let place = panic.location().map_or("", |location| location.file());
        if let Some(report) = REPORT.take() {
            // The panic goes on even if the function throws.
            let _ = report.call1(&JsValue::NULL, &place.into());
        }
    }));
}
