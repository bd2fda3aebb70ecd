//! The address bar, and leaving the page.

use checkout_flow::ContinueUrl;
use wasm_bindgen::JsValue;

/// Leads the payer to another site. It was checked before; where the browser refuses, the
/// link on the screen stays.
pub(crate) fn leave(url: &ContinueUrl) {
    if let Some(window) = web_sys::window() {
        let _ = window.location().assign(url.as_str());
    }
}

/// The address of this page, without the parts that only it can read.
pub(crate) fn here() -> Option<String> {
    let url = web_sys::Url::new(&web_sys::window()?.location().href().ok()?).ok()?;
    url.set_hash("");
    Some(url.href())
}

/// A parameter of this page's address.
pub(crate) fn parameter(name: &str) -> Option<String> {
    let url = web_sys::Url::new(&web_sys::window()?.location().href().ok()?).ok()?;
    url.search_params().get(name)
}

/// Takes a parameter out of the address bar, so that the payer does not copy or bookmark it.
pub(crate) fn drop_parameter(name: &str) {
    let rewrite = || {
        let window = web_sys::window()?;
        let url = web_sys::Url::new(&window.location().href().ok()?).ok()?;
        url.search_params().delete(name);
        let history = window.history().ok()?;
        let state = history.state().unwrap_or(JsValue::NULL);
        history
            .replace_state_with_url(&state, "", Some(&url.href()))
            .ok()
    };
    // If the browser refuses, the parameter stays in the address and works the same the next time.
    let _ = rewrite();
}
