//! All ways for money to leave an operation exclude each other.

use crate::support::database::{documents, edit, let_its_time_pass};
use crate::support::fault::Fault;
use crate::support::payer::installment;
use crate::support::roles::{canceler, limited_canceler, refunder, second_canceler};
use crate::support::sales::{PaidByQr, paid_by_qr, paid_installments, waiting_qr};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::{StaffClient, part, refusal};
use crate::support::wait::{until, until_some};
use serde_json::json;
use staff_model::{AuditAction, ExceptionKind, RefundRefusalReason, ReversalState};
use std::time::Duration;

/// A stack that waits 300 ms for an answer and a second and a half for a lost request.
async fn quick() -> Stack {
    Stack::start_with(|config| {
        config.payment_timeout = Duration::from_millis(300);
        config.release_after = Duration::from_millis(900);
        config.timing.shutdown = Duration::from_millis(100);
    })
    .await
}

/// A paid operation whose reversal was lost on its way.
async fn lost(stack: &Stack, canceler: &StaffClient) -> PaidByQr {
    let sale = paid_by_qr(stack).await;
    stack
        .with_fault(Fault::drop().on("DELETE", "/charges"))
        .await;
    let answer = canceler.cancel(&sale.number, "reverse").await;
    assert_eq!(answer.problem(), "cancel-unconfirmed", "{}", answer.text);
    sale
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_returned_by_hand_is_never_reversed() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let canceler = canceler(&stack).await;
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    assert_eq!(refunder.give_back("k", &number, amount).await.status, 201);
    let refused = canceler.cancel(&number, "reverse").await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (409, "reversal-refused"),
        "{}",
        refused.text
    );
    let told = refused.json();
    assert_eq!(told["reason"], "given_back");
    assert_eq!(
        (&told["paid"], &told["reserved"], &told["given_back"]),
        (&json!(amount), &json!(amount), &json!(0))
    );
    assert!(stack.seen("DELETE").await.is_empty());
    assert_eq!(stack.state_of(&number).await, "AUTORIZADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_cancellations_at_once_send_one() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    stack
        .with_fault(Fault::delay(300).on("DELETE", "/charges").always())
        .await;
    let mut tasks = Vec::new();
    for _ in 0..10 {
        let (payer, number) = (payer.clone(), number.clone());
        tasks.push(tokio::spawn(async move { payer.cancel(&number).await }));
    }
    for task in tasks {
        assert_eq!(task.await.unwrap().state(), "CANCELADO");
    }
    assert_eq!(stack.seen("DELETE").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_requests_get_the_outcome_of_the_shared_query() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    let no = Fault::status(409).on("DELETE", "/charges").always();
    // So that all have asked before the request is sent.
    let slow = Fault::delay(700).on("GET", "/charges").times(9);
    stack.with_faults([no, slow]).await;
    let mut tasks = Vec::new();
    for _ in 0..10 {
        let (payer, number) = (payer.clone(), number.clone());
        tasks.push(tokio::spawn(async move { payer.cancel(&number).await }));
    }
    for task in tasks {
        let answer = task.await.unwrap();
        assert_eq!(answer.problem(), "cannot-cancel-now", "{}", answer.text);
        assert_eq!(answer.json()["service_status"], 409);
    }
    assert_eq!(stack.seen("DELETE").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reversal_in_doubt_reserves_the_whole_until_it_can_not_arrive_any_more() {
    let stack = quick().await;
    let refunder = refunder(&stack).await;
    let canceler = canceler(&stack).await;
    let PaidByQr { number, amount, .. } = lost(&stack, &canceler).await;
    let details = canceler.details(&number).await;
    assert_eq!(details.refundable.get(), 0);
    let reversal = &details.reversals[0];
    assert_eq!(
        (
            reversal.state,
            reversal.amount.get(),
            reversal.staff.as_deref()
        ),
        (ReversalState::InDoubt, amount, Some("rosa"))
    );
    let refused = refunder.give_back("k", &number, 1).await;
    assert_eq!(refused.json()["reason"], "being_reversed");
    let listed = refunder
        .detail_of(ExceptionKind::ReversalUnknown, &number)
        .await;
    assert!(listed.is_some());
    let resolved = canceler.resolve("reversal_unknown", &number).await;
    assert_eq!(resolved.problem(), "not-resolvable");
    // Without a request: a state from after the latest arrival of the lost request ends it.
    until("the end of the doubt", async || {
        canceler.reversal_state(&number).await == Some(ReversalState::NotDone)
    })
    .await;
    assert!(refunder.exceptions().await.is_empty());
    assert_eq!(refunder.give_back("l", &number, amount).await.status, 201);
    assert_eq!(stack.seen("DELETE").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_believed_end_settles_a_reversal_in_doubt_at_once() {
    let stack = quick().await;
    let canceler = canceler(&stack).await;
    let PaidByQr { number, payer, .. } = paid_by_qr(&stack).await;
    // The look before the reversal has its answer, and the ones after it fail.
    let faults = [
        Fault::drop().on("DELETE", "/charges").after(),
        Fault::status(500).on("GET", "/charges").always(),
    ];
    let reversing = tokio::spawn({
        let (canceler, number) = (canceler.clone(), number.clone());
        stack
            .with_fault(Fault::delay(5000).on("DELETE", "/charges").after())
            .await;
        async move { canceler.cancel(&number, "reverse").await }
    });
    until("carried out", async || {
        stack.state_of(&number).await == "CANCELADO"
    })
    .await;
    stack.with_faults(faults).await;
    let answer = reversing.await.unwrap();
    assert_eq!(answer.problem(), "cancel-unconfirmed", "{}", answer.text);
    assert_eq!(
        canceler.reversal_state(&number).await,
        Some(ReversalState::InDoubt)
    );
    stack.without_faults().await;
    canceler
        .get(&format!("/charges/{MERCHANT}/{number}/-"))
        .await;
    assert_eq!(
        canceler.reversal_state(&number).await,
        Some(ReversalState::Done)
    );
    assert_eq!(payer.shown().await["state"], "open");
    assert!(canceler.exceptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_person_releases_a_reversal_that_no_state_ends() {
    let stack = quick().await;
    let refunder = refunder(&stack).await;
    let canceler = canceler(&stack).await;
    let second_canceler = second_canceler(&stack).await;
    let PaidByQr { number, .. } = lost(&stack, &canceler).await;
    stack
        .with_fault(Fault::unknown_state("NUEVO").on("GET", "/charges").always())
        .await;
    let id = &canceler.reversal(&number).await.reversal_id;
    assert_eq!(second_canceler.release_reversal("none").await.status, 404);
    assert_eq!(
        refunder.release_reversal(id).await.problem(),
        "permission-required"
    );
    let own = canceler.release_reversal(id).await;
    assert_eq!(
        (own.status, own.problem().as_str()),
        (403, "second-person-required")
    );
    let released = until_some("old enough", async || {
        let released = second_canceler.release_reversal(id).await;
        if released.status != 200 {
            assert_eq!(released.problem(), "not-in-doubt", "{}", released.text);
        }
        (released.status == 200).then_some(released)
    })
    .await;
    let shown = released.json();
    assert_eq!(
        (&shown["state"], &shown["released_by"]),
        (&json!("released"), &json!("sol"))
    );
    let again = second_canceler.release_reversal(id).await;
    assert_eq!(again.json()["state"], "released");
    let details = refunder.details(&number).await;
    assert_eq!(details.audit[0].action, AuditAction::ReleaseReversal);
    assert_eq!(details.exceptions, []);
    // Money leaves when the state is known again.
    let refused = refunder.give_back("k", &number, 1).await;
    assert_eq!(refused.problem(), "refunds-unknown", "{}", refused.text);
    stack.without_faults().await;
    assert_eq!(refunder.give_back("k", &number, 1).await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reversal_that_was_on_its_way_at_the_stop_is_in_doubt() {
    let mut stack = quick().await;
    let refunder = refunder(&stack).await;
    let canceler = canceler(&stack).await;
    stack
        .change_to(|config| config.timing.shutdown = Duration::from_millis(100))
        .await;
    let PaidByQr { number, .. } = paid_by_qr(&stack).await;
    stack
        .with_fault(Fault::delay(60_000).on("DELETE", "/charges"))
        .await;
    let reversing = tokio::spawn({
        let (canceler, number) = (canceler.clone(), number.clone());
        async move { canceler.cancel(&number, "reverse").await }
    });
    until("on its way", async || {
        refunder.reversal_state(&number).await == Some(ReversalState::Sending)
    })
    .await;
    stack.stop().await;
    reversing.abort();
    let_its_time_pass(&stack).await;
    stack.run().await;
    until("in doubt", async || {
        refunder.reversal_state(&number).await == Some(ReversalState::InDoubt)
    })
    .await;
    let refused = refunder.give_back("k", &number, 1).await;
    assert_eq!(refused.json()["reason"], "being_reversed");
    // A repetition is safe: the payment is given back once.
    assert_eq!(
        canceler.cancel(&number, "reverse").await.state(),
        "CANCELADO"
    );
    assert_eq!(
        refunder.reversal_state(&number).await,
        Some(ReversalState::Done)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_cancelled_while_money_of_it_is_given_back() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let canceler = canceler(&stack).await;
    let (payer, number) = waiting_qr(&stack).await;
    // An older version recorded returns before the server knew of a payment.
    let paid = paid_by_qr(&stack).await;
    let made = refunder.gave_back("k", &paid.number, 100).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let all = documents(&stack).await;
    let of_paid = all.iter().find(|(number, _)| *number == paid.number);
    let returns = &of_paid.unwrap().1["returns"];
    edit(&stack, |edited, document| {
        document["returns"] = if edited == number {
            returns.clone()
        } else {
            json!([])
        };
    })
    .await;
    let refused = payer.cancel(&number).await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (409, "cannot-cancel-now")
    );
    let other = installment(&payer.order_id, "https://shop.example/back");
    let refused = payer.replace("other", &number, &other).await;
    assert_eq!(refused.problem(), "operation-unconfirmed");
    let refused = canceler.cancel(&number, "cancel").await;
    assert_eq!(refused.problem(), "reversal-refused");
    assert_eq!(refused.json()["given_back"], 100);
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reversal_counts_against_what_an_account_may_give_back() {
    let stack = Stack::start().await;
    let limited_canceler = limited_canceler(&stack).await;
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    let refused = limited_canceler.cancel(&number, "reverse").await;
    assert_eq!(refused.problem(), "reversal-refused", "{}", refused.text);
    let told = refused.json();
    assert_eq!(
        (&told["reason"], &told["left"], &told["paid"]),
        (&json!("over_limit"), &json!(1000), &json!(amount))
    );
    assert!(stack.seen("DELETE").await.is_empty());
    // An unpaid operation gives nothing back.
    let waiting = stack.payer().await.pay_by_qr("k").await.number();
    assert_eq!(
        limited_canceler.cancel(&waiting, "reverse").await.state(),
        "CANCELADO"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_was_reversed_though_something_was_given_back_is_listed_with_both_amounts() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    let id = refunder.give_back("k", &number, 300).await.json()["return_id"].clone();
    refunder.end_return(id.as_str().unwrap(), "done").await;
    assert!(refunder.exceptions().await.is_empty());
    // A reversal in the processor's own back office.
    stack.drive(&number, "reverse").await;
    refunder
        .get(&format!("/charges/{MERCHANT}/{number}/-"))
        .await;
    let detail = refunder
        .detail_of(ExceptionKind::GivenBackBeyond, &number)
        .await
        .unwrap();
    assert!(
        detail.contains(&format!("{amount} cents was reversed")) && detail.contains("300 cents"),
        "{detail}"
    );
    let resolved = refunder.resolve("given_back_beyond", &number).await;
    assert_eq!(resolved.status, 204);
    assert!(refunder.exceptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn returns_and_reversals_at_once_never_give_back_more_than_was_paid() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let canceler = canceler(&stack).await;
    for _ in 0..4 {
        let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
        let mut returns = Vec::new();
        for at in 0..4 {
            let (refunder, number) = (refunder.clone(), number.clone());
            returns.push(tokio::spawn(async move {
                let key = format!("{number} {at}");
                refunder.give_back(&key, &number, amount / 2).await.status
            }));
        }
        let reversed = canceler.cancel(&number, "reverse").await.status == 200;
        let mut given_back = if reversed { amount } else { 0 };
        for task in returns {
            given_back += u64::from(task.await.unwrap() == 201) * (amount / 2);
        }
        assert!(given_back <= amount, "{given_back} of {amount}");
        assert_eq!(stack.state_of(&number).await == "CANCELADO", reversed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_refunded_beside_a_reversal_in_doubt() {
    let stack = Stack::start_with(|config| {
        config.release_after = Duration::from_secs(3600);
    })
    .await;
    let refunder = refunder(&stack).await;
    let canceler = canceler(&stack).await;
    let number = paid_installments(&stack).await.number;
    stack
        .with_fault(Fault::drop().on("DELETE", "/charges"))
        .await;
    let answer = canceler.cancel(&number, "reverse").await;
    assert_eq!(answer.problem(), "cancel-unconfirmed", "{}", answer.text);
    stack.drive(&number, "settle").await;
    let refused = refunder.refund("k", &[part(&number, 1)]).await;
    assert_eq!(refusal(&refused).0, RefundRefusalReason::BeingReversed);
    assert!(stack.seen_at("POST", "/refund").await.is_empty());
}
