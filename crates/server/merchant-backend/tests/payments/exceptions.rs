use crate::support::fault::Fault;
use crate::support::roles::{canceler, refunder, viewer};
use crate::support::sales::{paid_installments, settled_installments, waiting_qr};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::part;
use crate::support::wait::until;
use serde_json::json;
use staff_model::{AuditAction, ExceptionKind};
use std::time::Duration;

fn found(kind: &str, number: &str) -> (String, String) {
    (kind.to_owned(), number.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_on_what_was_given_up_and_a_second_one_are_listed() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("k1").await.number();
    payer.cancel(&first).await;
    assert!(refunder.exceptions().await.is_empty());
    let second = payer.pay_by_qr("k2").await.number();
    stack.pay_late(&first).await;
    refunder
        .get(&format!("/charges/{MERCHANT}/{first}/-"))
        .await;
    assert_eq!(refunder.exceptions().await, [found("paid_late", &first)]);
    assert_eq!(
        refunder.details(&first).await.row.exceptions,
        [ExceptionKind::PaidLate]
    );

    // The second code was withdrawn, and is paid in spite of that.
    until("the second code to be withdrawn", async || {
        stack.state_of(&second).await == "CANCELADO"
    })
    .await;
    stack.pay_late(&second).await;
    refunder
        .get(&format!("/charges/{MERCHANT}/{second}/-"))
        .await;
    let mut all = refunder.exceptions().await;
    all.sort();
    let mut expected = vec![
        found("paid_late", &first),
        found("paid_late", &second),
        found("paid_twice", &first),
        found("paid_twice", &second),
    ];
    expected.sort();
    assert_eq!(all, expected);
    let details = refunder.details(&second).await;
    assert!(details.order.paid_twice);
    assert_eq!(details.order.operations.len(), 2);

    // One of them is given back by hand: the order is not paid twice any more.
    let amount = details.row.amount.get();
    let kinds = async || -> Vec<String> {
        let all = refunder.exceptions().await;
        all.into_iter().map(|(kind, _)| kind).collect()
    };
    let reserved = refunder.give_back("r", &second, amount).await.json();
    // A reserved return gives nothing back yet.
    assert!(kinds().await.contains(&"paid_twice".to_owned()));
    let id = reserved["return_id"].as_str().unwrap();
    assert_eq!(refunder.end_return(id, "done").await.status, 200);
    let kinds = kinds().await;
    assert!(!kinds.contains(&"paid_twice".to_owned()), "{kinds:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exception_that_staff_dealt_with_leaves_the_list_with_a_reason() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let (payer, number) = waiting_qr(&stack).await;
    payer.cancel(&number).await;
    stack.pay_late(&number).await;
    refunder
        .get(&format!("/charges/{MERCHANT}/{number}/-"))
        .await;
    let viewer = viewer(&stack).await;
    assert_eq!(
        viewer.resolve("paid_late", &number).await.problem(),
        "permission-required"
    );
    assert_eq!(refunder.resolve("paid_late", "unknown").await.status, 404);
    for kind in ["unknown", "late", ""] {
        let refused = refunder.resolve(kind, "unknown").await;
        assert_eq!(
            (refused.status, &refused.json()["field"]),
            (400, &json!("kind"))
        );
    }
    let numberless = refunder.resolve("paid_late", "").await;
    assert_eq!(
        (numberless.status, &numberless.json()["field"]),
        (400, &json!("merchant_operation_number"))
    );
    assert_eq!(
        refunder.resolve("odd", &number).await.problem(),
        "bad-request"
    );
    assert_eq!(refunder.resolve("paid_late", &number).await.status, 204);
    assert!(refunder.exceptions().await.is_empty());
    let entry = refunder.details(&number).await.audit.remove(0);
    assert_eq!(
        (entry.action, entry.staff.as_str()),
        (AuditAction::Resolve, "ana")
    );
    assert_eq!(entry.detail, "paid_late: spoke to the payer");
}

#[tokio::test(flavor = "multi_thread")]
async fn doubts_are_listed_until_they_are_settled() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let payer = stack.payer().await;
    // Both tries of the request are lost, and so is every attempt to settle the doubts.
    stack
        .with_faults([
            Fault::drop().on("POST", "/charges").after().times(2),
            Fault::status(500).on("DELETE", "*").always(),
        ])
        .await;
    assert_eq!(payer.pay_by_qr("k").await.status, 503);
    let exceptions = refunder.exceptions().await;
    assert_eq!(exceptions.len(), 2, "{exceptions:?}");
    let (kind, number) = exceptions[0].clone();
    assert_eq!(kind, "in_doubt");
    assert_eq!(refunder.search("state=none").await.len(), 2);
    assert_eq!(
        refunder.resolve("in_doubt", &number).await.problem(),
        "not-resolvable"
    );
    stack.without_faults().await;
    // Staff need not wait for the background.
    let canceler = canceler(&stack).await;
    assert_eq!(
        canceler.cancel(&number, "cancel").await.state(),
        "CANCELADO"
    );
    until("the doubts to be settled", async || {
        refunder.exceptions().await.is_empty()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_of_another_amount_is_listed_with_what_was_answered() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let (_, number) = waiting_qr(&stack).await;
    stack
        .with_fault(
            Fault::replace("/operation/transactions/0/amount", "1")
                .on("GET", "*")
                .times(2),
        )
        .await;
    refunder
        .get(&format!("/charges/{MERCHANT}/{number}/-"))
        .await;
    assert_eq!(refunder.exceptions().await, [found("mismatch", &number)]);
    let details = refunder.details(&number).await;
    let detail = details.exceptions[0].detail.as_str();
    assert!(
        detail.contains("\"1\"") && detail.contains("6580"),
        "{detail}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn payments_that_stay_unsettled_are_listed() {
    let stack = Stack::start_with(|config| config.settlement_due = Duration::ZERO).await;
    let refunder = refunder(&stack).await;
    let sale = paid_installments(&stack).await;
    let look_up = format!("/charges/{MERCHANT}/{}/-", sale.number);
    assert_eq!(refunder.get(&look_up).await.status, 200);
    assert_eq!(
        refunder.exceptions().await,
        [found("not_settled", &sale.number)]
    );
    stack.drive(&sale.number, "settle").await;
    assert_eq!(refunder.get(&look_up).await.state(), "LIQUIDADO");
    assert!(refunder.exceptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_of_unknown_outcome_is_listed() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    stack.with_fault(Fault::drop().on("POST", "/refund")).await;
    refunder.refund("k", &[part(&sale.number, 100)]).await;
    assert_eq!(
        refunder.exceptions().await,
        [found("refund_unknown", &sale.number)]
    );
    let answer = refunder.resolve("refund_unknown", &sale.number).await;
    assert_eq!(answer.problem(), "not-resolvable");
}
