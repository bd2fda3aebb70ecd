//! Brings about each status and problem that the file lists for the element's addresses: a listed
//! answer that never comes would be an empty promise.

use super::document::DOCUMENT;
use super::file::problems;
use super::slow;
use crate::support::database::tamper;
use crate::support::fault::Fault;
use crate::support::order_token::{claims, seconds, sign};
use crate::support::payer::{Answer, installment, qr};
use crate::support::sales::waiting_qr;
use crate::support::shop_program::ShopProgram;
use crate::support::stack::{MERCHANT, Stack};
use crate::support::wait::until_some;
use axum::Router;
use axum::extract::Path;
use axum::routing::get;
use reqwest::Method;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;

const ORDER_KEY: &str = "canary-key-of-A-2";
const BACK: &str = "https://shop.example/back";

/// Statuses, each with its problem, if there was one.
#[derive(Default)]
struct Met(BTreeSet<(u16, String)>);

impl Met {
    /// Notes an answer, which has to be this one.
    fn note(&mut self, answer: &Answer, status: u16, problem: &str) {
        let came = if answer.status < 400 {
            String::new()
        } else {
            answer.problem()
        };
        let came = (answer.status, came);
        assert_eq!(came, (status, problem.to_owned()), "{}", answer.text);
        self.0.insert(came);
    }

    /// Checks that every listed answer of an operation was met.
    fn is_all_of(&self, operation: &str) {
        let operations = DOCUMENT.operations();
        let responses = operations[operation]["responses"].as_object().unwrap();
        let listed = responses.iter().flat_map(|(status, response)| {
            let status: u16 = status.parse().unwrap();
            let mut words = problems(response);
            if words.is_empty() {
                words.push(String::new());
            }
            words.into_iter().map(move |word| (status, word))
        });
        assert_eq!(self.0, listed.collect(), "{operation}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_listed_for_an_authorization_is_answered() {
    let stack = Stack::start_with(|config| {
        config.timing.body_timeout = Duration::from_millis(300);
        config.timing.key_wait = Duration::from_millis(50);
        config.payment_timeout = Duration::from_secs(2);
    })
    .await;
    let mut met = Met::default();
    let payer = stack.payer().await;
    let body = qr(&payer.order_id).to_string();
    let send = async |headers: &[(&str, &str)], body: &str| {
        payer.send(Method::POST, "/charges", headers, body).await
    };
    let key = ("idempotency-key", "\"k\"");
    met.note(&send(&[key], "{}").await, 400, "bad-request");
    let odd = r#"{"amount": "1"}"#;
    met.note(&send(&[key], odd).await, 400, "field-not-allowed");
    let elsewhere = installment(&payer.order_id, "https://evil.example/");
    let answer = payer.authorize("k", &elsewhere).await;
    met.note(&answer, 400, "redirect-url-not-allowed");
    met.note(&send(&[], &body).await, 400, "idempotency-key-required");
    let cross = [key, ("sec-fetch-site", "cross-site")];
    met.note(&send(&cross, &body).await, 403, "cross-site-request");
    met.note(&payer.authorize("k", &qr("x")).await, 404, "not-found");
    let mut nowhere = json!({"pay_link": "nowhere"});
    met.note(&payer.live_of(&nowhere).await, 404, "not-found");
    nowhere["payment_method"] = json!({"method_name": "QR"});
    met.note(&payer.authorize("k", &nowhere).await, 404, "not-found");
    met.note(&slow(&payer, "/charges", &[]).await, 408, "body-timeout");
    met.note(
        &send(&[key], &" ".repeat(70_000)).await,
        413,
        "body-too-large",
    );
    let text = [key, ("content-type", "text/plain")];
    met.note(&send(&text, &body).await, 415, "unsupported-media-type");
    let card = body.replace("QR", "CARD");
    met.note(&send(&[key], &card).await, 422, "method-not-offered");
    stack.with_fault(Fault::qr("amount")).await;
    let other = stack.payer().await.pay_by_qr("k").await;
    met.note(&other, 422, "code-refused");

    stack
        .with_fault(Fault::status(400).on("POST", "/charges").always())
        .await;
    let answer = payer.pay_by_qr("refused").await;
    met.note(&answer, 422, "authorization-refused");
    stack
        .with_fault(Fault::drop().on("POST", "/charges").always())
        .await;
    let answer = payer.pay_by_qr("k").await;
    met.note(&answer, 503, "payment-service-unavailable");

    let mut payer = stack.payer().await;
    stack
        .with_fault(Fault::delay(1000).on("POST", "/charges").always())
        .await;
    let slow = tokio::spawn({
        let payer = payer.clone();
        async move { payer.pay_by_qr("k").await }
    });
    until_some("sending", async || {
        let operations = payer.shown().await["operations"].clone();
        let mut phases = operations.as_array().unwrap().iter();
        phases.find(|one| one["phase"] == "sending").map(|_| ())
    })
    .await;
    met.note(&payer.pay_by_qr("k").await, 409, "request-running");
    let answer = slow.await.unwrap();
    met.note(&answer, 200, "");
    let number = answer.number();

    let other = installment(&payer.order_id, BACK);
    let answer = payer.authorize("k", &other).await;
    met.note(&answer, 422, "idempotency-key-reused");
    let answer = payer.authorize("other", &other).await;
    met.note(&answer, 409, "operation-live");
    stack
        .with_fault(Fault::unknown_state("NUEVO").on("GET", "/charges").always())
        .await;
    let answer = payer.replace("other", &number, &other).await;
    met.note(&answer, 409, "operation-unconfirmed");
    stack.without_faults().await;
    stack.drive(&number, "pay").await;
    let answer = payer.replace("other", &number, &other).await;
    met.note(&answer, 409, "order-paid");

    payer.order_again().await;
    let number = payer.pay_by_qr("first").await.number();
    let paid = json!([{"state": "AUTORIZADO", "date": {}}, {"state": "CANCELADO", "date": {}}]);
    stack
        .with_fault(
            Fault::replace("/operation/transactions/0/lifecycle", paid)
                .on("DELETE", "/charges")
                .always(),
        )
        .await;
    let other = installment(&payer.order_id, BACK);
    let answer = payer.replace("late", &number, &other).await;
    met.note(&answer, 409, "payment-reversed");
    stack.without_faults().await;

    payer.order_again().await;
    for attempt in 0..20 {
        let invalid = json!({"invalidate_next": 1});
        stack
            .control(Method::PUT, "/sandbox/settings", Some(invalid))
            .await;
        payer.pay_by_qr(&format!("{attempt}")).await.number();
    }
    met.note(&payer.pay_by_qr("20").await, 422, "too-many-operations");

    payer.order_again().await;
    ShopProgram::of(&stack).await.cancel(&payer.order_id).await;
    met.note(&payer.pay_by_qr("closed").await, 422, "order-closed");

    payer.order_again().await;
    // As after a restore from a backup that is newer than the order.
    let fence = "INSERT INTO fence (one, at) SELECT 1, max(created_at) + 1 FROM orders";
    tamper(&stack, fence).await;
    let answer = payer.pay_by_qr("restored").await;
    met.note(&answer, 409, "order-may-be-paid");

    payer.order_again().await;
    tamper(&stack, "ALTER TABLE orders RENAME TO gone").await;
    met.note(&payer.pay_by_qr("k").await, 500, "internal");
    let stack = Stack::start_with(|config| config.timing.authorizes_per_minute = 1).await;
    let payer = stack.payer().await;
    payer.pay_by_qr("k").await.number();
    met.note(&payer.pay_by_qr("k2").await, 429, "too-many-requests");
    stack.backend().stop().await;
    met.note(&payer.pay_by_qr("k2").await, 503, "not-ready");
    orders_of_shops(&mut met).await;
    met.is_all_of("authorize");
}

/// The answers about orders that no program registered.
async fn orders_of_shops(met: &mut Met) {
    let mut stack = Stack::start_for_shop(None).await;
    let payer = stack.payer().await;
    let shows = async |stack: &Stack, key: &str, amount: u64, age: i64| {
        let mut order = claims(&stack.base(), "A-1", amount);
        order["iat"] = json!(seconds() - age);
        let body = json!({"order": sign(&order), "payment_method": {"method_name": "QR"}});
        payer.authorize(key, &body).await
    };
    shows(&stack, "k", 500, 9).await.number();
    met.note(&shows(&stack, "k2", 600, 0).await, 422, "order-changed");
    let refused = shows(&stack, "k3", 500, 90_000).await;
    met.note(&refused, 403, "order-token-refused");
    let asks = async || {
        let body =
            json!({"order_id": "A-2", "order_key": "k", "payment_method": {"method_name": "QR"}});
        payer.authorize("k", &body).await
    };
    // Nobody listens at the first address, and the other one has a page for people.
    stack.orders_url = Some("http://127.0.0.1:1/{order_id}".to_owned());
    stack.restart().await;
    met.note(&asks().await, 503, "shop-unavailable");
    stack.orders_url = Some(format!("{}/phone?order={{order_id}}", stack.sandbox));
    stack.restart().await;
    met.note(&asks().await, 502, "shop-answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_listed_for_a_status_is_answered() {
    let stack = Stack::start_with(|config| {
        config.timing.polls_per_session = 0;
    })
    .await;
    let mut met = Met::default();
    let (payer, number) = waiting_qr(&stack).await;
    let answer = payer.status(&number).await;
    met.note(&answer, 200, "");
    let known = [("if-none-match", answer.header("etag"))];
    let unchanged = payer.status_of(&number, "-", &known).await;
    met.note(&unchanged, 304, "");
    met.note(&payer.status("x").await, 404, "not-found");
    let held = payer.status_of(&number, "-", &[("prefer", "wait=5")]).await;
    met.note(&held, 429, "too-many-requests");
    tamper(&stack, "ALTER TABLE orders RENAME TO gone").await;
    met.note(&payer.status(&number).await, 500, "internal");
    stack.backend().stop().await;
    met.note(&payer.status(&number).await, 503, "not-ready");
    met.is_all_of("status");
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_listed_for_a_live_operation_is_answered() {
    let mut met = Met::default();
    let stack =
        Stack::start_with(|config| config.timing.body_timeout = Duration::from_millis(300)).await;
    let payer = stack.payer().await;
    met.note(&payer.live().await, 204, "");
    payer.pay_by_qr("k").await.number();
    met.note(&payer.live().await, 200, "");
    met.note(&payer.live_of(&json!({})).await, 400, "bad-request");
    let odd = json!({"order_id": payer.order_id, "amount": "1"});
    met.note(&payer.live_of(&odd).await, 400, "field-not-allowed");
    let unknown = json!({"order_id": "x"});
    met.note(&payer.live_of(&unknown).await, 404, "not-found");
    let send = async |headers: &[(&str, &str)], body: &str| {
        payer
            .send(Method::POST, "/charges/live", headers, body)
            .await
    };
    let body = json!({"order_id": payer.order_id}).to_string();
    let cross = [("sec-fetch-site", "cross-site")];
    met.note(&send(&cross, &body).await, 403, "cross-site-request");
    met.note(
        &slow(&payer, "/charges/live", &[]).await,
        408,
        "body-timeout",
    );
    let large = " ".repeat(70_000);
    met.note(&send(&[], &large).await, 413, "body-too-large");
    let text = [("content-type", "text/plain")];
    met.note(&send(&text, &body).await, 415, "unsupported-media-type");
    tamper(&stack, "ALTER TABLE orders RENAME TO gone").await;
    met.note(&payer.live().await, 500, "internal");
    stack.backend().stop().await;
    met.note(&payer.live().await, 503, "not-ready");
    live_orders_of_shops(&mut met).await;
    met.is_all_of("live");
}

/// The answers about a live operation of orders that no program registered.
async fn live_orders_of_shops(met: &mut Met) {
    let mut stack = Stack::start_for_shop(None).await;
    let payer = stack.payer().await;
    let signed = |stack: &Stack, amount: u64, age: i64| {
        let mut order = claims(&stack.base(), "A-1", amount);
        order["iat"] = json!(seconds() - age);
        json!({"order": sign(&order)})
    };
    let mut first = signed(&stack, 500, 9);
    first["payment_method"] = json!({"method_name": "QR"});
    payer.authorize("k", &first).await.number();
    // The operation froze the first price; a stranger with the other one was never let in.
    let stranger = stack.browser();
    let changed = stranger.live_of(&signed(&stack, 600, 0)).await;
    met.note(&changed, 422, "order-changed");
    let refused = stranger.live_of(&signed(&stack, 500, 90_000)).await;
    met.note(&refused, 403, "order-token-refused");
    // One browser has the payment already, and forty-nine more may.
    for _ in 0..49 {
        let found = stranger.live_of(&signed(&stack, 500, 9)).await;
        assert_eq!(found.status, 200, "{}", found.text);
    }
    let further = stranger.live_of(&signed(&stack, 500, 9)).await;
    met.note(&further, 429, "too-many-requests");
    let asks = json!({"order_id": "A-2", "order_key": ORDER_KEY});
    stack.orders_url = Some("http://127.0.0.1:1/{order_id}".to_owned());
    stack.restart().await;
    met.note(&stranger.live_of(&asks).await, 503, "shop-unavailable");
    stack.orders_url = Some(format!("{}/phone?order={{order_id}}", stack.sandbox));
    stack.restart().await;
    met.note(&stranger.live_of(&asks).await, 502, "shop-answer");
    // The shop tells another price each time, and a clock that was set back hides which is newer.
    stack.orders_url = Some(shop_of_many_prices().await);
    stack.restart().await;
    let mut pays = asks.clone();
    pays["payment_method"] = json!({"method_name": "QR"});
    payer.authorize("k", &pays).await.number();
    tamper(
        &stack,
        "UPDATE orders SET described_at = described_at + 30000",
    )
    .await;
    met.note(&stranger.live_of(&asks).await, 409, "request-running");
}

async fn shop_of_many_prices() -> String {
    let price = Arc::new(AtomicU64::new(500));
    let tell = async move |Path(order_id): Path<String>| {
        let amount = price.fetch_add(1, Ordering::Relaxed);
        let order = json!({"order_id": order_id, "order_key": ORDER_KEY,
            "amount": amount, "currency": "PEN"});
        order.to_string()
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/{{order_id}}", listener.local_addr().unwrap());
    let router = Router::new().route("/{order_id}", get(tell));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_listed_for_a_cancellation_is_answered() {
    let stack = Stack::start().await;
    let mut met = Met::default();
    let mut payer = stack.payer().await;
    let number = payer.pay_by_qr("k").await.number();
    met.note(&payer.cancel("x").await, 404, "not-found");
    let path = format!("/charges/{MERCHANT}/{number}");
    let cross = [("sec-fetch-site", "cross-site")];
    let answer = payer.send(Method::DELETE, &path, &cross, "").await;
    met.note(&answer, 403, "cross-site-request");
    stack
        .with_fault(Fault::drop().on("DELETE", "/charges").always())
        .await;
    met.note(&payer.cancel(&number).await, 504, "cancel-unconfirmed");
    stack
        .with_fault(Fault::status(409).on("DELETE", "/charges").always())
        .await;
    met.note(&payer.cancel(&number).await, 409, "cannot-cancel-now");
    stack
        .with_fault(Fault::drop().on("GET", "/charges").always())
        .await;
    let answer = payer.cancel(&number).await;
    met.note(&answer, 503, "payment-service-unavailable");
    stack.without_faults().await;
    met.note(&payer.cancel(&number).await, 200, "");

    payer.order_again().await;
    let number = payer.pay_by_qr("2").await.number();
    stack.drive(&number, "pay").await;
    met.note(&payer.cancel(&number).await, 409, "order-paid");
    tamper(&stack, "ALTER TABLE orders RENAME TO gone").await;
    met.note(&payer.cancel(&number).await, 500, "internal");
    stack.backend().stop().await;
    met.note(&payer.cancel(&number).await, 503, "not-ready");
    met.is_all_of("cancel");
}
