//! Staff cancel and reverse operations, which appear everywhere as what they are then.

use crate::support::fault::Fault;
use crate::support::roles::{canceler, refunder, viewer};
use crate::support::sales::{paid_installments, settled_installments, waiting_qr};
use crate::support::stack::{MERCHANT, Stack};
use payment_model::{Outcome, TransactionState};
use staff_model::{OperationDetails, OperationRow, SearchPage};

/// The acts of the canceler on an operation, in their order.
fn acts(details: &OperationDetails) -> Vec<String> {
    let audit = details.audit.iter();
    let mut acts: Vec<String> = audit
        .map(|entry| {
            assert_eq!(entry.staff, "rosa");
            format!("{} {}", entry.action.as_str(), entry.detail)
        })
        .collect();
    acts.reverse();
    acts
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_operation_is_cancelled_by_staff_and_the_act_is_on_record() {
    let stack = Stack::start().await;
    let canceler = canceler(&stack).await;
    let (payer, number) = waiting_qr(&stack).await;
    assert_eq!(
        canceler.cancel(&number, "cancel").await.state(),
        "CANCELADO"
    );
    assert_eq!(payer.status(&number).await.state(), "CANCELADO");
    let details = canceler.details(&number).await;
    assert_eq!(
        acts(&details),
        [
            "cancel asked for it, state PENDIENTE",
            "cancel done, state CANCELADO"
        ]
    );
    // A repetition succeeds, and sends nothing.
    assert_eq!(
        canceler.cancel(&number, "cancel").await.state(),
        "CANCELADO"
    );
    assert_eq!(stack.seen("DELETE").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_landed_meanwhile_is_not_reversed_by_a_cancellation() {
    let stack = Stack::start().await;
    let canceler = canceler(&stack).await;
    let (payer, number) = waiting_qr(&stack).await;
    stack.drive(&number, "pay").await;
    for intent in ["cancel", ""] {
        let answer = canceler.cancel(&number, intent).await;
        assert_eq!(answer.problem(), "operation-paid");
        assert_eq!(answer.json()["state"], "AUTORIZADO");
    }
    assert!(stack.seen("DELETE").await.is_empty());
    assert_eq!(payer.shown().await["state"], "paid");
    let answer = canceler.cancel(&number, "undo").await;
    assert_eq!(answer.json()["field"], "intent");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reversed_payment_is_seen_by_its_payer_and_opens_the_order() {
    let stack = Stack::start().await;
    let canceler = canceler(&stack).await;
    let (payer, number) = waiting_qr(&stack).await;
    stack.drive(&number, "pay").await;
    let answer = canceler.cancel(&number, "reverse").await;
    assert_eq!(answer.state(), "CANCELADO");
    let status = payer.status(&number).await.json();
    let lifecycle = &status["operation"]["transactions"][0]["lifecycle"];
    assert!(lifecycle.to_string().contains("AUTORIZADO"));
    assert_eq!(payer.shown().await["state"], "open");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_settled_payment_cannot_be_reversed() {
    let stack = Stack::start().await;
    let canceler = canceler(&stack).await;
    let number = settled_installments(&stack).await.number;
    assert_eq!(
        canceler.cancel(&number, "reverse").await.problem(),
        "operation-settled"
    );
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_to_a_staff_cancellation_is_queried_before_the_answer() {
    let stack = Stack::start().await;
    let canceler = canceler(&stack).await;
    let number = paid_installments(&stack).await.number;
    stack
        .with_fault(Fault::drop().on("DELETE", "*").after())
        .await;
    assert_eq!(
        canceler.cancel(&number, "reverse").await.state(),
        "CANCELADO"
    );

    let number = paid_installments(&stack).await.number;
    stack
        .with_faults([
            Fault::drop().on("DELETE", "*"),
            Fault::status(500).on("GET", "/nowhere").times(9),
        ])
        .await;
    assert_eq!(
        canceler.cancel(&number, "reverse").await.problem(),
        "cancel-unconfirmed"
    );
    assert_eq!(stack.state_of(&number).await, "AUTORIZADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_are_told_what_is_wrong_with_the_service() {
    let stack = Stack::start().await;
    let canceler = canceler(&stack).await;
    let number = paid_installments(&stack).await.number;
    let look_up = format!("/charges/{MERCHANT}/{number}/-");
    assert_eq!(canceler.get(&look_up).await.state(), "AUTORIZADO");
    stack.with_fault(Fault::status(401).times(4)).await;
    assert_eq!(
        canceler.get(&look_up).await.problem(),
        "payment-service-token"
    );
    assert_eq!(
        canceler.cancel(&number, "reverse").await.problem(),
        "payment-service-token"
    );
    stack.with_fault(Fault::status(500)).await;
    let answer = canceler.get(&look_up).await;
    assert_eq!(answer.problem(), "payment-service-unavailable");
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
    stack.with_fault(Fault::status(409).on("DELETE", "*")).await;
    let answer = canceler.cancel(&number, "reverse").await;
    assert_eq!(answer.problem(), "payment-service-refused");
    assert_eq!(answer.json()["service_status"], 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_may_not_cancel_cancels_nothing() {
    let stack = Stack::start().await;
    let number = stack.payer().await.pay_by_qr("k").await.number();
    for staff in [viewer(&stack).await, refunder(&stack).await] {
        let answer = staff.cancel(&number, "cancel").await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (403, "permission-required")
        );
    }
    let canceler = canceler(&stack).await;
    assert_eq!(canceler.cancel("unknown", "cancel").await.status, 404);
    let other = format!("/charges/{MERCHANT}/{number}/another");
    assert_eq!(canceler.get(&other).await.status, 404);
    assert!(stack.seen("DELETE").await.is_empty());
}

/// The state and the outcome of a row.
fn state_and_outcome(row: &OperationRow) -> (Option<&str>, Option<Outcome>) {
    (
        row.state.as_ref().map(TransactionState::as_str),
        row.outcome,
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reversed_payment_is_reversed_in_lists_details_and_files() {
    let stack = Stack::start().await;
    let canceler = canceler(&stack).await;
    let reversed = paid_installments(&stack).await.number;
    assert_eq!(
        canceler.cancel(&reversed, "reverse").await.state(),
        "CANCELADO"
    );
    let cancelled = stack.payer().await.pay_by_qr("k").await.number();
    assert_eq!(
        canceler.cancel(&cancelled, "cancel").await.state(),
        "CANCELADO"
    );
    let waiting = stack.payer().await.pay_by_qr("k").await.number();
    for (number, state, outcome) in [
        (&reversed, "CANCELADO", Some(Outcome::Reversed)),
        (&cancelled, "CANCELADO", Some(Outcome::Cancelled)),
        (&waiting, "PENDIENTE", None),
    ] {
        let wanted = (Some(state), outcome);
        let found = canceler.get(&format!("/operations?q={number}")).await;
        let found = found.read::<SearchPage>().operations;
        assert_eq!(state_and_outcome(&found[0]), wanted, "{number}");
        let details = canceler.details(number).await;
        assert_eq!(state_and_outcome(&details.row), wanted);
        assert_eq!(state_and_outcome(&details.order.operations[0]), wanted);
        let file = canceler
            .get(&format!("/operations.csv?q={number}"))
            .await
            .text;
        let line = file.lines().nth(1).unwrap();
        let start = format!("{MERCHANT},{number},");
        assert!(line.starts_with(&start), "{line}");
        assert!(line.contains(&format!(",{state},")), "{line}");
        let end = format!(",{},R-10", outcome.map_or("", Outcome::as_str));
        assert!(line.contains(&end), "{line}");
    }
}
