//! The address bar, and leaving the page.

use checkout_flow::{ContinueUrl, OperationRef};
use payment_model::{MerchantCode, MerchantOperationNumber};
use wasm_bindgen::JsValue;

/// The name of the return token in the merchant's redirect URL.
const TOKEN: &str = "checkout";

/// Leads the payer to another site. It was checked before; where the browser refuses, the
/// link on the screen stays.
pub(crate) fn leave(url: &ContinueUrl) {
    if let Some(window) = web_sys::window() {
        let _ = window.location().assign(url.as_str());
    }
}

/// Takes the return token out of the address bar, so that nobody copies or bookmarks it.
pub(crate) fn take_token() -> Option<String> {
    let window = web_sys::window()?;
    let url = web_sys::Url::new(&window.location().href().ok()?).ok()?;
    // A parameter of the same name may be the page's own.
    let token = url
        .search_params()
        .get(TOKEN)
        .filter(|token| operation_of(token).is_some())?;
    url.search_params().delete(TOKEN);
    let history = window.history().ok()?;
    let state = history.state().unwrap_or(JsValue::NULL);
    let _ = history.replace_state_with_url(&state, "", Some(&url.href()));
    Some(token)
}

/// The operation that a return token is for: merchant code and number are its first two
/// parts, in base64url. Only the merchant's server can tell whether the token is genuine.
pub(crate) fn operation_of(token: &str) -> Option<OperationRef> {
    let mut parts = token.split('.');
    let mut part = || {
        let text = parts.next()?.replace('-', "+").replace('_', "/");
        let text = web_sys::window()?.atob(&text).ok()?;
        (!text.is_empty() && text.is_ascii()).then_some(text)
    };
    Some(OperationRef {
        merchant_code: MerchantCode::new(part()?),
        merchant_operation_number: MerchantOperationNumber::new(part()?),
        transaction_id: None,
    })
}

/// The address of this page, without the parts that only it can read.
pub(crate) fn here() -> Option<String> {
    let url = web_sys::Url::new(&web_sys::window()?.location().href().ok()?).ok()?;
    url.set_hash("");
    Some(url.href())
}
