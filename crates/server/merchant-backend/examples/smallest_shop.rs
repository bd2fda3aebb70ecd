//! The smallest program of a merchant: the reference server, and one address that makes an order.
//!
//! The server brings everything else: the addresses of payers and of staff, the database, the
//! background work, the settings and the commands. A merchant edits nothing in it.
//!
//! ```sh
//! cargo run -p payment-sandbox -- --token secret &
//! PAYMENT_URL=http://127.0.0.1:8082 PAYMENT_TOKEN=secret MERCHANT_CODE=shop-1 DATABASE=/tmp/shop.db \
//!     COOKIE_KEY=0123456789abcdef0123456789abcdef PUBLIC_URL=http://127.0.0.1:8081/api \
//!     cargo run -p merchant-backend --example smallest_shop
//! ```
//!
//! `tests/payments/merchant_routes.rs` orders, and pays, by this very code.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use merchant_backend::{Caller, Failure, NewOrder, OrderItem, Orders, Settings, run};
use payment_model::Person;
use serde_json::json;
use std::process::ExitCode;

fn main() -> ExitCode {
    // From flags or from the environment; `--help` lists them all.
    let settings = Settings::from_command_line("smallest-shop");
    run(&settings, routes)
}

/// The shop's own addresses, which the server mounts under `/api`, with its limits, its defense
/// against other sites and its log around them.
pub(crate) fn routes(orders: &Orders) -> Result<Router, String> {
    let orders = orders.clone();
    Ok(Router::new().route("/orders", post(order).with_state(orders)))
}

/// `POST /api/orders`: one coffee.
///
/// The shop sets the amount. A browser could ask for any amount, so nothing of it is believed.
async fn order(
    State(orders): State<Orders>,
    Caller(address): Caller,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    // Counts the order against the limits, and finds the payer's session or starts one.
    let payer = orders.payer(&headers, address)?;
    let Some(store) = orders.stores().all().next() else {
        return Ok(StatusCode::SERVICE_UNAVAILABLE.into_response());
    };
    let order = NewOrder {
        label: None,
        // A shop whose orders have ids of their own takes such an id instead.
        order_id: orders.new_id()?,
        merchant_code: store.merchant_code.clone(),
        currency: store.currency.clone(),
        amount: 1_850,
        items: vec![OrderItem {
            sku: "coffee".to_owned(),
            name: "Coffee, 250 g".to_owned(),
            quantity: 1,
            unit_price: 1_850,
        }],
        customer: Person::default(),
        methods: None,
        pay_until: None,
    };
    let answer = json!({"order_id": order.order_id});
    // From here on the payer of this session, and nobody else, can pay the order.
    orders.register(&payer, order).await?;
    let mut response = (StatusCode::CREATED, Json(answer)).into_response();
    payer.set_cookie(response.headers_mut());
    Ok(response)
}
