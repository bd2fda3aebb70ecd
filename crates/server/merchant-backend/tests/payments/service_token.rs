use crate::support::database::{holds, is_server};
use crate::support::fault::Fault;
use crate::support::sales::waiting_qr;
use crate::support::stack::Stack;
use crate::support::wait::until;
use reqwest::Method;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_token_is_read_again() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    stack
        .control(
            Method::PUT,
            "/sandbox/settings",
            Some(json!({"token": "renewed"})),
        )
        .await;
    let refused = stack.payer().await.pay_by_qr("k").await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (503, "payment-service-unavailable")
    );
    // The state stays readable meanwhile.
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
    std::fs::write(stack.directory.path().join("token"), "renewed\n").unwrap();
    stack.payer().await.pay_by_qr("k").await.number();
    assert_eq!(payer.cancel(&number).await.state(), "CANCELADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_token_loses_no_attempt() {
    let stack = Stack::start().await;
    stack
        .control(
            Method::PUT,
            "/sandbox/settings",
            Some(json!({"token_expired": true})),
        )
        .await;
    let payer = stack.payer().await;
    assert_eq!(payer.pay_by_qr("k").await.status, 503);
    stack
        .control(
            Method::PUT,
            "/sandbox/settings",
            Some(json!({"token_expired": false})),
        )
        .await;
    payer.pay_by_qr("k").await.number();
    let numbers: Vec<_> = stack
        .seen("POST")
        .await
        .iter()
        .map(|p| p["merchant_operation_number"].clone())
        .collect();
    let mut once = numbers.clone();
    once.dedup();
    assert_eq!(numbers, once, "a number was sent twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_is_not_followed() {
    let stack = Stack::start().await;
    let elsewhere = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let location = format!("http://{}/charges", elsewhere.local_addr().unwrap());
    for status in [302, 307, 308] {
        stack
            .with_fault(
                Fault::status(status)
                    .on("POST", "/charges")
                    .location(&location)
                    .times(2),
            )
            .await;
        let answer = stack.payer().await.pay_by_qr("k").await;
        assert_eq!(answer.problem(), "payment-service-unavailable");
    }
    let visit = tokio::time::timeout(std::time::Duration::ZERO, elsewhere.accept());
    assert!(visit.await.is_err(), "the redirect was followed");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_access_token_that_the_service_echoes_is_not_passed_on() {
    let stack = Stack::start().await;
    stack
        .with_fault(
            Fault::replace(
                "/transaction/state_reason",
                format!("Bearer {}", crate::support::stack::TOKEN),
            )
            .on("POST", "/charges"),
        )
        .await;
    let payer = stack.payer().await;
    let answer = payer.pay_by_qr("k").await;
    assert!(
        !answer.text.contains(crate::support::stack::TOKEN),
        "{}",
        answer.text
    );
    until("stored", async || {
        let token = crate::support::stack::TOKEN;
        if is_server() {
            return !holds(&stack, token).await;
        }
        let stored = std::fs::read(stack.file()).unwrap();
        let wal = std::fs::read(stack.file().with_extension("db-wal")).unwrap_or_default();
        let found = [stored, wal]
            .concat()
            .windows(token.len())
            .any(|part| part == token.as_bytes());
        !found
    })
    .await;
}
