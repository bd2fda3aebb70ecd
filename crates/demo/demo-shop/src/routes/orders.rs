use super::catalog::store_named;
use crate::catalog::{price, total};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use merchant_backend::{ByName, Caller, Failure, JsonBody, NewOrder, Orders, Problem};
use payment_model::{Location, Person, Phone};
use serde::Deserialize;
use serde_json::{Value, json};

/// Order numbers do not start with 1, so that they do not reveal how many orders the shop has.
const FIRST_NUMBER: u32 = 1001;

/// What a payer orders.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OrderBody {
    /// The key of the store; without it, the first store.
    store: Option<String>,
    items: Vec<ByName<ItemBody>>,
    customer: Option<ByName<Customer>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemBody {
    sku: String,
    quantity: u32,
}

/// `POST /api/orders`: prices the items and registers the order, for this session.
pub(super) async fn create(
    State(orders): State<Orders>,
    Caller(address): Caller,
    headers: HeaderMap,
    JsonBody(body): JsonBody<OrderBody>,
) -> Result<Response, Failure> {
    let store = store_named(orders.stores(), body.store.as_deref())?;
    let wanted = body.items.iter();
    let wanted = wanted.map(|ByName(item)| (item.sku.as_str(), item.quantity));
    let items = price(wanted, &store.currency)
        .map_err(|refusal| Problem::bad_request(format!("{refusal}.")))?;
    let customer = match body.customer {
        Some(ByName(customer)) => customer.checked()?,
        None => Person::default(),
    };
    let payer = orders.payer(&headers, address)?;
    let number = orders.next_number(FIRST_NUMBER).await?;
    let order = NewOrder {
        order_id: orders.new_id()?,
        label: Some(format!("R-{number}")),
        merchant_code: store.merchant_code.clone(),
        currency: store.currency.clone(),
        amount: total(&items),
        items,
        customer,
        methods: None,
        pay_until: None,
    };
    let answer = json!({
        "order_id": order.order_id,
        "label": order.label,
        "amount": order.amount.to_string(),
        "currency": order.currency,
        "merchant_name": store.merchant_name,
        "methods": orders.methods(),
    });
    orders.register(&payer, order).await?;
    let mut response = (StatusCode::CREATED, Json(answer)).into_response();
    payer.set_cookie(response.headers_mut());
    Ok(response)
}

/// `GET /api/orders/{order_id}`: the order and its operations, for its session only.
pub(super) async fn show(
    State(orders): State<Orders>,
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Json<Value>, Failure> {
    let Ok(Path(order_id)) = path else {
        return Err(Problem::not_found().into());
    };
    let order = orders.of_session(&headers, &order_id).await?;
    Ok(Json(json!({
        "order_id": order.order_id,
        "label": order.label,
        "state": order.state,
        "paid_twice": order.paid_twice,
        "amount": order.amount.to_string(),
        "currency": order.currency,
        "merchant_name": order.merchant_name,
        "methods": orders.methods(),
        "created_at": order.created_at,
        "items": order.items,
        "operations": order.operations,
    })))
}

/// The maximum length of an e-mail address, which is the longest field.
const MAX_TEXT_CHARS: usize = 254;

/// The person who orders. It is not a [`Person`], since that one ignores unknown fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Customer {
    first_name: Option<String>,
    last_name: Option<String>,
    email: Option<String>,
    phone: Option<Phone>,
    location: Option<Location>,
}

impl Customer {
    /// The person, if no text is too long.
    fn checked(self) -> Result<Person, Problem> {
        let person = Person {
            first_name: self.first_name,
            last_name: self.last_name,
            email: self.email,
            phone: self.phone,
            location: self.location,
        };
        let written = serde_json::to_value(&person).unwrap_or_default();
        match too_long(&written, "customer") {
            Some(field) => {
                let detail = format!(
                    "The field `{field}` must be a text of at most {MAX_TEXT_CHARS} characters."
                );
                Err(Problem::bad_request(detail).with("field", field))
            }
            None => Ok(person),
        }
    }
}

/// The path of a field that is too long.
fn too_long(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::String(text) => (text.chars().count() > MAX_TEXT_CHARS).then(|| path.to_owned()),
        Value::Object(fields) => fields
            .iter()
            .find_map(|(name, value)| too_long(value, &format!("{path}.{name}"))),
        _ => None,
    }
}
