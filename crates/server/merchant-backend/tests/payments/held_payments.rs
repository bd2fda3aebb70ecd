//! A payment is announced when no request of ours can give it back any more.

use crate::support::event_receiver::Receiver;
use crate::support::fault::Fault;
use crate::support::payer::Payer;
use crate::support::roles::{canceler, refunder, second_canceler};
use crate::support::sales::{paid_by_qr, waiting_qr};
use crate::support::stack::Stack;
use crate::support::wait::{until, until_some};
use serde_json::json;
use staff_model::ReversalState;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_its_cancellation_gives_back_is_never_announced() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let (payer, number) = waiting_qr(&stack).await;
    stack
        .with_fault(Fault::delay(4000).on("DELETE", "/charges"))
        .await;
    let canceling = tokio::spawn({
        let (payer, number) = (payer.clone(), number.clone());
        async move { payer.cancel(&number).await }
    });
    until("on its way", async || {
        let canceler = canceler(&stack).await;
        canceler.reversal_state(&number).await == Some(ReversalState::Sending)
    })
    .await;
    stack.drive(&number, "pay").await;
    // Meanwhile the payer sees neither a payment nor a code, and there is no other code.
    let status = until_some("being confirmed", async || {
        let status = payer.status(&number).await;
        (status.state() != "PENDIENTE").then_some(status)
    })
    .await;
    assert_eq!(status.state(), "POR_CONFIRMAR");
    let shown = &status.json()["operation"]["transactions"][0];
    for absent in ["processor_response", "continue_url", "expiration_date"] {
        assert!(shown[absent].is_null(), "{absent} in {shown}");
    }
    assert!(!status.text.contains("AUTORIZADO"), "{}", status.text);
    let other = payer.pay_by_qr("other").await;
    assert_eq!(other.problem(), "operation-unconfirmed", "{}", other.text);
    assert_eq!(payer.shown().await["state"], "open");
    assert_eq!(canceling.await.unwrap().state(), "CANCELADO");
    let order = payer.shown().await;
    assert_eq!(order["operations"][0]["outcome"], "reversed");
    assert!(receiver.deliveries().is_empty());
    let audit = canceler(&stack).await.details(&number).await.audit;
    let mut told = audit
        .iter()
        .filter(|one| one.staff == "server:cancellation");
    assert!(told.next().is_some(), "{audit:?}");
    // A payment of another order shows that events are sent.
    let sale = paid_by_qr(&stack).await;
    until("announced", async || receiver.types() == ["order.paid"]).await;
    assert_eq!(
        receiver.deliveries()[0].data()["order_id"],
        sale.payer.order_id
    );
}

/// A payment beside a cancellation that never reached the service, which cannot arrive any more
/// after 1.5 seconds; its payer and its number.
async fn beside_a_lost_cancellation(receiver: &Receiver) -> (Stack, Payer, String) {
    let mut stack = Stack::start_telling(&receiver.url()).await;
    stack
        .change_to(|config| {
            config.timing.event_pause = Duration::from_millis(100);
            config.payment_timeout = Duration::from_millis(300);
            config.release_after = Duration::from_millis(1500);
        })
        .await;
    let (payer, number) = waiting_qr(&stack).await;
    stack
        .with_fault(Fault::drop().on("DELETE", "/charges"))
        .await;
    assert_eq!(payer.cancel(&number).await.problem(), "cancel-unconfirmed");
    stack.drive(&number, "pay").await;
    until("being confirmed", async || {
        payer.status(&number).await.state() == "POR_CONFIRMAR"
    })
    .await;
    (stack, payer, number)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_beside_a_lost_cancellation_is_announced_once_that_cannot_arrive_any_more() {
    let receiver = Receiver::start().await;
    let (stack, payer, number) = beside_a_lost_cancellation(&receiver).await;
    assert_eq!(payer.cancel(&number).await.problem(), "cannot-cancel-now");
    assert!(receiver.deliveries().is_empty());
    until("announced", async || receiver.types() == ["order.paid"]).await;
    assert_eq!(payer.status(&number).await.state(), "AUTORIZADO");
    assert_eq!(payer.shown().await["state"], "paid");
    assert_eq!(stack.seen("DELETE").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_announce_a_payment_beside_a_cancellation_without_an_end() {
    let receiver = Receiver::start().await;
    let (stack, _payer, number) = beside_a_lost_cancellation(&receiver).await;
    stack
        .with_fault(Fault::unknown_state("NUEVO").on("GET", "/charges").always())
        .await;
    let canceler = canceler(&stack).await;
    let second_canceler = second_canceler(&stack).await;
    let id = &canceler.reversal(&number).await.reversal_id;
    until("old enough", async || {
        let asked = canceler.release_reversal(id).await;
        asked.problem() == "second-person-required"
    })
    .await;
    let again = canceler.release_reversal(id).await;
    assert_eq!(again.problem(), "second-person-required", "{}", again.text);
    assert!(receiver.deliveries().is_empty());
    let released = second_canceler.release_reversal(id).await;
    assert_eq!(released.status, 200, "{}", released.text);
    until("announced", async || receiver.types() == ["order.paid"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reversal_that_a_terse_answer_reports_is_never_taken_for_undone() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let canceler = canceler(&stack).await;
    let sale = paid_by_qr(&stack).await;
    let terse = Fault::replace("/operation/transactions/0/lifecycle", json!([]))
        .on("GET", "/charges")
        .always();
    // One answer reports the reversal, and then the service is silent for a while.
    let lost = Fault::drop().on("DELETE", "/charges").after().then(
        Fault::delay(1)
            .on("GET", "/charges")
            .then(Fault::status(500).on("GET", "/charges").always()),
    );
    stack.with_faults([terse.clone(), lost]).await;
    let answer = canceler.cancel(&sale.number, "reverse").await;
    assert_eq!(answer.problem(), "cancel-unconfirmed", "{}", answer.text);
    assert_eq!(
        canceler.reversal_state(&sale.number).await,
        Some(ReversalState::InDoubt)
    );
    let given = refunder.give_back("k", &sale.number, sale.amount).await;
    assert_ne!(given.status, 201, "{}", given.text);
    stack.with_fault(terse).await;
    until("reversed", async || {
        canceler.reversal_state(&sale.number).await == Some(ReversalState::Done)
    })
    .await;
    let given = refunder.give_back("l", &sale.number, sale.amount).await;
    assert_eq!(given.json()["reason"], "not_paid", "{}", given.text);
}
