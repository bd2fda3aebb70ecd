//! Operations whose queries have no usable answer. Staff get an exception, programs of the shop read `unconfirmed`, and
//! the server polls until an answer is usable or staff end the watch.

use crate::support::database::{age, change_payments, documents};
use crate::support::fault::Fault;
use crate::support::notification::{lose_all, notify};
use crate::support::payer::Payer;
use crate::support::roles::refunder;
use crate::support::sales::waiting_qr;
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use crate::support::wait::until;
use reqwest::Method;
use serde_json::{Value, json};
use staff_model::ExceptionKind;
use std::time::Duration;

/// An hour passes in which no query has a usable answer.
async fn let_an_hour_pass(stack: &mut Stack) {
    until("asked", async || {
        let all = documents(stack).await;
        all.iter()
            .all(|(_, document)| !document["operation"]["unanswered"].is_null())
    })
    .await;
    change_payments(stack, |_, document| {
        age(
            document,
            "/operation/unanswered/since",
            Duration::from_hours(1),
        );
    })
    .await;
}

async fn shop_reads(program: &ShopProgram, payer: &Payer) -> Value {
    let path = format!("/orders/{}", payer.order_id);
    program.send(Method::GET, &path, &[], "").await.json()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_without_a_usable_answer_for_an_hour_is_named_and_is_learned_later() {
    let amount = "/operation/transactions/0/amount";
    let faults = [
        (Fault::status(404), "refused with status 404"),
        (Fault::status(500), "status 500"),
        (Fault::drop(), "the connection was cut"),
        (
            Fault::replace(amount, json!({"value": 1})),
            "unreadable answer: operation.transactions[0].amount",
        ),
        (Fault::malformed(), "unreadable answer: Eof at"),
        (
            Fault::replace("/meta/status/code", "99"),
            "an answer that is not accepted, with code 99",
        ),
        (
            Fault::replace("/operation/transactions", json!([])),
            "an answer without a transaction of this operation",
        ),
    ];
    let mut stack = Stack::start().await;
    let (mut payers, mut all) = (Vec::new(), Vec::new());
    for (fault, reason) in faults {
        let (payer, number) = waiting_qr(&stack).await;
        all.push(fault.on("GET", &format!("/charges/*/{number}/*")).always());
        payers.push((payer, number, reason));
    }
    stack.with_faults(all).await;
    for (_, number, _) in &payers {
        stack.drive(number, "pay").await;
    }
    let_an_hour_pass(&mut stack).await;
    let staff = refunder(&stack).await;
    let shop = ShopProgram::of(&stack).await;
    for (payer, number, reason) in &payers {
        let detail = staff.detail_of(ExceptionKind::Unanswered, number).await;
        let detail = detail.unwrap_or_default();
        assert!(detail.starts_with(reason), "{detail}");
        let order = shop_reads(&shop, payer).await;
        assert_eq!(order["outcome"], "unconfirmed", "{reason}");
        assert_eq!(order["operations"][0]["unconfirmed"], true, "{reason}");
    }
    stack.without_faults().await;
    for (payer, _, reason) in &payers {
        payer.until_paid().await;
        assert_eq!(
            shop_reads(&shop, payer).await["outcome"],
            "paid",
            "{reason}"
        );
    }
    assert!(staff.exceptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_end_the_watch_of_what_was_not_paid_and_a_notification_begins_it_again() {
    let mut stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    stack
        .with_fault(Fault::status(404).on("GET", "/charges").always())
        .await;
    let_an_hour_pass(&mut stack).await;
    let staff = refunder(&stack).await;
    let shop = ShopProgram::of(&stack).await;
    assert_eq!(staff.resolve("unanswered", &number).await.status, 204);
    assert!(staff.exceptions().await.is_empty());
    let order = shop_reads(&shop, &payer).await;
    assert_eq!(order["outcome"], "unpaid");
    assert_eq!(order["payment_may_come"], false);
    let operation = &order["operations"][0];
    assert_eq!(operation["unconfirmed"], false);
    assert!(operation["watch_ended_at"].is_string(), "{operation}");
    let audit = staff.details(&number).await.audit;
    let resolved = audit
        .iter()
        .any(|entry| entry.detail.starts_with("unanswered: "));
    assert!(resolved, "{audit:?}");
    // Nothing asks any more, until the service reports a change.
    let asked = stack.seen("GET").await.len();
    lose_all(&stack, &[]).await;
    stack.drive(&number, "pay").await;
    let order = shop_reads(&shop, &payer).await;
    assert_eq!(order["outcome"], "unpaid");
    assert_eq!(stack.seen("GET").await.len(), asked);
    notify(&stack, &payer, &number).await;
    until("learned", async || {
        shop_reads(&shop, &payer).await["outcome"] == "paid"
    })
    .await;
}
