use super::customer::customer;
use super::store::named;
use crate::catalog::{price, total};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use merchant_backend::{
    Caller, Failure, JsonBody, NewOrder, Object, OrderItem, Orders, Problem, wrong,
};
use serde_json::{Value, json};

/// The number of the first order: nobody sees how young the shop is.
const FIRST_NUMBER: u32 = 1001;

/// `POST /api/orders`: prices the items and registers the order, for this session.
pub(super) async fn create(
    State(orders): State<Orders>,
    Caller(address): Caller,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    let root = Object::body(&body)?;
    root.only(&["store", "items", "customer"])?;
    let key = match root.get("store") {
        Some(_) => Some(root.text("store")?),
        None => None,
    };
    let store = named(orders.stores(), key)?;
    let items = items(root, &store.currency)?;
    let customer = customer(root)?;
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

fn items(root: Object<'_>, currency: &str) -> Result<Vec<OrderItem>, Problem> {
    let list = root.get("items").and_then(Value::as_array);
    let list = list.ok_or_else(|| wrong("items", "a list of {\"sku\", \"quantity\"}"))?;
    let mut wanted = Vec::with_capacity(list.len());
    for (at, item) in list.iter().enumerate() {
        let path = format!("items[{at}]");
        let item = Object::at(item, &path)?;
        item.only(&["sku", "quantity"])?;
        // A missing quantity is as wrong as one of another type; the catalog's error names it.
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
    price(wanted, currency).map_err(|refusal| Problem::bad_request(format!("{refusal}.")))
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
