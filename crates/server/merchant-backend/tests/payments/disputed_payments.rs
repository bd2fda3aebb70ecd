//! What rests on a state rests on a fresh one, and answers that contradict each other are seen.

use crate::support::database::{documents, values};
use crate::support::event_receiver::Receiver;
use crate::support::fault::Fault;
use crate::support::roles::{canceler, refunder};
use crate::support::sales::{paid_by_qr, settled_installments};
use crate::support::stack::Stack;
use crate::support::staff_client::part;
use crate::support::wait::{until, until_some};
use staff_model::{ExceptionKind, ReversalState};

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_was_reversed_elsewhere_is_not_given_back_by_hand() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = paid_by_qr(&stack).await;
    stack.with_fault(Fault::lose_notification().times(9)).await;
    stack.drive(&sale.number, "reverse").await;
    let refused = refunder.give_back("k", &sale.number, sale.amount).await;
    assert_eq!(refused.json()["reason"], "not_paid", "{}", refused.text);
    assert_eq!(refunder.details(&sale.number).await.returns, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_state_is_unknown_a_return_is_recorded_only_if_it_was_made() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = paid_by_qr(&stack).await;
    stack
        .with_fault(Fault::status(500).on("GET", "/charges").always())
        .await;
    let refused = refunder.give_back("k", &sale.number, 100).await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (503, "refunds-unknown"),
        "{}",
        refused.text
    );
    assert_eq!(refunder.gave_back("l", &sale.number, 100).await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_settled_payment_that_was_reversed_since_is_not_refunded() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    // The server knows of the settlement, and of nothing since.
    refunder.refunds(&sale.number).await;
    refunder
        .get(&format!(
            "/charges/{}/{}/-",
            crate::support::stack::MERCHANT,
            sale.number
        ))
        .await;
    stack.with_fault(Fault::lose_notification().times(9)).await;
    stack.drive(&sale.number, "reverse").await;
    let refused = refunder.refund("k", &[part(&sale.number, 100)]).await;
    assert_eq!(refused.problem(), "refund-refused", "{}", refused.text);
    assert!(stack.seen_at("POST", "/refund").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_the_service_takes_back_is_seen_by_staff() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = paid_by_qr(&stack).await;
    stack
        .with_fault(
            Fault::unknown_state("DENEGADO")
                .on("GET", "/charges")
                .always(),
        )
        .await;
    let found = until_some("an exception", async || {
        sale.payer.status(&sale.number).await;
        refunder
            .detail_of(ExceptionKind::Contradicted, &sale.number)
            .await
    })
    .await;
    assert_eq!(
        found,
        "the payment service answered DENEGADO after AUTORIZADO"
    );
    let refused = refunder.give_back("k", &sale.number, sale.amount).await;
    assert_eq!(refused.json()["reason"], "disputed", "{}", refused.text);
    // It ends with an answer that agrees.
    stack.without_faults().await;
    until("agreement", async || {
        sale.payer.status(&sale.number).await;
        refunder.exceptions().await.is_empty()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_is_in_force_again_after_its_reversal_pays_its_order() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let canceler = canceler(&stack).await;
    let sale = paid_by_qr(&stack).await;
    assert_eq!(canceler.cancel(&sale.number, "reverse").await.status, 200);
    stack.pay_late(&sale.number).await;
    until("told", async || {
        receiver.types() == ["order.paid", "order.reversed", "order.paid_again"]
    })
    .await;
    assert_eq!(receiver.deliveries()[2].data()["order_state"], "paid");
    // There is no other code, and staff decide what becomes of the payment.
    let another = sale.payer.pay_by_qr("another").await;
    assert_eq!(another.problem(), "order-paid", "{}", another.text);
    assert_eq!(sale.payer.status(&sale.number).await.state(), "AUTORIZADO");
    let listed = [("paid_late".to_owned(), sale.number.clone())];
    assert_eq!(canceler.exceptions().await, listed);
    let again = canceler.cancel(&sale.number, "reverse").await;
    assert_eq!(again.status, 200, "{}", again.text);
    until("reversed again", async || {
        receiver
            .types()
            .last()
            .is_some_and(|kind| kind == "order.reversed")
    })
    .await;
    assert_eq!(stack.state_of(&sale.number).await, "CANCELADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reversal_whose_answer_was_lost_is_in_doubt_again_when_its_payment_is_back() {
    let stack = Stack::start().await;
    let canceler = canceler(&stack).await;
    let sale = paid_by_qr(&stack).await;
    stack
        .with_fault(Fault::drop().on("DELETE", "/charges").after())
        .await;
    canceler.cancel(&sale.number, "reverse").await;
    until("reversed", async || {
        sale.payer.status(&sale.number).await.state() == "CANCELADO"
    })
    .await;
    stack.pay_late(&sale.number).await;
    until("in force again", async || {
        sale.payer.status(&sale.number).await;
        let mut again = documents(&stack).await.into_iter();
        again.any(|(_, document)| !document["operation"]["paid_again_at"].is_null())
            && values::<String>(&stack, "SELECT outcome FROM operations").await == ["paid"]
    })
    .await;
    let state = canceler.reversal_state(&sale.number).await;
    assert_ne!(state, Some(ReversalState::Done));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_code_beside_a_payment_that_is_in_force_again_is_withdrawn() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let canceler = canceler(&stack).await;
    let sale = paid_by_qr(&stack).await;
    assert_eq!(canceler.cancel(&sale.number, "reverse").await.status, 200);
    // The other code is there before the payment comes back.
    let other = sale.payer.pay_by_qr("another").await.number();
    stack.pay_late(&sale.number).await;
    until("told", async || {
        sale.payer.status(&sale.number).await;
        receiver.types().contains(&"order.paid_again".to_owned())
    })
    .await;
    // It is withdrawn, unless its payer is faster.
    let state = async || stack.state_of(&other).await;
    until("the other code has ended", async || {
        state().await == "CANCELADO"
    })
    .await;
}
