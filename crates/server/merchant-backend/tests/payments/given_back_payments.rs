//! Payments that were given back, in answers of the service without the paid state.

use crate::support::fault::Fault;
use crate::support::roles::canceler;
use crate::support::sales::{PaidByQr, paid_by_qr};
use crate::support::shop_program::ShopProgram;
use crate::support::stack::{MERCHANT, Stack};
use crate::support::wait::until_some;
use reqwest::Method;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_is_answered_as_canceled_is_announced_as_reversed() {
    let stack = Stack::start().await;
    let PaidByQr { payer, number, .. } = paid_by_qr(&stack).await;
    // From now on no answer has a lifecycle.
    stack
        .with_fault(
            Fault::replace("/operation/transactions/0/lifecycle", json!([]))
                .on("*", "/charges")
                .always(),
        )
        .await;
    let canceler = canceler(&stack).await;
    let answer = canceler.cancel(&number, "reverse").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let told = payer.status(&number).await;
    assert_eq!(told.state(), "CANCELADO");
    let lifecycle = &told.json()["operation"]["transactions"][0]["lifecycle"];
    let states: Vec<_> = lifecycle.as_array().unwrap().iter().collect();
    assert!(
        states.iter().any(|entry| entry["state"] == "AUTORIZADO"),
        "{lifecycle}"
    );
    assert_eq!(states.last().unwrap()["state"], "CANCELADO");
    let order = payer.shown().await;
    assert_eq!(
        (&order["state"], &order["operations"][0]["outcome"]),
        (&json!("open"), &json!("reversed"))
    );
    // The shop that closes it reads that a payment was given back.
    let program = ShopProgram::of(&stack).await;
    let path = format!("/orders/{}/cancel", payer.order_id);
    let closing = program.send(Method::POST, &path, &[], "").await.json();
    assert_eq!(
        (&closing["result"], &closing["given_back"]),
        (&json!("closed"), &json!(true))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_payer_of_a_reversed_payment_reads_whether_the_order_is_open() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("one").await.number();
    let state = async |number: &str, state: &str| {
        let answer = until_some("the state is known", async || {
            let answer = payer.status(number).await;
            (answer.state() == state).then_some(answer)
        })
        .await;
        answer.header("order-state").to_owned()
    };
    assert_eq!(state(&first, "PENDIENTE").await, "");
    stack.drive(&first, "pay").await;
    assert_eq!(state(&first, "AUTORIZADO").await, "");
    stack.drive(&first, "reverse").await;
    assert_eq!(state(&first, "EXTORNADO").await, "open");
    // An answer without a body tells it too.
    let tag = payer.status(&first).await.header("etag").to_owned();
    let headers = [("if-none-match", tag.as_str())];
    let path = format!("/charges/{MERCHANT}/{first}/-");
    let unchanged = payer.send(Method::GET, &path, &headers, "").await;
    assert_eq!(
        (unchanged.status, unchanged.header("order-state")),
        (304, "open")
    );

    let second = payer.pay_by_qr("two").await.number();
    assert_ne!(second, first);
    stack.drive(&second, "pay").await;
    assert_eq!(state(&second, "AUTORIZADO").await, "");
    assert_eq!(state(&first, "EXTORNADO").await, "paid");
}
