//! Events for the merchant's own systems, over a real socket.

use crate::support::event_receiver::{Receiver, Reply};
use crate::support::roles::refunder;
use crate::support::sales::{settled_installments, waiting_qr};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::{attempt, part};
use crate::support::wait::{until, until_some};
use reqwest::Method;
use serde_json::json;

async fn types(receiver: &Receiver, expected: &[&str]) {
    until(&format!("{expected:?}"), async || {
        receiver.types().len() >= expected.len()
    })
    .await;
    assert_eq!(receiver.types(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_event_is_sent_once() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let refunder = refunder(&stack).await;
    let (payer, number) = waiting_qr(&stack).await;
    let look = format!("/charges/{MERCHANT}/{number}/-");
    assert!(receiver.deliveries().is_empty());
    stack.drive(&number, "pay").await;
    types(&receiver, &["order.paid"]).await;
    let event = receiver.deliveries()[0].event();
    let amount = payer.shown().await["amount"].clone();
    let transaction = payer.shown().await["operations"][0]["transaction_id"].clone();
    assert_eq!(
        event,
        json!({
            "type": "order.paid", "timestamp": event["timestamp"], "data": {
                "id": receiver.deliveries()[0].id, "created_at": event["timestamp"],
                "order_id": payer.order_id, "order_state": "paid", "merchant_code": MERCHANT,
                "merchant_operation_number": number, "transaction_id": transaction,
                "amount": amount, "currency": "PEN",
            },
        })
    );
    let timestamp = event["timestamp"].as_str().unwrap();
    assert!(timestamp.parse::<jiff::Timestamp>().is_ok());

    // A settlement makes no event, and no look repeats one.
    stack.drive(&number, "settle").await;
    refunder.get(&look).await;
    assert_eq!(payer.status(&number).await.state(), "LIQUIDADO");
    stack.drive(&number, "reverse").await;
    refunder.get(&look).await;
    types(&receiver, &["order.paid", "order.reversed"]).await;
    assert_eq!(receiver.deliveries()[1].data()["order_state"], "open");
    assert_eq!(receiver.deliveries().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn late_and_second_payments_have_events_of_their_own() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let refunder = refunder(&stack).await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("k1").await.number();
    payer.cancel(&first).await;
    let second = payer.pay_by_qr("k2").await.number();
    stack.pay_late(&first).await;
    refunder
        .get(&format!("/charges/{MERCHANT}/{first}/-"))
        .await;
    types(&receiver, &["order.paid_late"]).await;
    until("the second code to be withdrawn", async || {
        stack.state_of(&second).await == "CANCELADO"
    })
    .await;
    stack.pay_late(&second).await;
    refunder
        .get(&format!("/charges/{MERCHANT}/{second}/-"))
        .await;
    types(&receiver, &["order.paid_late", "order.paid_twice"]).await;
    let twice = receiver.deliveries()[1].data();
    assert_eq!(twice["merchant_operation_number"], json!(second));
    stack.drive(&second, "reverse").await;
    refunder
        .get(&format!("/charges/{MERCHANT}/{second}/-"))
        .await;
    let all = ["order.paid_late", "order.paid_twice", "order.reversed"];
    types(&receiver, &all).await;
    // The other payment is in force.
    assert_eq!(receiver.deliveries()[2].data()["order_state"], "paid");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_refund_is_an_event() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    for (key, end) in [("k", "reject"), ("l", "resolve")] {
        let made = attempt(&refunder.refund(key, &[part(&sale.number, 150)]).await);
        let id = made.refund_id.unwrap();
        let path = format!("/sandbox/refunds/{id}/{end}");
        stack.control(Method::POST, &path, None).await;
        until_some("told", async || {
            refunder.refunds(&sale.number).await;
            receiver
                .deliveries()
                .last()
                .filter(|last| last.data()["refund_id"] == json!(id))
                .map(|_| ())
        })
        .await;
    }
    types(
        &receiver,
        &["order.paid", "refund.rejected", "refund.resolved"],
    )
    .await;
    let data = receiver.deliveries()[2].data();
    assert_eq!(data["refund_amount"], "150");
    assert_eq!(data["amount"], json!(sale.amount.to_string()));
    assert_eq!(data["merchant_operation_number"], json!(sale.number));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_is_not_accepted_is_repeated_with_its_id() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let payer = stack.payer().await;
    receiver.reply(&[
        Reply::Status(500),
        Reply::Redirect,
        Reply::Silence,
        Reply::Status(400),
    ]);
    let number = payer.pay_by_qr("k").await.number();
    stack.drive(&number, "pay").await;
    types(&receiver, &["order.paid"]).await;
    let deliveries = receiver.deliveries();
    let answered: Vec<u16> = deliveries
        .iter()
        .map(|delivery| delivery.answered)
        .collect();
    assert_eq!(answered, [500, 307, 0, 400, 204]);
    let same = |delivery: &crate::support::event_receiver::Delivery| {
        delivery.id == deliveries[0].id && delivery.body == deliveries[0].body
    };
    assert!(deliveries.iter().all(same), "{deliveries:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_an_order_are_sent_in_sequence_and_delay_no_other_order() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let refunder = refunder(&stack).await;
    let (one, other) = (stack.payer().await, stack.payer().await);
    receiver.refuse(Some(&one.order_id));
    let number = one.pay_by_qr("k").await.number();
    stack.drive(&number, "pay").await;
    until("a first delivery", async || {
        !receiver.deliveries().is_empty()
    })
    .await;
    stack.drive(&number, "reverse").await;
    refunder
        .get(&format!("/charges/{MERCHANT}/{number}/-"))
        .await;
    assert_eq!(one.status(&number).await.state(), "EXTORNADO");
    stack
        .drive(&other.pay_by_qr("k").await.number(), "pay")
        .await;
    until_some("the other order", async || {
        let deliveries = receiver.deliveries();
        let taken = deliveries.iter().find(|delivery| delivery.answered == 204);
        taken.map(|taken| assert_eq!(taken.told().1, other.order_id))
    })
    .await;
    let early = receiver.deliveries();
    let paid = ("order.paid".to_owned(), one.order_id.clone());
    let own = early
        .iter()
        .map(|delivery| delivery.told())
        .filter(|told| told.1 == one.order_id);
    assert!(own.clone().all(|told| told == paid), "{early:?}");
    receiver.refuse(None);
    types(&receiver, &["order.paid", "order.paid", "order.reversed"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_was_down_gets_all_events_after_a_restart() {
    let mut receiver = Receiver::start().await;
    let mut stack = Stack::start_telling(&receiver.url()).await;
    receiver.down().await;
    let payers = [stack.payer().await, stack.payer().await];
    for payer in &payers {
        let number = payer.pay_by_qr("k").await.number();
        stack.drive(&number, "pay").await;
        payer.until_paid().await;
        stack.drive(&number, "reverse").await;
        until("reversed", async || {
            payer.status(&number).await.state() == "EXTORNADO"
        })
        .await;
    }
    stack.restart().await;
    assert!(receiver.deliveries().is_empty());
    receiver.up().await;
    until("everything", async || receiver.types().len() >= 4).await;
    for payer in &payers {
        let told = receiver.deliveries();
        let told = told.iter().map(|delivery| delivery.told());
        let own: Vec<_> = told
            .filter(|told| told.1 == payer.order_id)
            .map(|told| told.0)
            .collect();
        assert_eq!(own, ["order.paid", "order.reversed"]);
    }
    // None of the events comes again.
    stack.restart().await;
    let payer = stack.payer().await;
    stack
        .drive(&payer.pay_by_qr("k").await.number(), "pay")
        .await;
    until("one more", async || receiver.types().len() >= 5).await;
    assert_eq!(receiver.deliveries().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_that_a_stop_interrupted_is_repeated_with_its_id() {
    let receiver = Receiver::start().await;
    let mut stack = Stack::start_telling(&receiver.url()).await;
    let payer = stack.payer().await;
    receiver.reply(&[Reply::Silence]);
    stack
        .drive(&payer.pay_by_qr("k").await.number(), "pay")
        .await;
    until("under way", async || !receiver.deliveries().is_empty()).await;
    stack.restart().await;
    types(&receiver, &["order.paid"]).await;
    let deliveries = receiver.deliveries();
    assert_eq!(deliveries[0].id, deliveries.last().unwrap().id);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_person_is_in_an_event() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let sale = settled_installments(&stack).await;
    types(&receiver, &["order.paid"]).await;
    let body = receiver.deliveries()[0].body.to_lowercase();
    assert!(
        body.contains(&sale.number) && !body.contains("canary"),
        "{body}"
    );
}
