//! The address bar, and leaving the page.

use checkout_flow::ContinueUrl;
use wasm_bindgen::JsValue;

/// Leads the payer to another site, whose address was checked before. From a frame the whole tab is navigated,
/// since lenders and banks refuse to be shown in frames. Returns false when the browser refuses that, for
/// example in a sandboxed frame.
#[must_use]
pub(crate) fn leave(url: &ContinueUrl) -> bool {
    // `assign` is forbidden if the frame is in a page of another site.
    let top = web_sys::window().and_then(|window| window.top().ok().flatten());
    top.is_some_and(|top| top.location().set_href(url.as_str()).is_ok())
}

/// The address of this page without its fragment.
pub(crate) fn here() -> Option<String> {
    let url = web_sys::Url::new(&web_sys::window()?.location().href().ok()?).ok()?;
    url.set_hash("");
    Some(url.href())
}

/// An address of the page in full, as another site needs it. `None` if it is not an address.
pub(crate) fn absolute(url: &str) -> Option<String> {
    let base = web_sys::window()?.document()?.base_uri().ok()??;
    Some(web_sys::Url::new_with_base(url, &base).ok()?.href())
}

/// The value of a query parameter in the address bar.
pub(crate) fn parameter(name: &str) -> Option<String> {
    let url = web_sys::Url::new(&web_sys::window()?.location().href().ok()?).ok()?;
    url.search_params().get(name)
}

/// Removes a query parameter from the address bar, so that the payer does not copy or bookmark it.
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
    // If the browser refuses, the parameter stays in the address, and is read again the next time.
    let _ = rewrite();
}
