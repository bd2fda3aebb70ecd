//! Notifications as a merchant's server receives them.

use crate::support::{Harness, authorize_body};
use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

/// A merchant's server that gives these statuses, and then 204.
struct Merchant {
    callback_url: String,
    received: UnboundedReceiver<Value>,
}

impl Merchant {
    async fn answering(statuses: &[u16]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let callback_url = format!(
            "http://{}/notifications/abc",
            listener.local_addr().unwrap()
        );
        let (sender, received) = unbounded_channel();
        let statuses = Arc::new(Mutex::new(statuses.to_vec()));
        let receive = async move |headers: HeaderMap, body: String| {
            assert_eq!(headers["content-type"], "application/json");
            sender.send(serde_json::from_str(&body).unwrap()).unwrap();
            let mut statuses = statuses.lock().unwrap();
            let status = if statuses.is_empty() {
                204
            } else {
                statuses.remove(0)
            };
            let elsewhere = [("location", "/elsewhere")];
            (StatusCode::from_u16(status).unwrap(), elsewhere)
        };
        let app = Router::new().route("/notifications/abc", post(receive));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self {
            callback_url,
            received,
        }
    }

    /// The state in the next notification.
    async fn next(&mut self) -> String {
        let body = timeout(Duration::from_secs(10), self.received.recv()).await;
        let body = body.expect("a notification comes").unwrap();
        assert_eq!(body["merchant_operation_number"], "1");
        assert_eq!(body["merchant_code"], "shop");
        body["state"].as_str().unwrap().to_owned()
    }
}

async fn authorized(merchant: &Merchant) -> Harness {
    let harness = Harness::new();
    tokio::spawn(harness.sandbox.clone().run());
    let mut body = authorize_body("1", "QR");
    body["payment_method"]["method_details"]["callback_url"] = json!(merchant.callback_url);
    assert_eq!(harness.service("POST", "/charges", &body).await.status, 200);
    harness
}

#[tokio::test]
async fn the_merchant_is_told_of_every_change_after_the_creation() {
    let mut merchant = Merchant::answering(&[]).await;
    let harness = authorized(&merchant).await;
    for (step, expected) in [
        ("pay", "AUTORIZADO"),
        ("settle", "LIQUIDADO"),
        ("reverse", "EXTORNADO"),
    ] {
        harness.drive("1", step).await;
        assert_eq!(merchant.next().await, expected);
    }
}

#[tokio::test]
async fn an_answer_repeats_the_address_for_notifications() {
    let merchant = Merchant::answering(&[]).await;
    let harness = Harness::new();
    let mut body = authorize_body("1", "INSTALLMENT");
    body["payment_method"]["method_details"]["callback_url"] = json!(merchant.callback_url);
    let reply = harness.service("POST", "/charges", &body).await;
    let echo = "/payment_method/method_details/callback_url";
    assert_eq!(
        reply.at(&format!("/transaction{echo}")),
        merchant.callback_url
    );
    let id = reply.at("/transaction/transaction_id");
    let reply = harness.query("1", id.as_str().unwrap()).await;
    let echo = format!("/operation/transactions/0{echo}");
    assert_eq!(reply.at(&echo), merchant.callback_url);
}

#[tokio::test]
async fn the_merchant_is_told_of_its_own_cancellation() {
    let mut merchant = Merchant::answering(&[]).await;
    let harness = authorized(&merchant).await;
    harness.cancel("1").await;
    assert_eq!(merchant.next().await, "CANCELADO");
}

#[tokio::test]
async fn the_merchant_is_told_when_only_time_passed() {
    let mut merchant = Merchant::answering(&[]).await;
    let harness = authorized(&merchant).await;
    harness.move_clock(900).await;
    assert_eq!(merchant.next().await, "EXPIRADO");
}

#[tokio::test]
async fn a_refused_notification_comes_again_and_follows_no_redirect() {
    let mut merchant = Merchant::answering(&[500, 307]).await;
    let harness = authorized(&merchant).await;
    harness.drive("1", "pay").await;
    for _ in 0..3 {
        assert_eq!(merchant.next().await, "AUTORIZADO");
    }
    harness.drive("1", "settle").await;
    assert_eq!(merchant.next().await, "LIQUIDADO");
    let journal = harness.journal().await;
    let sent = journal.iter().filter(|entry| entry["sent"] == true);
    let answers: Vec<&Value> = sent.map(|entry| &entry["status"]).take(3).collect();
    assert_eq!(answers, [500, 307, 204]);
}

#[tokio::test]
async fn a_lost_notification_never_comes() {
    let mut merchant = Merchant::answering(&[]).await;
    let harness = authorized(&merchant).await;
    // The second one is held back: were the first not lost, it would come before.
    let hold = json!({"kind": "delay", "ms": 200, "path": "/notifications"});
    harness
        .faults(json!([{"kind": "lose_notification"}, hold]))
        .await;
    harness.drive("1", "pay").await;
    harness.drive("1", "settle").await;
    assert_eq!(merchant.next().await, "LIQUIDADO");
    assert!(merchant.received.try_recv().is_err());
}

#[tokio::test]
async fn a_duplicated_notification_comes_twice() {
    let mut merchant = Merchant::answering(&[]).await;
    let harness = authorized(&merchant).await;
    let fault = json!([{"kind": "duplicate_notification", "path": "/notifications"}]);
    harness.faults(fault).await;
    harness.drive("1", "pay").await;
    assert_eq!(merchant.next().await, "AUTORIZADO");
    assert_eq!(merchant.next().await, "AUTORIZADO");
    harness.drive("1", "settle").await;
    assert_eq!(merchant.next().await, "LIQUIDADO");
}

#[tokio::test]
async fn a_delayed_notification_is_overtaken() {
    let mut merchant = Merchant::answering(&[]).await;
    let harness = authorized(&merchant).await;
    harness
        .faults(json!([{"kind": "delay", "ms": 300, "path": "/notifications"}]))
        .await;
    harness.drive("1", "pay").await;
    harness.drive("1", "settle").await;
    assert_eq!(merchant.next().await, "LIQUIDADO");
    assert_eq!(merchant.next().await, "AUTORIZADO");
}

#[tokio::test]
async fn a_delay_without_a_path_is_left_to_a_request() {
    let mut merchant = Merchant::answering(&[]).await;
    let harness = authorized(&merchant).await;
    harness.faults(json!([{"kind": "delay", "ms": 1}])).await;
    harness.drive("1", "pay").await;
    assert_eq!(merchant.next().await, "AUTORIZADO");
    let left = harness.control("GET", "/faults", &Value::Null).await;
    assert_eq!(left.at("/left/0/0"), "delay");
}
