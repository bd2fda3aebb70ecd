//! The events of an order's course and of its end: `order.waiting`, `order.declined`, `order.canceled` and
//! `order.unpaid`.

use crate::event_receivers::entry;
use crate::support::event_receiver::Receiver;
use crate::support::order_token::{claims, seconds, sign};
use crate::support::page_visitor::PageVisitor;
use crate::support::payer::Payer;
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use crate::support::wait::until;
use merchant_backend::MethodDetails;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

const SECRET: &str = "canary-ends-0123456789abcdef0123456";
const ALL: &str =
    "types = [\"order.waiting\", \"order.declined\", \"order.canceled\", \"order.unpaid\",
    \"order.paid\", \"order.paid_late\"]\n";

/// A stack of a shop that signs its orders, with a receiver that asked for these events.
async fn stack_with(receiver: &Receiver, more: &str) -> Stack {
    let mut stack = Stack::start_for_shop(None).await;
    stack.receivers = Some(entry("erp", receiver, SECRET, more));
    stack
        .change_to(|config| {
            config.timing.event_pause = Duration::from_millis(50);
            config.timing.ended_orders_interval = Duration::from_millis(50);
            let details = "{\"CASHCODE\": {\"callback_url\": \"{callback_url}\"}}";
            config.method_details = MethodDetails::parse(details).unwrap();
        })
        .await;
    stack
}

/// Begins to pay an order that ends in ten minutes.
async fn begin(stack: &Stack, id: &str, method: &str) -> (Payer, String) {
    let mut claims = claims(&stack.base(), id, 500);
    claims["pay_until"] = json!(seconds() + 600);
    let mut payer = stack.browser();
    let body = json!({"order": sign(&claims), "payment_method": {"method_name": method}});
    let begun = payer.authorize("k", &body).await;
    payer.keep_cookie(&begun);
    (payer, begun.number())
}

/// Lets an order end in two seconds. Its code exists then, however busy the machine is.
async fn end_soon(program: &ShopProgram, id: &str) {
    let body = json!({"action": "renew", "pay_until": seconds() + 2}).to_string();
    let path = format!("/orders/{id}/link");
    let renewed = program.send(Method::POST, &path, &[], &body).await;
    assert_eq!(renewed.status, 200, "{}", renewed.text);
}

async fn told(receiver: &Receiver, expected: &[&str]) -> Vec<Value> {
    until("the events", async || {
        receiver.types().len() >= expected.len()
    })
    .await;
    assert_eq!(receiver.types(), expected);
    receiver.deliveries().iter().map(|d| d.data()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_is_told_of_a_code_of_its_end_and_of_the_end_of_the_order_in_this_order() {
    let receiver = Receiver::with_secret(SECRET).await;
    let stack = stack_with(&receiver, ALL).await;
    let program = ShopProgram::of(&stack).await;
    let (payer, number) = begin(&stack, "A-1", "CASHCODE").await;
    let events = told(&receiver, &["order.waiting"]).await;
    assert_eq!(events[0]["method_name"], "CASHCODE");
    assert!(events[0]["expires_at"].is_string());
    // This receiver did not ask for cash codes, and no event names a person.
    assert_eq!(events[0]["cash_code"], Value::Null);
    assert!(!events[0].to_string().contains("Canary"));
    let page = PageVisitor::at(events[0]["pay_url"].as_str().unwrap());
    assert_eq!(page.look().await.heading(), "Your payment code");
    payer.cancel(&number).await;
    end_soon(&program, "A-1").await;
    let kinds = ["order.waiting", "order.canceled", "order.unpaid"];
    let events = told(&receiver, &kinds).await;
    assert_eq!(events[1]["outcome"], "cancelled");
    assert_eq!(events[2]["may_be_paid_late"], true);
    assert_eq!(events[2]["merchant_operation_number"], Value::Null);
    // It is told once, and a payment that arrives all the same is late.
    stack.pay_late(&number).await;
    let kinds = [
        "order.waiting",
        "order.canceled",
        "order.unpaid",
        "order.paid_late",
    ];
    told(&receiver, &kinds).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_not_unpaid_while_its_code_can_be_paid() {
    let receiver = Receiver::with_secret(SECRET).await;
    let stack = stack_with(&receiver, ALL).await;
    let program = ShopProgram::of(&stack).await;
    let (payer, number) = begin(&stack, "A-1", "QR").await;
    end_soon(&program, "A-1").await;
    until("the order has ended", async || {
        program.order("A-1").await["closed"] == true
    })
    .await;
    stack.drive(&number, "pay").await;
    until("paid", async || {
        payer.status(&number).await.state() == "AUTORIZADO"
    })
    .await;
    told(&receiver, &["order.waiting", "order.paid"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_declined_attempt_leaves_its_order_open_and_a_closed_order_ends_unpaid() {
    let receiver = Receiver::with_secret(SECRET).await;
    let stack = stack_with(&receiver, ALL).await;
    let program = ShopProgram::of(&stack).await;
    let (payer, number) = begin(&stack, "A-1", "QR").await;
    stack.drive(&number, "decline").await;
    until("declined", async || {
        payer.status(&number).await.state() == "DENEGADO"
    })
    .await;
    let events = told(&receiver, &["order.waiting", "order.declined"]).await;
    assert_eq!(
        (&events[1]["outcome"], &events[1]["order_state"]),
        (&json!("declined"), &json!("open"))
    );
    assert_eq!(program.cancel("A-1").await.1, "closed");
    told(
        &receiver,
        &["order.waiting", "order.declined", "order.unpaid"],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_asks_gets_the_cash_code_and_others_none_of_these_events() {
    let receiver = Receiver::with_secret(SECRET).await;
    let with_code = "types = [\"order.waiting\"]\ncash_code = true\n";
    let mut stack = stack_with(&receiver, with_code).await;
    let plain = Receiver::start().await;
    stack.events_url = Some(plain.url());
    stack.restart().await;
    let (payer, number) = begin(&stack, "A-1", "CASHCODE").await;
    let code = payer.status(&number).await.json();
    let code = code["operation"]["transactions"][0]["processor_response"]["cip"].clone();
    let events = told(&receiver, &["order.waiting"]).await;
    assert!(code.is_string());
    assert_eq!(events[0]["cash_code"], code);
    stack.drive(&number, "pay").await;
    told(&plain, &["order.paid"]).await;
    // What a program reads later has neither the code nor the address.
    let program = ShopProgram::of(&stack).await;
    let listed = program.get("/events").await.text;
    assert!(!listed.contains(code.as_str().unwrap()) && !listed.contains("/pay/"));
}
