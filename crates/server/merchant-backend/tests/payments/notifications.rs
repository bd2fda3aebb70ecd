use crate::support::fault::Fault;
use crate::support::notification::{callback, lose_all, notify};
use crate::support::sales::waiting_qr;
use crate::support::stack::Stack;
use crate::support::wait::until;
use reqwest::Method;
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread")]
async fn a_forged_notification_is_asked_about_and_not_believed() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    let path = callback(&stack, &number).await;
    let forged = json!({"merchant_operation_number": number, "state": "AUTORIZADO"}).to_string();
    for body in [forged.as_str(), "not json", &"[".repeat(10_000), ""] {
        let answer = payer.send(Method::POST, &path, &[], body).await;
        assert_eq!((answer.status, answer.text.as_str()), (204, ""));
    }
    until("asked", async || !stack.seen("GET").await.is_empty()).await;
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
    assert_eq!(
        payer.send(Method::GET, &path, &[], "").await.problem(),
        "method-not-allowed"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_token_is_answered_alike_and_asks_nothing() {
    let stack =
        Stack::start_with(|config| config.timing.query_interval = Duration::from_secs(60)).await;
    let payer = stack.payer().await;
    for path in [
        "/notifications/x",
        "/notifications/%00",
        "/notifications/%ff",
    ] {
        let answer = payer.send(Method::POST, path, &[], "{}").await;
        assert_eq!((answer.status, answer.text.as_str()), (204, ""), "{path}");
    }
    assert!(stack.seen("GET").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_polls_and_notifications_makes_few_queries() {
    let stack =
        Stack::start_with(|config| config.timing.query_interval = Duration::from_millis(500)).await;
    let (payer, number) = waiting_qr(&stack).await;
    let path = callback(&stack, &number).await;
    let start = Instant::now();
    let tasks = (0..8).map(|_| {
        let (payer, path, number) = (payer.clone(), path.clone(), number.clone());
        tokio::spawn(async move {
            for _ in 0..40 {
                payer.send(Method::POST, &path, &[], "{}").await;
                payer.status(&number).await.state();
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    payer.cancel(&number).await.state();
    let queries = stack.seen("GET").await.len();
    let most = 2 + start.elapsed().as_millis() / 500;
    assert!(
        queries >= 1 && queries as u128 <= most,
        "{queries} queries, at most {most}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_any_notification_the_reconciler_finds_the_payment() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    stack.with_fault(Fault::lose_notification().always()).await;
    stack.drive(&number, "pay").await;
    // The server only reads the order in the store and asks for no status.
    payer.until_paid().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_notification_nothing_that_was_stored_before_is_shown() {
    let stack =
        Stack::start_with(|config| config.timing.query_interval = Duration::from_secs(2)).await;
    let (payer, number) = waiting_qr(&stack).await;
    lose_all(&stack, &[]).await;
    stack.drive(&number, "expire").await;
    // The answer that said so came a moment ago.
    until("expired", async || {
        payer.status(&number).await.state() == "EXPIRADO"
    })
    .await;
    stack.pay_late(&number).await;
    notify(&stack, &payer, &number).await;
    assert_eq!(payer.status(&number).await.state(), "AUTORIZADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_began_before_a_notification_does_not_answer_a_payer() {
    let stack =
        Stack::start_with(|config| config.timing.query_interval = Duration::from_millis(1)).await;
    let (payer, number) = waiting_qr(&stack).await;
    let slow = Fault::delay(2_000).on("GET", "/charges").after();
    lose_all(&stack, &[slow]).await;
    let asked = stack.seen("GET").await.len();
    let began_before = tokio::spawn({
        let (payer, number) = (payer.clone(), number.clone());
        async move { payer.status(&number).await.state() }
    });
    until("a query on its way", async || {
        stack.seen("GET").await.len() > asked
    })
    .await;
    stack.drive(&number, "pay").await;
    notify(&stack, &payer, &number).await;
    assert_eq!(payer.status(&number).await.state(), "AUTORIZADO");
    assert_eq!(began_before.await.unwrap(), "AUTORIZADO");
}
