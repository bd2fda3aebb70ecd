//! The address bar, and leaving the page.

use checkout_flow::ContinueUrl;
use wasm_bindgen::JsValue;

/// Leads the payer to another site, which was checked before. In a frame the whole tab goes, since
/// lenders and banks show nothing in frames. False where the browser refuses that, as it may in a
/// frame with `sandbox`.
#[must_use]
pub(crate) fn leave(url: &ContinueUrl) -> bool {
    // `assign` is forbidden where the page around is another site's.
    let top = web_sys::window().and_then(|window| window.top().ok().flatten());
    top.is_some_and(|top| top.location().set_href(url.as_str()).is_ok())
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
