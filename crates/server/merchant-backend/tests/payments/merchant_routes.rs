//! A program of a merchant's own around the server.

/// Compiled from the example itself, so that it keeps its promise.
#[path = "../../examples/smallest_shop.rs"]
#[expect(
    dead_code,
    reason = "`main` of the example is not called: the test has a server of its own"
)]
mod smallest_shop;

use crate::support::payer::{Payer, qr};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::wait::{until, until_some};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use merchant_backend::{
    Caller, Failure, NewOrder, OrderItem, OrderState, Orders, RegisterError, app_with,
};
use payment_model::Person;
use reqwest::Method;
use serde_json::Value;
use std::net::SocketAddr;

/// Registers an order under the shop's own number.
async fn take(
    State(orders): State<Orders>,
    Caller(client): Caller,
    Path(number): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let payer = orders.payer(&headers, client)?;
    let order = NewOrder {
        order_id: number,
        label: None,
        merchant_code: MERCHANT.to_owned(),
        currency: "PEN".to_owned(),
        amount: 12_345,
        items: vec![OrderItem {
            sku: "seat".to_owned(),
            name: "A seat".to_owned(),
            quantity: 1,
            unit_price: 12_345,
        }],
        customer: Person::default(),
        methods: None,
        pay_until: None,
    };
    match orders.register(&payer, order).await {
        Err(RegisterError::Taken) => return Ok(StatusCode::CONFLICT.into_response()),
        done => done?,
    }
    let mut response = StatusCode::CREATED.into_response();
    payer.set_cookie(response.headers_mut());
    Ok(response)
}

/// The server of a stack with these routes, on a socket of its own.
async fn served(stack: &Stack, further_routes: Router) -> String {
    let router = app_with(stack.backend(), further_routes);
    let router = router.into_make_service_with_connect_info::<SocketAddr>();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/api")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_the_host_registered_is_paid_under_the_hosts_number() {
    let stack = Stack::start().await;
    let orders = stack.backend().orders();
    let routes = Router::new().route("/seats/{number}", post(take));
    let base = served(&stack, routes.with_state(orders.clone())).await;
    let seat = format!("{base}/seats/A-17");
    let taken = stack.client.post(&seat).send().await.unwrap();
    assert_eq!(taken.status(), 201);
    let cookie = taken.headers()[SET_COOKIE].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let again = stack.client.post(&seat).header("cookie", &cookie).send();
    assert_eq!(again.await.unwrap().status(), 409);
    // A page of another site cannot order here either.
    let elsewhere = stack.client.post(format!("{base}/seats/A-18"));
    let elsewhere = elsewhere.header("sec-fetch-site", "cross-site").send();
    assert_eq!(elsewhere.await.unwrap().status(), 403);

    let payer = Payer {
        client: stack.client.clone(),
        base,
        cookie: cookie.clone(),
        order_id: "A-17".to_owned(),
    };
    let answer = payer.authorize("k", &qr("A-17")).await;
    assert_eq!(answer.json()["transaction"]["amount"], "12345");
    stack.drive(&answer.number(), "pay").await;
    let own = HeaderMap::from_iter([(axum::http::header::COOKIE, cookie.parse().unwrap())]);
    let paid = until_some("paid", async || {
        let order = orders.of_session(&own, "A-17").await.unwrap();
        (order.state == OrderState::Paid).then_some(order)
    })
    .await;
    assert_eq!(paid.operations.len(), 1);
    assert_eq!(paid.items[0].sku, "seat");
    let foreign = orders.of_session(&HeaderMap::new(), "A-17").await;
    assert!(matches!(foreign, Err(Failure::Problem(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_of_the_smallest_shop_is_paid() {
    let stack = Stack::start().await;
    let routes = smallest_shop::routes(&stack.backend().orders()).unwrap();
    let base = served(&stack, routes).await;
    let ordered = stack.client.post(format!("{base}/orders")).send();
    let ordered = ordered.await.unwrap();
    assert_eq!(ordered.status(), 201);
    let cookie = ordered.headers()[SET_COOKIE].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let order: Value = serde_json::from_str(&ordered.text().await.unwrap()).unwrap();
    let payer = Payer {
        client: stack.client.clone(),
        base,
        cookie,
        order_id: order["order_id"].as_str().unwrap().to_owned(),
    };
    let number = payer.pay_by_qr("k").await.number();
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
    stack.drive(&number, "pay").await;
    until("paid", async || {
        let state = payer.status(&number).await.state();
        state == "AUTORIZADO"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_itself_makes_no_orders_and_has_no_catalog() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let base = served(&stack, Router::new()).await;
    for (method, path) in [
        (Method::POST, "/orders".to_owned()),
        (Method::GET, format!("/orders/{}", payer.order_id)),
        (Method::GET, "/catalog".to_owned()),
    ] {
        let request = stack.client.request(method, format!("{base}{path}"));
        let answer = request.header("cookie", &payer.cookie).send().await;
        assert_eq!(answer.unwrap().status(), 404, "{path}");
    }
    // An order that another program registered in the database can be paid here as well.
    let payer = Payer { base, ..payer };
    payer.pay_by_qr("k").await.number();
}
