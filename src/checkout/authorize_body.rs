//! The body of the authorize request.

use super::CheckoutProps;
use js_sys::{JSON, Object, Reflect};
use payment_model::PaymentMethodName;
use wasm_bindgen::{JsCast, JsValue};

/// The merchant's own fields and the payment method as JSON; `None` when the page's fields cannot be used.
pub(super) fn authorize(
    props: &CheckoutProps,
    method: &PaymentMethodName,
    redirect_url: Option<&str>,
) -> Option<String> {
    let details = Object::new();
    if let Some(url) = redirect_url {
        set(&details, "redirect_url", &url.into());
    }
    let payment_method = Object::new();
    set(&payment_method, "method_name", &method.as_str().into());
    set(&payment_method, "method_details", &details);
    let body = JSON::parse(props.request.to_json().ok()?).ok()?;
    // The method comes last, so that the page's fields cannot replace it.
    set(body.unchecked_ref(), "payment_method", &payment_method);
    JSON::stringify(&body).ok()?.as_string()
}

fn set(object: &Object, name: &str, value: &JsValue) {
    // This fails only for objects that are frozen or have setters, and this object is new.
    let _ = Reflect::set(object, &name.into(), value);
}
