use crate::support::fault::Fault;
use crate::support::sales::waiting_qr;
use crate::support::stack::Stack;
use crate::support::wait::until;
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_operation_is_cancelled() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    let answer = payer.cancel(&number).await;
    assert_eq!(answer.state(), "CANCELADO");
    assert_eq!(answer.json()["operation"]["state"], "CANCELADO");
    assert_eq!(stack.state_of(&number).await, "CANCELADO");
    assert_eq!(payer.status(&number).await.state(), "CANCELADO");
    // A repetition gets the same answer, and nothing is sent.
    assert_eq!(payer.cancel(&number).await.state(), "CANCELADO");
    assert_eq!(stack.seen("DELETE").await.len(), 1);
    assert_ne!(payer.pay_by_qr("again").await.number(), number);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paid_operation_is_never_reversed_by_its_payer() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    // The server does not know of the payment yet.
    stack.with_fault(Fault::lose_notification().times(9)).await;
    stack.drive(&number, "pay").await;
    let answer = payer.cancel(&number).await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (409, "order-paid")
    );
    assert_eq!(answer.json()["merchant_operation_number"], json!(number));
    assert!(stack.seen("DELETE").await.is_empty());
    assert_eq!(payer.shown().await["state"], "paid");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_between_the_query_and_the_cancellation_ends_reversed() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    stack
        .with_faults([
            Fault::delay(700).on("DELETE", "/charges"),
            Fault::lose_notification().times(9),
        ])
        .await;
    let cancelling = tokio::spawn({
        let (payer, number) = (payer.clone(), number.clone());
        async move { payer.cancel(&number).await }
    });
    until("asked first", async || {
        let asked = stack.seen("GET").await;
        !asked.is_empty()
    })
    .await;
    stack.drive(&number, "pay").await;
    let answer = cancelling.await.unwrap();
    assert_eq!(answer.state(), "CANCELADO");
    assert!(answer.text.contains("AUTORIZADO"), "{}", answer.text);
    let order = payer.shown().await;
    assert_eq!(
        (&order["state"], &order["operations"][0]["outcome"]),
        (&json!("open"), &json!("reversed"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_cancellation_is_queried_before_the_answer() {
    for fault in [
        Fault::drop().after(),
        Fault::delay(2000).after(),
        Fault::malformed(),
    ] {
        let stack =
            Stack::start_with(|config| config.payment_timeout = Duration::from_millis(500)).await;
        let (payer, number) = waiting_qr(&stack).await;
        stack
            .with_fault(fault.clone().on("DELETE", "/charges"))
            .await;
        assert_eq!(payer.cancel(&number).await.state(), "CANCELADO", "{fault}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unconfirmed_cancellation_says_so() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    stack
        .with_fault(Fault::drop().on("DELETE", "/charges"))
        .await;
    let answer = payer.cancel(&number).await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (504, "cancel-unconfirmed")
    );
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
    // The service refuses, so the operation can still be paid.
    stack
        .with_fault(Fault::status(409).on("DELETE", "/charges"))
        .await;
    let answer = payer.cancel(&number).await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (409, "cannot-cancel-now")
    );
    // The service does not answer: the server cancels nothing without a known state.
    let before = stack.seen("DELETE").await.len();
    stack
        .with_fault(Fault::drop().on("*", "/charges").always())
        .await;
    let answer = payer.cancel(&number).await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (503, "payment-service-unavailable")
    );
    assert_eq!(stack.seen("DELETE").await.len(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_state_is_not_cancelled() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    stack
        .with_fault(Fault::unknown_state("NUEVO").on("GET", "/charges").always())
        .await;
    let answer = payer.cancel(&number).await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (409, "cannot-cancel-now")
    );
    assert!(stack.seen("DELETE").await.is_empty());
    assert_eq!(payer.status(&number).await.state(), "NUEVO");
}
