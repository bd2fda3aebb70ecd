//! Answers with status 200 and without an accepted result prove nothing.

use crate::support::fault::Fault;
use crate::support::roles::{canceler, refunder, second_refunder};
use crate::support::sales::{settled_installments, waiting_qr};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::{attempt, part};
use crate::support::wait::until;
use serde_json::{Value, json};
use staff_model::{AttemptState, ReversalState};

/// An answer without success, and one with another code.
fn unaccepted() -> [Fault; 2] {
    [
        Fault::replace("/success", "false"),
        Fault::replace("/meta/status/code", "99"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authorization_without_an_accepted_result_is_told_like_a_lost_answer() {
    for fault in unaccepted() {
        let stack = Stack::start().await;
        let payer = stack.payer().await;
        stack.with_fault(fault.on("POST", "/charges")).await;
        // The payer gets the code of a second request, and never that of the first.
        let shown = payer.pay_by_qr("k").await;
        let first = stack.seen("POST").await[0]["merchant_operation_number"].clone();
        let first = first.as_str().unwrap();
        assert_ne!(shown.number(), first);
        // The transaction in the answer is a way to ask; then the code is withdrawn.
        until("withdrawn", async || {
            stack.state_of(first).await == "CANCELADO"
        })
        .await;
        let asked = stack.seen("GET").await;
        assert!(
            asked
                .iter()
                .any(|one| one["merchant_operation_number"] == *first)
        );
        assert_eq!(stack.state_of(&shown.number()).await, "PENDIENTE");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_without_an_accepted_result_changes_nothing() {
    for fault in unaccepted() {
        let stack = Stack::start().await;
        let (payer, number) = waiting_qr(&stack).await;
        stack.with_fault(fault.on("GET", "/charges").always()).await;
        stack.drive(&number, "pay").await;
        until("asked", async || stack.seen("GET").await.len() > 1).await;
        let status = payer.status(&number).await;
        assert_eq!(status.state(), "PENDIENTE");
        assert_eq!(payer.shown().await["state"], "open");
        let canceled = payer.cancel(&number).await;
        assert_eq!(canceled.problem(), "payment-service-unavailable");
        assert!(stack.seen("DELETE").await.is_empty());
        let refunder = refunder(&stack).await;
        assert!(refunder.exceptions().await.is_empty());
        stack.without_faults().await;
        payer.until_paid().await;
        assert!(refunder.exceptions().await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_without_an_accepted_result_is_in_doubt() {
    for fault in unaccepted() {
        let stack = Stack::start().await;
        let (payer, number) = waiting_qr(&stack).await;
        let deleted = fault
            .on("DELETE", "/charges")
            .then(Fault::status(500).on("GET", "/charges").always());
        stack.with_fault(deleted).await;
        let answer = payer.cancel(&number).await;
        assert_eq!(answer.problem(), "cancel-unconfirmed", "{}", answer.text);
        let canceler = canceler(&stack).await;
        assert_eq!(
            canceler.reversal_state(&number).await,
            Some(ReversalState::InDoubt)
        );
        stack.without_faults().await;
        until("the end", async || {
            payer.status(&number).await.state() == "CANCELADO"
        })
        .await;
        assert_eq!(
            canceler.reversal_state(&number).await,
            Some(ReversalState::Done)
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_refunds_without_an_accepted_result_proves_nothing() {
    for fault in unaccepted() {
        let stack = Stack::start().await;
        let sale = settled_installments(&stack).await;
        let refunder = refunder(&stack).await;
        let second_refunder = second_refunder(&stack).await;
        // The service registers the refund, its answer is lost, and no list shows it.
        let empty = |pointer: &str, value: Value| {
            Fault::replace(pointer, value).on("GET", "/refund").always()
        };
        let refunded = Fault::drop()
            .on("POST", "/refund")
            .after()
            .then(fault.on("GET", "/refund").always())
            .then(empty("/operations", json!([])))
            .then(empty("/operations_count", json!("0")));
        stack.with_fault(refunded).await;
        let answer = refunder.refund("k", &[part(&sale.number, 100)]).await;
        let doubt = attempt(&answer);
        assert_eq!(doubt.state, AttemptState::InDoubt, "{}", answer.text);
        let id = &doubt.attempt_id;
        let released = second_refunder.release(id, "it is not there").await;
        assert_eq!(released.problem(), "refunds-unknown", "{}", released.text);
        let refused = refunder.refund("l", &[part(&sale.number, 100)]).await;
        assert_eq!(refused.problem(), "refunds-unknown", "{}", refused.text);
        assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
        stack.without_faults().await;
        until("found", async || {
            refunder.refunds(&sale.number).await;
            let details = refunder.details(&sale.number).await;
            details.attempts[0].state == AttemptState::Registered
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_without_an_accepted_result_is_queried() {
    for fault in unaccepted() {
        let stack = Stack::start().await;
        let sale = settled_installments(&stack).await;
        let refunder = refunder(&stack).await;
        stack.with_fault(fault.on("POST", "/refund")).await;
        let answer = refunder.refund("k", &[part(&sale.number, 100)]).await;
        assert_eq!(
            attempt(&answer).state,
            AttemptState::Registered,
            "{}",
            answer.text
        );
        let detail = attempt(&answer).detail;
        assert_eq!(detail, "found among the refunds that the service has");
        assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_not_accepted_is_counted() {
    let stack = Stack::start().await;
    let (_, number) = waiting_qr(&stack).await;
    let [_, code] = unaccepted();
    stack.with_fault(code.on("GET", "/charges")).await;
    let refunder = refunder(&stack).await;
    let looked = refunder
        .get(&format!("/charges/{MERCHANT}/{number}/-"))
        .await;
    assert_eq!(
        looked.problem(),
        "payment-service-unavailable",
        "{}",
        looked.text
    );
    assert!(
        looked.json()["detail"]
            .as_str()
            .unwrap()
            .contains("code 99")
    );
    let url = stack.base().replace("/api", "/metrics");
    let metrics = stack.client.get(url).send().await.unwrap();
    let metrics = metrics.text().await.unwrap();
    let counted = "payments_service_requests_total{kind=\"query\",answered=\"Unaccepted\"} 1";
    assert!(metrics.contains(counted), "{metrics}");
}
