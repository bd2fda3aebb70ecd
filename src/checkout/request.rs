use browser_kit::json;
use js_sys::{Array, JSON, Object, Reflect};
use serde::Serialize;
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};
use yew::AttrValue;

/// The fields of your own in the body that starts a payment, such as `order_id`. The checkout adds `payment_method` and
/// nothing else.
///
/// ```no_run
/// use payment_checkout::Request;
///
/// let by_id = Request::order("1001");
/// let signed = Request::signed("eyJhbGciOiJIUzI1NiJ9.eyJvcmRlcl9pZCI6IjEwMDEifQ.c2ln");
/// let fields = std::collections::BTreeMap::from([("order_id", "1001"), ("cart", "7")]);
/// let own = Request::json(&fields)?;
/// # Ok::<(), payment_checkout::RequestError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request(Result<Fields, RequestError>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Fields {
    /// The fields as JSON.
    json: AttrValue,
    /// The fields as JSON with the order's id in place of a signed order, whose signature differs on each page.
    named: AttrValue,
}

impl Default for Request {
    fn default() -> Self {
        let none = AttrValue::Static("{}");
        Self(Ok(Fields {
            json: none.clone(),
            named: none,
        }))
    }
}

impl Request {
    /// The order with this id, in the field `order_id`.
    #[must_use]
    pub fn order(id: &str) -> Self {
        #[derive(Serialize)]
        struct Order<'a> {
            order_id: &'a str,
        }
        Self::json(&Order { order_id: id }).unwrap_or(Self(Err(RequestError)))
    }

    /// An order that your server signed (a JWS), in the field `order`. Signed anew, it is the same order.
    #[must_use]
    pub fn signed(token: &str) -> Self {
        #[derive(Serialize)]
        struct Signed<'a> {
            order: &'a str,
        }
        Self::json(&Signed { order: token }).unwrap_or(Self(Err(RequestError)))
    }

    /// Fields of your own.
    ///
    /// # Errors
    /// Fails when the value is no object, or cannot be written as JSON.
    pub fn json(fields: &impl Serialize) -> Result<Self, RequestError> {
        let fields = json::to_value(fields).ok_or(RequestError)?;
        let request = Self::new(&fields);
        request.0.is_ok().then_some(request).ok_or(RequestError)
    }

    /// The fields of this JavaScript object; none for `undefined` and `null`. Any other value, and an object that cannot
    /// be written as JSON, is a wrong configuration, which the payer's screen and the notice of the error say.
    #[must_use]
    pub fn new(fields: &JsValue) -> Self {
        let named = with_id(fields).and_then(|named| text_of(&named));
        Self::named(fields, named.map(AttrValue::from))
    }

    /// The fields of a JavaScript object, and their identity as the element's script has computed it.
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
        Self(both.ok_or(RequestError))
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
    pub(crate) fn to_json(&self) -> Result<&str, RequestError> {
        let fields = self.0.as_ref().map_err(|wrong| *wrong)?;
        Ok(&fields.json)
    }
}

/// The fields with the order's id in place of a signed order.
fn with_id(fields: &JsValue) -> Option<Object> {
    let fields: Object = JSON::parse(&text_of(fields)?).ok()?.unchecked_into();
    let name = JsValue::from("order");
    if let Some(id) = id_of_signed(Reflect::get(&fields, &name).ok()?.as_string()) {
        // Fails only for objects that are frozen or have setters, and this one is new.
        let _ = Reflect::set(&fields, &name, &id);
    }
    Some(fields)
}

fn text_of(value: &JsValue) -> Option<String> {
    JSON::stringify(value).ok()?.as_string()
}

/// The store and the id in the claims of a signed order (JWS in compact form), since each store has ids of its own. The claims are not verified here: the id is only
/// compared with ids on this page.
fn id_of_signed(token: Option<String>) -> Option<JsValue> {
    let token = token?;
    let mut parts = token.split('.');
    let (_, claims, _) = (parts.next()?, parts.next()?, parts.next()?);
    let base64 = claims.replace('-', "+").replace('_', "/");
    // Other claims may be decoded wrongly, but an id has only ASCII characters.
    let claims = JSON::parse(&web_sys::window()?.atob(&base64).ok()?).ok()?;
    let claim = |name: &str| Reflect::get(&claims, &name.into()).ok();
    let (store, id) = (claim("merchant_code")?, claim("order_id")?);
    id.is_string().then(|| Array::of2(&store, &id).into())
}

/// The fields of a request are no object, or cannot be written as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the request is not an object that can be written as JSON")]
pub struct RequestError;
