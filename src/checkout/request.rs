use js_sys::{Array, JSON, Object};
use serde::Serialize;
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};
use yew::AttrValue;

/// The fields of your own in the body that starts a payment, such as `order_id`. The checkout adds `payment_method` and
/// nothing else.
///
/// ```no_run
/// use payment_checkout::OrderRequest;
///
/// let by_id = OrderRequest::order("1001");
/// let signed = OrderRequest::signed("eyJhbGciOiJIUzI1NiJ9.eyJvcmRlcl9pZCI6IjEwMDEifQ.c2ln");
/// let fields = std::collections::BTreeMap::from([("order_id", "1001"), ("cart", "7")]);
/// let own = OrderRequest::json(&fields)?;
/// # Ok::<(), payment_checkout::OrderRequestError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderRequest(Result<Fields, OrderRequestError>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Fields {
    /// The fields as JSON.
    json: AttrValue,
    /// The fields as JSON with the order's id in place of a signed order, whose signature differs on each page.
    named: AttrValue,
}

impl Fields {
    fn of(fields: &impl Serialize) -> Result<Self, OrderRequestError> {
        let json = written(fields).filter(|json| json.starts_with('{'));
        let both = json.and_then(|json| Some((named(&json)?.into(), json.into())));
        let (named, json) = both.ok_or(OrderRequestError)?;
        Ok(Self { json, named })
    }
}

/// A value as JSON. The browser's own writer is part of no download.
#[cfg(target_family = "wasm")]
fn written(value: &impl Serialize) -> Option<String> {
    text_of(&browser_kit::json::to_value(value)?)
}

/// A value as JSON, in a page's tests and where a server draws the page.
#[cfg(not(target_family = "wasm"))]
fn written(value: &impl Serialize) -> Option<String> {
    serde_json::to_string(value).ok()
}

impl Default for OrderRequest {
    fn default() -> Self {
        let none = AttrValue::Static("{}");
        Self(Ok(Fields {
            json: none.clone(),
            named: none,
        }))
    }
}

impl OrderRequest {
    /// The order with this id, in the field `order_id`.
    #[must_use]
    pub fn order(id: &str) -> Self {
        #[derive(Serialize)]
        struct Order<'a> {
            order_id: &'a str,
        }
        Self(Fields::of(&Order { order_id: id }))
    }

    /// An order that your server signed (a JWS), in the field `order`. Signed anew, it is the same order.
    #[must_use]
    pub fn signed(token: &str) -> Self {
        #[derive(Serialize)]
        struct Signed<'a> {
            order: &'a str,
        }
        Self(Fields::of(&Signed { order: token }))
    }

    /// Fields of your own.
    ///
    /// # Errors
    /// Fails when the value is no object, or cannot be written as JSON.
    pub fn json(fields: &impl Serialize) -> Result<Self, OrderRequestError> {
        Fields::of(fields).map(|fields| Self(Ok(fields)))
    }

    /// The fields of this JavaScript object; none for `undefined` and `null`. Any other value, and an object that cannot
    /// be written as JSON, is a wrong configuration, which the payer's screen and the notice of the error say.
    #[cfg(feature = "custom-element")]
    #[doc(hidden)]
    #[must_use]
    pub fn new(fields: &JsValue) -> Self {
        let named = text_of(fields).and_then(|json| named(&json));
        Self::named(fields, named.map(AttrValue::from))
    }

    /// The fields of a JavaScript object, and their identity as the element's script has computed it.
    #[cfg(feature = "custom-element")]
    #[doc(hidden)]
    #[must_use]
    pub fn named(fields: &JsValue, named: Option<AttrValue>) -> Self {
        if fields.is_undefined() || fields.is_null() {
            return Self::default();
        }
        let text = text_of(fields).filter(|text| text.starts_with('{'));
        let both = text.zip(named).map(|(json, named)| Fields {
            json: json.into(),
            named,
        });
        Self(both.ok_or(OrderRequestError))
    }

    /// True when a field is exactly this order id, as a text or a number, or a signed order has it and is of this
    /// store, or names none.
    pub(crate) fn mentions(&self, order_id: &str, merchant_code: &str) -> bool {
        let is = |value: &JsValue, text: &str| {
            text_of(value).is_some_and(|json| json.trim_matches('"') == text)
        };
        let says = |value: JsValue| {
            if !Array::is_array(&value) {
                return is(&value, order_id);
            }
            let signed: Array = value.unchecked_into();
            let store = signed.get(0);
            is(&signed.get(1), order_id) && (store.is_null() || is(&store, merchant_code))
        };
        let Ok(fields) = JSON::parse(self.identity()) else {
            return false;
        };
        let values: Array = Object::values(fields.unchecked_ref::<Object>());
        values.iter().any(says)
    }

    /// True without fields, as while the page has not made the order yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.to_json() == Ok("{}")
    }

    /// A text that differs between orders. It contains the id of a signed order in place of the order, whose
    /// signature differs on each page.
    pub(crate) fn identity(&self) -> &str {
        self.0.as_ref().map_or("", |fields| &fields.named)
    }

    /// Returns the fields as JSON; `{}` without fields.
    ///
    /// # Errors
    /// Fails when the given value is not an object, or cannot be written as JSON.
    pub(crate) fn to_json(&self) -> Result<&str, OrderRequestError> {
        let fields = self.0.as_ref().map_err(|wrong| *wrong)?;
        Ok(&fields.json)
    }
}

/// The fields with the order's id in place of a signed order.
#[cfg(target_family = "wasm")]
fn named(json: &str) -> Option<String> {
    use js_sys::Reflect;
    let fields: Object = JSON::parse(json).ok()?.unchecked_into();
    let name = JsValue::from("order");
    if let Some(id) = id_of_signed(Reflect::get(&fields, &name).ok()?.as_string()) {
        // Fails only for objects that are frozen or have setters, and this one is new.
        let _ = Reflect::set(&fields, &name, &id);
    }
    text_of(&fields)
}

/// The fields as they are: no checkout runs where there is no browser.
#[cfg(not(target_family = "wasm"))]
#[expect(clippy::unnecessary_wraps, reason = "a browser may fail")]
fn named(json: &str) -> Option<String> {
    Some(json.to_owned())
}

fn text_of(value: &JsValue) -> Option<String> {
    JSON::stringify(value).ok()?.as_string()
}

/// The store and the id in the claims of a signed order (JWS in compact form), since each store has ids of its own. The
/// claims are not verified here: the id is only compared with ids on this page.
#[cfg(target_family = "wasm")]
fn id_of_signed(token: Option<String>) -> Option<JsValue> {
    let token = token?;
    let mut parts = token.split('.');
    let (_, claims, _) = (parts.next()?, parts.next()?, parts.next()?);
    let base64 = claims.replace('-', "+").replace('_', "/");
    // Other claims may be decoded wrongly, but an id has only ASCII characters.
    let claims = JSON::parse(&web_sys::window()?.atob(&base64).ok()?).ok()?;
    let claim = |name: &str| js_sys::Reflect::get(&claims, &name.into()).ok();
    let (store, id) = (claim("merchant_code")?, claim("order_id")?);
    id.is_string().then(|| Array::of2(&store, &id).into())
}

/// The fields of a request are no object, or cannot be written as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the request is not an object that can be written as JSON")]
pub struct OrderRequestError;

#[cfg(test)]
mod tests {
    use super::{OrderRequest, OrderRequestError};
    use std::collections::BTreeMap;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_request_is_the_same_in_a_browser_and_elsewhere() {
        let order = OrderRequest::order("1001 \"ñ\"");
        assert_eq!(order.to_json(), Ok(r#"{"order_id":"1001 \"ñ\""}"#));
        assert_eq!(
            OrderRequest::signed("a.b.c").to_json(),
            Ok(r#"{"order":"a.b.c"}"#)
        );
        let own = BTreeMap::from([("cart", "7"), ("order_id", "1001")]);
        let own = OrderRequest::json(&own).unwrap();
        assert_eq!(own.to_json(), Ok(r#"{"cart":"7","order_id":"1001"}"#));
        assert_eq!(OrderRequest::default().to_json(), Ok("{}"));
        assert_eq!(OrderRequest::json(&["1001"]), Err(OrderRequestError));
        assert_eq!(OrderRequest::json(&"1001"), Err(OrderRequestError));
    }
}
