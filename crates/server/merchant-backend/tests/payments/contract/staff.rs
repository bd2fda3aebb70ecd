//! The listed answers for staff that no other test brings about.

use crate::support::fault::Fault;
use crate::support::payer::Answer;
use crate::support::roles::{canceler, refunder};
use crate::support::sales::settled_installments;
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::item;
use crate::support::wait::{until, until_some};
use reqwest::Method;
use serde_json::json;
use staff_model::AttemptState;
use std::time::Duration;

fn is(answer: &Answer, status: u16, problem: &str) {
    let came = (answer.status, answer.problem());
    assert_eq!(came, (status, problem.to_owned()), "{}", answer.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_get_the_listed_problem_for_a_service_that_fails() {
    let stack = Stack::start().await;
    let canceler = canceler(&stack).await;
    let number = stack.payer().await.pay_by_qr("k").await.number();
    let look = format!("/charges/{MERCHANT}/{number}/-");
    stack
        .with_fault(Fault::status(400).on("GET", "/charges").always())
        .await;
    is(&canceler.get(&look).await, 422, "payment-service-refused");
    let silence = Fault::drop();
    stack
        .with_fault(silence.clone().on("GET", "/charges").always())
        .await;
    let answer = canceler.cancel(&number, "cancel").await;
    is(&answer, 503, "payment-service-unavailable");
    stack
        .with_fault(Fault::unknown_state("NUEVO").on("GET", "/charges").always())
        .await;
    let answer = canceler.cancel(&number, "cancel").await;
    is(&answer, 409, "cannot-cancel-now");

    let sale = settled_installments(&stack).await;
    stack
        .with_fault(silence.on("GET", "/refund").always())
        .await;
    is(
        &canceler.refunds(&sale.number).await,
        503,
        "refunds-unknown",
    );
    stack.without_faults().await;
    let renewed = Some(json!({"token": "renewed"}));
    stack
        .control(Method::PUT, "/sandbox/settings", renewed)
        .await;
    let answer = until_some("let in no more", async || {
        let answer = canceler.refunds(&sale.number).await;
        (answer.status == 503).then_some(answer)
    })
    .await;
    is(&answer, 503, "payment-service-token");
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_get_the_listed_problem_for_a_running_refund() {
    let stack =
        Stack::start_with(|config| config.timing.key_wait = Duration::from_millis(50)).await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    stack
        .with_fault(Fault::delay(1000).on("POST", "/refund").always())
        .await;
    let items = [item("PARTIAL", &sale.number, "100")];
    let first = tokio::spawn({
        let (refunder, items) = (refunder.clone(), items.clone());
        async move { refunder.refund("k", &items).await }
    });
    until("sending", async || {
        let attempts = refunder.details(&sale.number).await.attempts;
        attempts
            .first()
            .is_some_and(|attempt| attempt.state == AttemptState::Sending)
    })
    .await;
    is(&refunder.refund("k", &items).await, 409, "request-running");
    assert_eq!(first.await.unwrap().status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_get_the_listed_problem_for_a_field_that_is_not_allowed() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let odd = json!({"color": "red"});
    for path in [
        "/session",
        "/exceptions/resolve",
        "/refund-attempts/x/release",
        "/returns",
        "/returns/x/done",
        "/returns/x/given-up",
    ] {
        let answer = refunder
            .send(Method::POST, path, Some("k"), Some(&odd))
            .await;
        is(&answer, 400, "field-not-allowed");
    }
    let canceler = canceler(&stack).await;
    let release = "/reversals/x/release";
    let answer = canceler.send(Method::POST, release, None, Some(&odd)).await;
    is(&answer, 400, "field-not-allowed");
    let sound = json!({"merchant_code": MERCHANT, "merchant_operation_number": "x",
        "amount": 1, "reason": "slip"});
    let keyless = refunder
        .send(Method::POST, "/returns", None, Some(&sound))
        .await;
    is(&keyless, 400, "idempotency-key-required");
}
