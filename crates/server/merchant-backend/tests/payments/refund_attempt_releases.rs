use crate::refunds::refund_elsewhere;
use crate::support::fault::Fault;
use crate::support::roles::{refunder, second_refunder};
use crate::support::sales::settled_installments;
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::{StaffClient, attempt, part, refusal};
use reqwest::Method;
use serde_json::json;
use staff_model::{AttemptState, AuditAction};

async fn doubtful(stack: &Stack) -> (String, u64, String) {
    let refunder = refunder(stack).await;
    let sale = settled_installments(stack).await;
    stack.with_fault(Fault::drop().on("POST", "/refund")).await;
    let answer = refunder.refund("doubt", &[part(&sale.number, 100)]).await;
    let made = attempt(&answer);
    assert_eq!(made.state, AttemptState::InDoubt, "{}", answer.text);
    (sale.number, sale.amount, made.attempt_id)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_person_releases_a_doubt_after_a_query() {
    let stack = Stack::start().await;
    let (number, amount, id) = doubtful(&stack).await;
    let refunder = refunder(&stack).await;
    let second_refunder = second_refunder(&stack).await;
    let own = refunder.release(&id, "I am sure").await;
    assert_eq!(
        (own.status, own.problem().as_str()),
        (403, "second-person-required")
    );
    assert_eq!(
        second_refunder.release(&id, " ").await.json()["field"],
        "reason"
    );
    assert_eq!(
        second_refunder.release("unknown", "because").await.status,
        404
    );
    stack
        .with_fault(Fault::drop().on("GET", "/refund").times(50))
        .await;
    let unseen = second_refunder.release(&id, "because").await;
    assert_eq!(
        (unseen.status, unseen.problem().as_str()),
        (503, "refunds-unknown")
    );
    stack.without_faults().await;
    let looks = stack.seen_at("GET", "/refund").await.len();
    assert_eq!(second_refunder.unknown(&number).await.len(), 1);
    assert_eq!(resolve(&second_refunder, &number).await, 409);
    let released = second_refunder
        .release(&id, "the service said so on the phone")
        .await;
    assert_eq!(released.status, 200, "{}", released.text);
    assert!(stack.seen_at("GET", "/refund").await.len() > looks);
    let shown = released.json();
    assert_eq!(
        (&shown["state"], &shown["released_by"]),
        (&json!("released"), &json!("bea"))
    );
    assert_eq!(
        second_refunder.release(&id, "because").await.problem(),
        "not-in-doubt"
    );
    let details = second_refunder.details(&number).await;
    assert_eq!(details.refundable.get(), amount);
    assert_eq!(details.attempts[0].state, AttemptState::Released);
    assert_eq!(details.exceptions, []);
    let audit = details.audit.iter();
    let acts: Vec<_> = audit
        .map(|entry| (entry.action.clone(), entry.staff.as_str()))
        .collect();
    assert_eq!(
        acts,
        [
            (AuditAction::ReleaseAttempt, "bea"),
            (AuditAction::Refund, "ana")
        ]
    );
    let whole = refunder.refund("whole", &[part(&number, amount)]).await;
    assert_eq!(attempt(&whole).state, AttemptState::Registered);
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_the_service_may_still_process_is_not_released() {
    let stack = Stack::start_with(|config| {
        config.release_after = std::time::Duration::from_secs(3600);
    })
    .await;
    let (number, amount, id) = doubtful(&stack).await;
    let second_refunder = second_refunder(&stack).await;
    let early = second_refunder.release(&id, "because").await;
    assert_eq!(
        (early.status, early.problem().as_str()),
        (409, "not-in-doubt")
    );
    assert_eq!(second_refunder.refundable(&number).await, amount - 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_that_the_service_has_is_not_released() {
    let stack = Stack::start().await;
    let (number, _, id) = doubtful(&stack).await;
    refund_elsewhere(&stack, &number, 100, &json!({"attempt_id": id})).await;
    let second_refunder = second_refunder(&stack).await;
    let refused = second_refunder.release(&id, "because").await;
    assert_eq!(refused.problem(), "not-in-doubt");
    assert_eq!(refused.json()["state"], "registered");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_is_found_after_its_release_counts_again() {
    let stack = Stack::start().await;
    let (number, amount, id) = doubtful(&stack).await;
    let second_refunder = second_refunder(&stack).await;
    assert_eq!(second_refunder.release(&id, "because").await.status, 200);
    // The lost request arrives after all.
    refund_elsewhere(&stack, &number, 100, &json!({"attempt_id": id})).await;
    let refused = second_refunder
        .refund("whole", &[part(&number, amount)])
        .await;
    assert_eq!(refusal(&refused).1, Some(amount - 100));
    let refused = second_refunder.release(&id, "because").await;
    assert_eq!(refused.json()["state"], "registered");
    let details = second_refunder.details(&number).await;
    assert_eq!(details.attempts[0].state, AttemptState::Registered);
    assert_eq!(details.refundable.get(), amount - 100);
    let unknown = second_refunder.unknown(&number).await;
    assert!(
        unknown.len() == 1 && unknown[0].contains("after all"),
        "{unknown:?}"
    );
    assert_eq!(resolve(&second_refunder, &number).await, 204);
    assert!(second_refunder.unknown(&number).await.is_empty());
}

async fn resolve(staff: &StaffClient, number: &str) -> u16 {
    let body = json!({
        "merchant_code": MERCHANT, "merchant_operation_number": number,
        "kind": "refund_unknown", "reason": "seen",
    });
    let answer = staff.send(Method::POST, "/exceptions/resolve", None, Some(&body));
    answer.await.status
}
