//! Operations that exist at the service although it, or a gateway before it, answered a refusal.

use crate::methods::{asked, configured};
use crate::support::fault::Fault;
use crate::support::payer::Payer;
use crate::support::roles::refunder;
use crate::support::stack::Stack;
use crate::support::wait::until;
use serde_json::json;

/// Begins to pay by a method, where the service makes the operation and answers this status; returns its number.
async fn refused(status: u16, method: &str) -> (Stack, Payer, String) {
    let stack = Stack::start_with(configured).await;
    let payer = stack.payer().await;
    let fault = Fault::status(status).on("POST", "/charges").after();
    stack.with_fault(fault).await;
    let answer = payer
        .authorize("k", &asked(&payer, method, &json!({})))
        .await;
    // After 409 the server takes another number at once.
    assert_eq!(answer.status == 200, status == 409, "{}", answer.text);
    let money = answer.json()["money"].clone();
    assert_ne!(money, "nothing_charged", "{}", answer.text);
    let number = stack.seen("POST").await[0]["merchant_operation_number"].clone();
    (stack, payer, number.as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_payment_that_the_service_reports_all_the_same_is_learned_and_told() {
    for (status, method) in [
        (400, "CASHCODE"),
        (401, "CASHCODE"),
        (403, "CASHCODE"),
        (409, "CASHCODE"),
        (400, "QR"),
    ] {
        let (stack, payer, number) = refused(status, method).await;
        stack.drive(&number, "pay").await;
        until("learned", async || payer.shown().await["state"] == "paid").await;
        let staff = refunder(&stack).await;
        let found = staff.exceptions().await;
        let late = ("paid_late".to_owned(), number.clone());
        assert!(found.contains(&late), "{status} {method}: {found:?}");
        // It is never live beside another code.
        let operations = payer.shown().await["operations"].clone();
        let own = operations.as_array().unwrap().iter();
        let mut own = own.filter(|one| one["merchant_operation_number"] == number);
        assert_eq!(own.next().unwrap()["live"], false, "{status} {method}");
        assert!(
            stack
                .seen("DELETE")
                .await
                .iter()
                .all(|one| one["merchant_operation_number"] != number)
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cash_code_whose_answer_is_not_accepted_is_told_like_a_lost_answer() {
    for fault in [
        Fault::replace("/success", json!(null)),
        Fault::replace("/meta/status/code", "05"),
    ] {
        let stack = Stack::start_with(configured).await;
        let payer = stack.payer().await;
        stack.with_fault(fault.on("POST", "/charges")).await;
        let cash = asked(&payer, "CASHCODE", &json!({}));
        let answer = payer.authorize("k", &cash).await;
        assert_eq!(answer.problem(), "operation-unconfirmed", "{}", answer.text);
        assert_eq!(stack.seen("POST").await.len(), 1);
        let number = stack.seen("POST").await[0]["merchant_operation_number"].clone();
        stack.drive(number.as_str().unwrap(), "pay").await;
        payer.until_paid().await;
    }
}
