//! No choice of another method ends a code that can be paid, unless the payer said so.

use crate::support::fault::Fault;
use crate::support::payer::{Answer, Payer, installment, qr};
use crate::support::roles::canceler;
use crate::support::stack::{MERCHANT, Stack, TOKEN};
use crate::support::wait::until;
use reqwest::Method;
use serde_json::{Value, json};

fn lender(payer: &Payer) -> Value {
    installment(&payer.order_id, "https://shop.example/back")
}

/// Nothing was made and nothing ended: the live operation is named.
fn stays(answer: &Answer, number: &str, method: &str) {
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (409, "operation-live"),
        "{}",
        answer.text
    );
    let body = answer.json();
    assert_eq!(body["merchant_operation_number"], number);
    assert_eq!(body["merchant_code"], MERCHANT);
    assert!(body["transaction_id"].is_string());
    assert_eq!(body["method_name"], method);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_method_ends_the_live_code_only_by_its_number() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("qr").await.number();
    let body = lender(&payer);
    stays(&payer.authorize("lender", &body).await, &first, "QR");
    // A number of no or another operation says nothing about this one.
    for wrong in ["", "000000000000"] {
        stays(&payer.replace("lender", wrong, &body).await, &first, "QR");
    }
    assert!(stack.seen("DELETE").await.is_empty());
    assert_eq!(stack.seen("POST").await.len(), 1);
    assert_eq!(payer.status(&first).await.state(), "PENDIENTE");
    // The key was not spent by any of it.
    let second = payer.replace("lender", &first, &body).await.number();
    assert_ne!(second, first);
    assert_eq!(stack.state_of(&first).await, "CANCELADO");
    // It has its answer, with the number of the operation that ended or without.
    assert_eq!(payer.authorize("lender", &body).await.number(), second);
    // That number is an ended operation's now, and ends nothing else.
    let back = payer
        .replace("qr again", &first, &qr(&payer.order_id))
        .await;
    stays(&back, &second, "INSTALLMENT");
}

#[tokio::test(flavor = "multi_thread")]
async fn idempotency_key_without_quotes_is_accepted() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("qr").await.number();
    let headers = [
        ("idempotency-key", "\"lender\""),
        ("checkout-replaces", first.as_str()),
    ];
    let body = lender(&payer).to_string();
    let answer = payer.send(Method::POST, "/charges", &headers, &body).await;
    assert_ne!(answer.number(), first);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_method_gets_the_same_code() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("one").await.number();
    assert_eq!(payer.pay_by_qr("two").await.number(), first);
    let body = qr(&payer.order_id);
    assert_eq!(payer.replace("three", &first, &body).await.number(), first);
    assert_eq!(stack.seen("POST").await.len(), 1);
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_concurrent_choices_one_is_made_and_the_other_is_refused() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let (by_qr, by_lender) = tokio::join!(payer.pay_by_qr("qr"), {
        let payer = payer.clone();
        async move { payer.authorize("lender", &lender(&payer)).await }
    });
    let (made, told, method) = match by_qr.status {
        200 => (by_qr, by_lender, "QR"),
        _ => (by_lender, by_qr, "INSTALLMENT"),
    };
    stays(&told, &made.number(), method);
    assert_eq!(stack.seen("POST").await.len(), 1);
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_overdue_code_is_left_without_its_number() {
    let stack = Stack::start().await;
    let deadline = |method: &str, pointer: &str| {
        Fault::replace(
            &format!("{pointer}/expiration_date"),
            json!({"unix_time": 1_700_000_000}),
        )
        .on(method, "/charges")
        .always()
    };
    stack
        .with_faults([
            deadline("POST", "/transaction"),
            deadline("GET", "/operation/transactions/0"),
        ])
        .await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("qr").await.number();
    let second = payer.authorize("lender", &lender(&payer)).await.number();
    assert_ne!(second, first);
    assert_eq!(stack.state_of(&first).await, "CANCELADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_that_is_overdue_only_by_our_clock_is_kept() {
    let stack = Stack::start().await;
    // An hour ago, by the service's clock.
    let offset = Some(json!({"offset_s": -3600}));
    stack.control(Method::PUT, "/sandbox/clock", offset).await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("qr").await.number();
    let body = lender(&payer);
    stays(&payer.authorize("lender", &body).await, &first, "QR");
    assert!(stack.seen("DELETE").await.is_empty());
    let second = payer.replace("lender", &first, &body).await.number();
    assert_ne!(second, first);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_of_a_code_that_ended_says_who_ended_it() {
    let stack = Stack::start().await;
    let mut payer = stack.payer().await;
    let ended = async |payer: &Payer, number: &str| {
        let answer = payer.status(number).await;
        assert_eq!(answer.state(), "CANCELADO");
        // Also where the browser has the answer already.
        let known = [("if-none-match", answer.header("etag"))];
        let unchanged = payer.status_of(number, "-", &known).await;
        let cause = answer.header("operation-end").to_owned();
        assert_eq!(
            (unchanged.status, unchanged.header("operation-end")),
            (304, &*cause)
        );
        cause
    };
    let replaced = payer.pay_by_qr("1").await.number();
    assert_eq!(payer.status(&replaced).await.header("operation-end"), "");
    let by_payer = payer.replace("2", &replaced, &lender(&payer)).await;
    assert_eq!(ended(&payer, &replaced).await, "replaced");
    payer.cancel(&by_payer.number()).await.state();
    assert_eq!(ended(&payer, &by_payer.number()).await, "payer");

    let by_staff = payer.pay_by_qr("3").await.number();
    let canceler = canceler(&stack).await;
    assert_eq!(canceler.cancel(&by_staff, "cancel").await.status, 200);
    assert_eq!(ended(&payer, &by_staff).await, "staff");

    // The payment service ended it by itself.
    payer.order_again().await;
    let by_service = payer.pay_by_qr("4").await.number();
    let url = format!("{}/charges/{MERCHANT}/{by_service}", stack.sandbox);
    let request = stack.client.delete(url).bearer_auth(TOKEN);
    let request = request.header("alg-api-version", "1709847567");
    let answer = request.send().await.unwrap();
    assert!(answer.status().is_success(), "{answer:?}");
    until("ended", async || {
        let state = payer.status(&by_service).await.state();
        state == "CANCELADO"
    })
    .await;
    assert_eq!(ended(&payer, &by_service).await, "");

    // Another operation of the order paid it.
    payer.order_again().await;
    let late = payer.pay_by_qr("5").await.number();
    stack.drive(&late, "expire").await;
    until("expired", async || {
        payer.status(&late).await.state() == "EXPIRADO"
    })
    .await;
    let needless = payer.pay_by_qr("6").await.number();
    stack.pay_late(&late).await;
    until("paid late", async || {
        payer.status(&late).await.state() == "AUTORIZADO"
    })
    .await;
    until("withdrawn", async || {
        stack.state_of(&needless).await == "CANCELADO"
    })
    .await;
    until("known", async || {
        payer.status(&needless).await.state() == "CANCELADO"
    })
    .await;
    assert_eq!(ended(&payer, &needless).await, "replaced");
}
