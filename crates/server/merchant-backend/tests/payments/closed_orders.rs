//! `POST /api/shop/orders/{order_id}/cancel`: an order that its shop closed takes no payment any more.

use crate::support::fault::Fault;
use crate::support::order_token::{claims, seconds, sign};
use crate::support::sales::{paid_by_qr, waiting_qr};
use crate::support::shop_program::ShopProgram;
use crate::support::stack::{MERCHANT, Stack};
use crate::support::wait::until;
use merchant_backend::MerchantStores;
use serde_json::{Value, json};
use std::time::Duration;

fn by_qr(token: &str) -> Value {
    json!({"order": token, "payment_method": {"method_name": "QR"}})
}

fn is(answer: &(u16, String), status: u16, result: &str) {
    assert_eq!((answer.0, answer.1.as_str()), (status, result));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_live_code_of_a_closed_order_ends_and_nothing_begins_any_more() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let (payer, number) = waiting_qr(&stack).await;
    is(&program.cancel(&payer.order_id).await, 200, "closed");
    let order = program.order(&payer.order_id).await;
    assert_eq!(
        (&order["closed"], &order["outcome"]),
        (&json!(true), &json!("unpaid"))
    );
    // The payer's page says that the shop ended the code.
    let status = payer.status(&number).await;
    assert_eq!(status.state(), "CANCELADO");
    assert_eq!(status.header("operation-end"), "staff");
    let answer = payer.pay_by_qr("another").await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (422, "order-closed")
    );
    assert_eq!(answer.json()["messages"].as_array().unwrap().len(), 3);
    is(&program.cancel(&payer.order_id).await, 200, "closed");
    assert_eq!(stack.seen("DELETE").await.len(), 1);
    assert_eq!(stack.seen("POST").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paid_order_is_not_given_back_by_closing_it() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let known = paid_by_qr(&stack).await;
    is(&program.cancel(&known.payer.order_id).await, 200, "paid");
    // The server does not know of this payment yet.
    let (payer, number) = waiting_qr(&stack).await;
    stack.drive(&number, "pay").await;
    is(&program.cancel(&payer.order_id).await, 200, "paid");
    assert_eq!(program.order(&payer.order_id).await["outcome"], "paid");
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_that_cannot_be_ended_now_is_ended_by_the_background() {
    let stack = Stack::start_with(|config| {
        config.payment_timeout = Duration::from_millis(400);
    })
    .await;
    let program = ShopProgram::of(&stack).await;
    let (payer, _) = waiting_qr(&stack).await;
    stack
        .with_fault(Fault::drop().on("DELETE", "/charges").always())
        .await;
    is(&program.cancel(&payer.order_id).await, 202, "closing");
    let order = program.order(&payer.order_id).await;
    assert_eq!(
        (&order["closed"], &order["payment_may_come"]),
        (&json!(true), &json!(true))
    );
    stack.without_faults().await;
    until("the code has ended", async || {
        program.order(&payer.order_id).await["payment_may_come"] == false
    })
    .await;
    is(&program.cancel(&payer.order_id).await, 200, "closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_was_never_seen_is_closed_to_the_holder_of_its_token() {
    let stack = Stack::start_for_shop(None).await;
    let program = ShopProgram::of(&stack).await;
    is(&program.cancel("never-seen").await, 200, "closed");
    let token = sign(&claims(&stack.base(), "never-seen", 12_990));
    let method = json!({"method_name": "QR", "method_details": {}});
    let body = json!({"order": token, "payment_method": method});
    let answer = stack.browser().authorize("k", &body).await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (422, "order-closed")
    );
    assert!(stack.seen("POST").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_closes_no_order_of_another_store() {
    let stack = Stack::start_with(|config| {
        config.stores = MerchantStores::parse(include_str!("stores.toml")).unwrap();
    })
    .await;
    let (own, other) = (
        ShopProgram::of_store(&stack, MERCHANT).await,
        ShopProgram::of_store(&stack, "shop-usd").await,
    );
    let (payer, _) = waiting_qr(&stack).await;
    is(&other.cancel(&payer.order_id).await, 200, "closed");
    let order = own.order(&payer.order_id).await;
    assert_eq!(
        (&order["closed"], &order["outcome"]),
        (&json!(false), &json!("waiting"))
    );
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_id_of_an_order_is_not_closed() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    for id in ["", "%20", "a%2Fb", &"x".repeat(65)] {
        assert_eq!(program.cancel(id).await.0, 404, "{id:?}");
    }
}

/// A signed order: `age` is the time since `iat`, `from_now` the time until `pay_until`, both in seconds.
fn token_until(stack: &Stack, id: &str, age: i64, from_now: i64) -> String {
    let mut claims = claims(&stack.base(), id, 500);
    claims["iat"] = json!(seconds() - age);
    claims["pay_until"] = json!(seconds() + from_now);
    sign(&claims)
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_begins_after_the_time_to_pay_and_a_code_that_exists_can_be_paid() {
    let stack = Stack::start_for_shop(None).await;
    let program = ShopProgram::of(&stack).await;
    let mut payer = stack.browser();
    let late = payer
        .authorize("late", &by_qr(&token_until(&stack, "A-1", 0, -1)))
        .await;
    assert_eq!(
        (late.status, late.problem().as_str()),
        (422, "order-closed")
    );
    let begun = payer
        .authorize("k", &by_qr(&token_until(&stack, "A-2", 10, 600)))
        .await;
    payer.keep_cookie(&begun);
    let number = begun.number();
    let order = program.order("A-2").await;
    assert_eq!(order["closed"], false);
    assert!(order["pay_until"].is_string());
    // The shop signs another end, which counts although a code exists.
    let sooner = token_until(&stack, "A-2", 0, 1);
    let same = payer.authorize("k", &by_qr(&sooner)).await;
    assert_eq!(same.number(), number);
    payer.authorize("another", &by_qr(&sooner)).await;
    until("the order has ended", async || {
        program.order("A-2").await["closed"] == true
    })
    .await;
    stack.drive(&number, "pay").await;
    until("the code is paid", async || {
        payer.status(&number).await.state() == "AUTORIZADO"
    })
    .await;
    assert_eq!(program.order("A-2").await["outcome"], "paid");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_without_an_end_of_its_own_has_the_one_of_the_settings() {
    let mut stack = Stack::start_for_shop(None).await;
    stack
        .change_to(|config| config.time_to_pay = Some(Duration::from_secs(1)))
        .await;
    let program = ShopProgram::of(&stack).await;
    let token = sign(&claims(&stack.base(), "A-3", 500));
    let mut payer = stack.browser();
    let begun = payer.authorize("k", &by_qr(&token)).await;
    payer.keep_cookie(&begun);
    payer.cancel(&begun.number()).await;
    until("the order has ended", async || {
        program.order("A-3").await["closed"] == true
    })
    .await;
    let late = payer.authorize("late", &by_qr(&token)).await;
    assert_eq!(late.problem(), "order-closed");
}
