use super::catalog::named;
use crate::catalog::{price, total};
use crate::clock::now;
use crate::domain::operation::OperationRecord;
use crate::domain::order::{Order, OrderState};
use crate::http::Failure;
use crate::http::app::App;
use crate::http::body::field::{Object, wrong};
use crate::http::body::json_body::JsonBody;
use crate::http::client::Client;
use crate::http::problem::{Problem, ProblemKind};
use crate::random::readable;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use payment_model::{DateObject, Person};
use serde_json::{Value, json};

/// The longest text of a person: an e-mail address may have 254 characters.
const LONGEST_TEXT: usize = 254;

/// `POST /api/orders`: prices the items and keeps the order, for this session.
pub(in crate::http) async fn create(
    State(app): State<App>,
    client: Client,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    let root = Object::body(&body)?;
    root.only(&["store", "items", "customer"])?;
    let key = match root.get("store") {
        Some(_) => Some(root.text("store")?),
        None => None,
    };
    let store = named(&app.config.stores, key)?;
    let items = items(root, &store.currency)?;
    let customer = customer(root)?;
    let known = app.sessions.of(&headers);
    app.limits.order(known.as_ref(), client.0)?;
    app.limits.start()?;
    let (session, cookie) = match known {
        Some(session) => (session, None),
        None => {
            let (session, cookie) = app.sessions.start()?;
            (session, Some(cookie))
        }
    };
    let order = Order {
        order_id: readable()?,
        session_hash: session.hash,
        created_at: now(),
        amount: total(&items),
        currency: store.currency.clone(),
        merchant_code: store.merchant_code.clone(),
        items,
        customer,
        state: OrderState::Open,
        paid_twice: false,
    };
    app.db.add_order(&order).await?;
    let answer = json!({
        "order_id": order.order_id,
        "amount": order.amount.to_string(),
        "currency": order.currency,
        "merchant_name": store.merchant_name,
        "methods": offered(&app),
    });
    let mut response = (StatusCode::CREATED, Json(answer)).into_response();
    if let Some(cookie) = cookie.and_then(|cookie| cookie.parse().ok()) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// How an order can be paid.
fn offered(app: &App) -> Vec<&str> {
    app.config.offered_methods().collect()
}

fn items(
    root: Object<'_>,
    currency: &str,
) -> Result<Vec<crate::domain::order::OrderItem>, Problem> {
    let list = root.get("items").and_then(Value::as_array);
    let list = list.ok_or_else(|| wrong("items", "a list of {\"sku\", \"quantity\"}"))?;
    let mut wanted = Vec::with_capacity(list.len());
    for (at, item) in list.iter().enumerate() {
        let path = format!("items[{at}]");
        let item = Object::at(item, &path)?;
        item.only(&["sku", "quantity"])?;
        // No quantity is as wrong as one of another type; the catalog names it.
        let quantity = item
            .get("quantity")
            .and_then(Value::as_u64)
            .unwrap_or_default();
        let quantity = u32::try_from(quantity).unwrap_or_default();
        wanted.push((item.text("sku")?.to_owned(), quantity));
    }
    let wanted = wanted
        .iter()
        .map(|(sku, quantity)| (sku.as_str(), *quantity));
    price(wanted, currency)
        .map_err(|refusal| Problem::new(ProblemKind::BadRequest, format!("{refusal}.")))
}

fn customer(root: Object<'_>) -> Result<Person, Problem> {
    let Some(value) = root.get("customer") else {
        return Ok(Person::default());
    };
    let person = Object::at(value, "customer")?;
    person.only(&["first_name", "last_name", "email", "phone", "location"])?;
    // What the parser says of a person is not repeated: it quotes values.
    let read = serde_json::from_value(value.clone());
    let person: Person = read.map_err(|_| wrong("customer", "a person whose parts are texts"))?;
    let told = serde_json::to_value(&person).unwrap_or_default();
    match too_long(&told, "customer") {
        Some(field) => {
            let expected = format!("a text of at most {LONGEST_TEXT} characters");
            Err(wrong(&field, &expected))
        }
        None => Ok(person),
    }
}

/// Where a text stands that is longer than any person's.
fn too_long(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::String(text) => (text.chars().count() > LONGEST_TEXT).then(|| path.to_owned()),
        Value::Object(fields) => fields
            .iter()
            .find_map(|(name, value)| too_long(value, &format!("{path}.{name}"))),
        _ => None,
    }
}

/// `GET /api/orders/{order_id}`: the order and its operations, for its session only.
pub(in crate::http) async fn show(
    State(app): State<App>,
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Json<Value>, Failure> {
    let Ok(Path(order_id)) = path else {
        return Err(Problem::not_found().into());
    };
    let order = own_order(&app, &headers, &order_id).await?;
    let operations = app.db.operations_of(&order_id).await?;
    Ok(Json(json!({
        "order_id": order.order_id,
        "state": order.state,
        "paid_twice": order.paid_twice,
        "amount": order.amount.to_string(),
        "currency": order.currency,
        "merchant_name": app.config.store_of(&order).map(|store| &store.merchant_name),
        "methods": offered(&app),
        "created_at": DateObject::from_unix_millis(order.created_at),
        "items": order.items,
        "operations": operations.iter().map(summary).collect::<Vec<_>>(),
    })))
}

/// An order, if it belongs to the session of the request.
pub(in crate::http) async fn own_order(
    app: &App,
    headers: &HeaderMap,
    order_id: &str,
) -> Result<Order, Failure> {
    let session = app.sessions.of(headers);
    let order = app.db.order(order_id).await?;
    match (session, order) {
        (Some(session), Some(order)) if session.hash == order.session_hash => Ok(order),
        _ => Err(Problem::not_found().into()),
    }
}

fn summary(record: &OperationRecord) -> Value {
    json!({
        "merchant_code": record.key.merchant_code,
        "merchant_operation_number": record.key.number,
        "transaction_id": record.transaction_id(),
        "method_name": record.method,
        "state": record.state(),
        "outcome": record.outcome(),
        "phase": record.phase.as_str(),
        "live": record.live,
        "mismatch": record.mismatch.is_some(),
        "created_at": DateObject::from_unix_millis(record.created_at),
    })
}
