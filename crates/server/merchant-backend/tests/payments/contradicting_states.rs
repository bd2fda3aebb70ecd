//! Answers in which the operation's own state contradicts that of its transaction are believed neither way.

use crate::support::event_receiver::Receiver;
use crate::support::fault::Fault;
use crate::support::payer::installment;
use crate::support::roles::{canceler, refunder};
use crate::support::sales::{paid_by_qr, waiting_qr};
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use crate::support::wait::{until, until_some};
use serde_json::{Value, json};
use staff_model::ExceptionKind;

/// Every answer to a query has this as the operation's own state.
fn operation_state(state: impl Into<Value>) -> Fault {
    let fault = Fault::replace("/operation/state", state.into());
    fault.on("GET", "/charges").always()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_in_a_canceled_operation_is_paid_once_the_answers_agree() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let (program, staff) = (ShopProgram::of(&stack).await, refunder(&stack).await);
    let (payer, number) = waiting_qr(&stack).await;
    stack.with_fault(operation_state("CANCELADO")).await;
    stack.drive(&number, "pay").await;
    let found = until_some("an exception", async || {
        payer.status(&number).await;
        staff.detail_of(ExceptionKind::Contradicted, &number).await
    })
    .await;
    assert_eq!(
        found,
        "the payment service answered AUTORIZADO in an operation that is CANCELADO"
    );
    let shown = payer.status(&number).await;
    for state in ["AUTORIZADO", "CANCELADO"] {
        assert_ne!(shown.state(), state, "{}", shown.text);
        assert_ne!(shown.json()["operation"]["state"], state, "{}", shown.text);
    }
    let order = program.order(&payer.order_id).await;
    assert_eq!(order["outcome"], "unconfirmed", "{order}");
    assert!(!receiver.types().contains(&"order.paid".to_owned()));
    stack.without_faults().await;
    until("agreement", async || {
        payer.status(&number).await.state() == "AUTORIZADO"
    })
    .await;
    assert_eq!(program.order(&payer.order_id).await["outcome"], "paid");
    assert_eq!(staff.exceptions().await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_that_may_be_paid_is_not_canceled() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    stack.with_fault(operation_state("AUTORIZADO")).await;
    let refused = payer.cancel(&number).await;
    assert_eq!(refused.problem(), "cannot-cancel-now", "{}", refused.text);
    let refused = canceler(&stack).await.cancel(&number, "cancel").await;
    assert_eq!(refused.problem(), "cannot-cancel-now", "{}", refused.text);
    let credit = installment(&payer.order_id, "https://shop.example/back");
    let refused = payer.replace("another", &number, &credit).await;
    assert_eq!(
        refused.problem(),
        "operation-unconfirmed",
        "{}",
        refused.text
    );
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_known_payment_is_in_dispute_while_its_operation_is_canceled() {
    let stack = Stack::start().await;
    let staff = refunder(&stack).await;
    let sale = paid_by_qr(&stack).await;
    stack.with_fault(operation_state("CANCELADO")).await;
    until_some("an exception", async || {
        sale.payer.status(&sale.number).await;
        staff
            .detail_of(ExceptionKind::Contradicted, &sale.number)
            .await
    })
    .await;
    let refused = staff.give_back("k", &sale.number, sale.amount).await;
    assert_eq!(refused.json()["reason"], "disputed", "{}", refused.text);
    assert_eq!(sale.payer.status(&sale.number).await.state(), "AUTORIZADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_of_the_operation_that_is_absent_or_late_contradicts_nothing() {
    let states = [
        json!(null),
        json!(""),
        json!({"code": 7}),
        json!("PENDIENTE"),
    ];
    for state in states {
        let stack = Stack::start().await;
        stack.with_fault(operation_state(state.clone())).await;
        let sale = paid_by_qr(&stack).await;
        assert_eq!(sale.payer.shown().await["state"], "paid", "{state}");
        let (payer, number) = waiting_qr(&stack).await;
        assert_eq!(payer.cancel(&number).await.state(), "CANCELADO", "{state}");
    }
}
