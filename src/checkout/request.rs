use js_sys::{JSON, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use yew::AttrValue;

/// The merchant's own fields of the authorize body, such as `order_id`, as they were when they
/// were given: an object that the page changes later is given anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request(Result<Fields, WrongRequest>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Fields {
    /// As JSON.
    json: AttrValue,
    /// The same with its id in place of a signed order, which the shop signs anew for each page.
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
    /// The fields of this JavaScript object; `undefined` and `null` for none. Any other value, and
    /// an object that cannot be written as JSON, is reported as a wrong configuration when it is
    /// used.
    #[must_use]
    pub fn new(fields: &JsValue) -> Self {
        let named = with_id(fields).and_then(|named| text_of(&named));
        Self::named(fields, named.map(AttrValue::from))
    }

    /// The same where JSON is known already that has its id in place of a signed order.
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
        Self(both.ok_or(WrongRequest))
    }

    /// True when one of the fields has exactly this text or number, or a signed order has this id.
    pub(crate) fn mentions(&self, text: &str) -> bool {
        let says =
            |value: JsValue| text_of(&value).is_some_and(|json| json.trim_matches('"') == text);
        let fields = JSON::parse(self.identity()).map(Object::unchecked_from_js);
        fields.is_ok_and(|fields| Object::values(&fields).iter().any(says))
    }

    /// The text that tells this order from others. The shop signs an order anew for each page, so
    /// the id of a signed order stands for it.
    pub(crate) fn identity(&self) -> &str {
        self.0.as_ref().map_or("", |fields| &fields.named)
    }

    /// The fields as JSON, `{}` for none.
    ///
    /// # Errors
    /// Fails when the given value is not an object, or cannot be written as JSON.
    pub(crate) fn to_json(&self) -> Result<&str, WrongRequest> {
        let fields = self.0.as_ref().map_err(|wrong| *wrong)?;
        Ok(&fields.json)
    }
}

/// The fields, with its id in place of a signed order.
fn with_id(fields: &JsValue) -> Option<Object> {
    let fields: Object = JSON::parse(&text_of(fields)?).ok()?.unchecked_into();
    let name = JsValue::from("order");
    if let Some(order_id) = id_of_signed(Reflect::get(&fields, &name).ok()?.as_string()) {
        // Fails only for objects that are frozen or have setters, and this one is new.
        let _ = Reflect::set(&fields, &name, &order_id);
    }
    Some(fields)
}

fn text_of(value: &JsValue) -> Option<String> {
    JSON::stringify(value).ok()?.as_string()
}

/// The id that a signed order (JWS in compact form) names in its claims. Only the server verifies
/// them; the page's own order is all that the id is compared with.
fn id_of_signed(token: Option<String>) -> Option<JsValue> {
    let token = token?;
    let mut parts = token.split('.');
    let (_, claims, _) = (parts.next()?, parts.next()?, parts.next()?);
    let base64 = claims.replace('-', "+").replace('_', "/");
    // Other texts come out in a wrong encoding, but an id has ASCII characters only.
    let claims = JSON::parse(&web_sys::window()?.atob(&base64).ok()?).ok()?;
    let id = Reflect::get(&claims, &"order_id".into()).ok()?;
    id.is_string().then_some(id)
}

/// The property `request` is not an object that can be written as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrongRequest;
