//! Faults as the other side of a real connection sees them.

use crate::support::{Harness, TOKEN, authorize_body};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Everything that comes back on the wire until the connection ends.
async fn raw(address: SocketAddr, number: &str) -> String {
    let body = authorize_body(number, "QR").to_string();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /charges HTTP/1.1\r\nHost: sandbox\r\nConnection: close\r\nAuthorization: Bearer {TOKEN}\r\n\
         ALG-API-VERSION: 1709847567\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8(answer).unwrap()
}

/// The body of an answer and the length that its headers promise.
fn parts(answer: &str) -> (usize, &str) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    (length.unwrap().parse().unwrap(), body)
}

#[tokio::test]
async fn a_whole_answer_is_as_long_as_it_says() {
    let harness = Harness::new();
    let answer = raw(harness.listen().await, "1").await;
    let (length, body) = parts(&answer);
    assert_eq!(length, body.len());
}

#[tokio::test]
async fn a_dropped_connection_says_nothing() {
    let harness = Harness::new();
    let address = harness.listen().await;
    harness
        .faults(json!([{"kind": "drop"}, {"kind": "drop", "when": "after"}]))
        .await;
    assert_eq!(raw(address, "1").await, "");
    let unknown = harness.control("GET", "/operations/1", &Value::Null).await;
    assert_eq!(unknown.status, 404);
    assert_eq!(raw(address, "2").await, "");
    assert_eq!(harness.state("2").await, "PENDIENTE");
    assert!(raw(address, "3").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_cut_answer_promises_more_than_it_brings() {
    let harness = Harness::new();
    let address = harness.listen().await;
    for (number, bytes, expected) in [("1", 0, 0), ("2", 25, 25), ("3", 1_000_000, usize::MAX)] {
        harness
            .faults(json!([{"kind": "cut", "bytes": bytes}]))
            .await;
        let answer = raw(address, number).await;
        let (length, body) = parts(&answer);
        assert_eq!(body.len(), expected.min(length - 1));
        assert_eq!(harness.state(number).await, "PENDIENTE");
    }
}

#[tokio::test]
async fn a_request_whose_sender_hung_up_is_dealt_with_all_the_same() {
    let harness = Harness::new();
    let address = harness.listen().await;
    harness.faults(json!([{"kind": "delay", "ms": 50}])).await;
    let attempt = tokio::spawn(async move { raw(address, "1").await });
    // The fault is taken once the request has arrived.
    while harness
        .control("GET", "/faults", &Value::Null)
        .await
        .at("/left/0")
        != Value::Null
    {
        tokio::task::yield_now().await;
    }
    attempt.abort();
    let written = async {
        while harness.journal().await.is_empty() {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(10), written).await.unwrap();
    assert_eq!(harness.state("1").await, "PENDIENTE");
}

#[tokio::test]
async fn a_status_is_answered_before_or_after_the_work() {
    let harness = Harness::new();
    harness.faults(json!([
        {"kind": "status", "status": 503, "retry_after": 7, "times": 2},
        {"kind": "status", "status": 302, "location": "http://169.254.169.254/", "when": "after"},
    ]))
    .await;
    for _ in 0..2 {
        let reply = harness.authorize("1", "QR").await;
        assert_eq!(
            (reply.status.as_u16(), reply.header("retry-after")),
            (503, "7")
        );
        assert_ne!(reply.at("/meta/status/code"), "00");
    }
    assert_eq!(
        harness.cancel("9").await.location(),
        "http://169.254.169.254/"
    );
    assert_eq!(harness.authorize("1", "QR").await.status, 200);
}

#[tokio::test]
async fn a_malformed_answer_is_half_json_or_a_page() {
    let harness = Harness::new();
    harness
        .faults(json!([{"kind": "malformed"}, {"kind": "malformed", "html": true}]))
        .await;
    let half = harness.authorize("1", "QR").await;
    assert_eq!(half.status, 200);
    assert!(half.text.starts_with('{') && serde_json::from_str::<Value>(&half.text).is_err());
    let page = harness.authorize("2", "QR").await;
    assert_eq!(
        (page.status.as_u16(), page.header("content-type")),
        (200, "text/html")
    );
    assert_eq!(harness.state("1").await, "PENDIENTE");
    assert_eq!(harness.state("2").await, "PENDIENTE");
}

#[tokio::test]
async fn an_answer_can_lie_while_the_service_knows_better() {
    let harness = Harness::new();
    harness
        .faults(json!([{"kind": "unknown_state", "state": "NUEVO"},
        {"kind": "replace", "method": "DELETE", "pointer": "/operation/amount", "value": "1"}]))
        .await;
    assert_eq!(
        harness.authorize("1", "QR").await.at("/transaction/state"),
        "NUEVO"
    );
    assert_eq!(harness.state("1").await, "PENDIENTE");
    let reply = harness.cancel("1").await;
    assert_eq!(reply.at("/operation/amount"), "1");
    assert_eq!(reply.at("/operation/transactions/0/amount"), "12990");
}

#[tokio::test]
async fn a_fault_meets_only_its_own_requests_and_so_many_of_them() {
    let harness = Harness::new();
    let status = |method: &str, path: &str, status: u16| json!({"kind": "status", "method": method, "path": path, "status": status});
    harness
        .faults(json!([
            status("DELETE", "/charges/shop/1", 500),
            status("GET", "/charges/*/2/*", 502)
        ]))
        .await;
    assert_eq!(harness.authorize("1", "QR").await.status, 200);
    assert_eq!(harness.authorize("2", "QR").await.status, 200);
    assert_eq!(harness.query("1", "t").await.status, 404);
    assert_eq!(harness.query("2", "t").await.status, 502);
    assert_eq!(harness.query("2", "t").await.status, 404);
    assert_eq!(harness.cancel("1").await.status, 500);
    assert_eq!(harness.cancel("1").await.status, 200);
    // One begins when another happens.
    let mut first = status("DELETE", "/charges/shop/2", 500);
    first["then"] = json!([status("GET", "/charges", 502)]);
    harness.faults(json!([first])).await;
    assert_eq!(harness.query("2", "t").await.status, 404);
    assert_eq!(harness.cancel("2").await.status, 500);
    assert_eq!(harness.query("2", "t").await.status, 502);
    // Control and pages are never met.
    harness
        .faults(json!([{"kind": "status", "status": 500}]))
        .await;
    assert_eq!(harness.get("/phone").await.status, 200);
    assert_eq!(harness.get("/healthz").await.status, 200);
    harness.faults(json!([])).await;
    assert_eq!(harness.query("1", "t").await.status, 404);
}
