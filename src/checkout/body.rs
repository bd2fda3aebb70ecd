//! The body of the authorize request.

use super::CheckoutProps;
use crate::browser::navigation;
use js_sys::{JSON, Object, Reflect};
use payment_model::PaymentMethodName;
use wasm_bindgen::JsValue;

/// The merchant's own fields and the payment method, and nothing else, as JSON.
pub(super) fn authorize(props: &CheckoutProps, method: &PaymentMethodName) -> String {
    let details = Object::new();
    if *method == PaymentMethodName::Installment {
        let given = props.redirect_url.as_ref().map(ToString::to_string);
        let url = given.or_else(navigation::here).unwrap_or_default();
        set(&details, "redirect_url", &url.into());
    }
    let payment_method = Object::new();
    set(&payment_method, "method_name", &method.as_str().into());
    set(&payment_method, "method_details", &details);
    // Ours comes last: the page's fields cannot replace it.
    let body = Object::assign(&Object::new(), &props.request.fields());
    set(&body, "payment_method", &payment_method);
    let json = JSON::stringify(&body).ok();
    json.and_then(|json| json.as_string()).unwrap_or_default()
}

fn set(object: &Object, name: &str, value: &JsValue) {
    // Fails only for objects that are frozen or have setters, and this one is new.
    let _ = Reflect::set(object, &name.into(), value);
}
