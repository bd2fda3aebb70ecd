use crate::support::fault::Fault;
use crate::support::payer::Answer;
use crate::support::roles::{daily_limited, limited_refunder, refunder, second_refunder, viewer};
use crate::support::sales::{
    PaidByQr, paid_by_qr, paid_installments, settled_installments, waiting_qr,
};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::{self, item};
use crate::support::wait::until_some;
use payment_model::Cents;
use reqwest::Method;
use serde_json::json;
use staff_model::{
    AttemptState, AuditAction, ExceptionKind, ManualReturn, RefundRefusalReason,
    ReturnRefusalReason, ReturnRefused, ReturnState,
};

/// Why a return was refused, and the largest amount in cents that would not be.
fn refusal(answer: &Answer) -> (ReturnRefusalReason, Option<u64>) {
    assert_eq!(answer.problem(), "return-refused", "{}", answer.text);
    let refused: ReturnRefused = answer.read();
    (refused.reason, refused.left.map(Cents::get))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_the_service_cannot_refund_is_returned_by_hand() {
    let mut stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    let refunder = refunder(&stack).await;
    let early = refunder.give_back("0", &number, 1).await;
    assert_eq!(
        (early.status, early.problem().as_str()),
        (400, "return-refused")
    );
    assert_eq!(refusal(&early), (ReturnRefusalReason::NotPaid, None));
    stack.drive(&number, "pay").await;
    payer.until_paid().await;
    let amount = refunder.details(&number).await.row.amount.get();
    let recorded = refunder.give_back("1", &number, 300).await;
    assert_eq!(recorded.status, 201, "{}", recorded.text);
    let made: ManualReturn = recorded.read();
    assert_eq!((made.amount.get(), made.staff.as_str()), (300, "ana"));
    stack.restart().await;
    assert_eq!(
        refunder.give_back("1", &number, 300).await.text,
        recorded.text
    );
    let reused = refunder.give_back("1", &number, 301).await;
    assert_eq!(reused.problem(), "idempotency-key-reused");
    let more = refunder.give_back("2", &number, amount - 299).await;
    assert_eq!(
        refusal(&more),
        (ReturnRefusalReason::MoreThanIsLeft, Some(amount - 300))
    );
    let limited_refunder = limited_refunder(&stack).await;
    let capped = limited_refunder.give_back("3", &number, 1001).await;
    assert_eq!(refusal(&capped).0, ReturnRefusalReason::OverLimit);
    let rest = refunder.give_back("4", &number, amount - 300).await;
    assert_eq!(rest.status, 201);
    let unknown = refunder.give_back("5", "unknown", 1).await;
    assert_eq!(unknown.status, 404);
    let details = refunder.details(&number).await;
    assert_eq!(details.refundable.get(), 0);
    assert_eq!(details.returns.len(), 2);
    assert_eq!(details.audit[0].action, AuditAction::Return);
    let whole = item("TOTAL", &number, &amount.to_string());
    let refused = refunder.refund("6", &[whole]).await;
    assert_eq!(
        staff_client::refusal(&refused).0,
        RefundRefusalReason::MethodNotRefundable
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_the_service_refunds_is_not_returned_by_hand() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    for sale in [
        paid_installments(&stack).await,
        settled_installments(&stack).await,
    ] {
        let key = format!("k{}", sale.number);
        let refused = until_some("known as paid", async || {
            let refused = refunder.give_back(&key, &sale.number, 1).await;
            let (reason, _) = refusal(&refused);
            (reason != ReturnRefusalReason::NotPaid).then_some(reason)
        })
        .await;
        assert_eq!(refused, ReturnRefusalReason::Refundable);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_returns_at_once_never_exceed_what_was_paid() {
    let stack = Stack::start().await;
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    let refunder = refunder(&stack).await;
    let mut tasks = Vec::new();
    for at in 0..12 {
        let (refunder, number) = (refunder.clone(), number.clone());
        tasks.push(tokio::spawn(async move {
            refunder
                .give_back(&format!("k{at}"), &number, amount / 4 + 1)
                .await
                .status
        }));
    }
    let mut recorded = 0;
    for task in tasks {
        recorded += u32::from(task.await.unwrap() == 201);
    }
    assert_eq!(recorded, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_return_is_reserved_before_the_money_leaves_and_then_made_or_given_up() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    let open: ManualReturn = refunder.give_back("1", &number, amount).await.read();
    assert_eq!(
        (open.state, open.already_made, open.ended_by),
        (ReturnState::Open, false, None)
    );
    assert_eq!(refunder.refundable(&number).await, 0);
    let id = open.return_id.as_str();
    // The one who reserved it may give it up.
    let ended = refunder.end_return(id, "given-up").await;
    assert_eq!(ended.status, 200, "{}", ended.text);
    let given_up: ManualReturn = ended.read();
    assert_eq!(
        (given_up.state, given_up.ended_by.as_deref()),
        (ReturnState::GivenUp, Some("ana"))
    );
    assert_eq!(refunder.end_return(id, "given-up").await.text, ended.text);
    let otherwise = refunder.end_return(id, "done").await;
    assert_eq!(
        (otherwise.status, otherwise.problem().as_str()),
        (409, "return-ended")
    );
    assert_eq!(refunder.refundable(&number).await, amount);
    let made: ManualReturn = refunder.give_back("2", &number, 300).await.read();
    let made = refunder.end_return(&made.return_id, "done").await;
    assert_eq!(made.read::<ManualReturn>().state, ReturnState::Done);
    let details = refunder.details(&number).await;
    assert_eq!(details.refundable.get(), amount - 300);
    assert_eq!(details.audit[0].action, AuditAction::ReturnDone);
    assert!(refunder.exceptions().await.is_empty());
    assert_eq!(refunder.end_return("none", "done").await.status, 404);
    let viewer = viewer(&stack).await;
    assert_eq!(viewer.end_return(id, "done").await.status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_return_of_another_member_is_given_up_by_two_people() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let second_refunder = second_refunder(&stack).await;
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    let open: ManualReturn = refunder.give_back("1", &number, amount).await.read();
    let id = open.return_id.as_str();
    // Ana may have sent the money by now.
    let asked = second_refunder.end_return(id, "given-up").await;
    assert_eq!(asked.status, 202, "{}", asked.text);
    let open: ManualReturn = asked.read();
    assert_eq!(
        (open.state, open.give_up_asked_by.as_deref()),
        (ReturnState::Open, Some("bea"))
    );
    assert_eq!(refunder.refundable(&number).await, 0);
    assert_eq!(
        second_refunder.end_return(id, "given-up").await.problem(),
        "second-person-required"
    );
    let daily_limited = daily_limited(&stack).await;
    let ended = daily_limited.end_return(id, "given-up").await;
    assert_eq!(ended.status, 200, "{}", ended.text);
    assert_eq!(
        ended.read::<ManualReturn>().ended_by.as_deref(),
        Some("ivo")
    );
    let details = refunder.details(&number).await;
    assert_eq!(details.refundable.get(), amount);
    let audit = details.audit[..2].iter();
    let acts: Vec<_> = audit
        .map(|entry| (entry.action.clone(), entry.staff.as_str()))
        .collect();
    assert_eq!(
        acts,
        [
            (AuditAction::ReturnGivenUp, "ivo"),
            (AuditAction::AskReturnGivenUp, "bea")
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_return_that_was_made_already_is_recorded_and_listed_with_its_amounts() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let second_refunder = second_refunder(&stack).await;
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    assert_eq!(
        refunder.give_back("1", &number, amount - 300).await.status,
        201
    );
    let made = refunder.gave_back("2", &number, 300).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let made: ManualReturn = made.read();
    assert_eq!((made.state, made.already_made), (ReturnState::Done, true));
    let unreserved = refunder
        .detail_of(ExceptionKind::ReturnUnreserved, &number)
        .await
        .unwrap();
    assert!(unreserved.contains("300 cents"), "{unreserved}");
    // More than the rest takes its amount at once, and counts as made once another person confirms.
    let beyond: ManualReturn = refunder.gave_back("3", &number, 500).await.read();
    assert_eq!(
        (beyond.state, beyond.already_made),
        (ReturnState::Open, true)
    );
    let listed = refunder
        .detail_of(ExceptionKind::GivenBackBeyond, &number)
        .await
        .unwrap();
    assert!(
        listed.contains(&format!("{amount} cents stand paid")),
        "{listed}"
    );
    let id = beyond.return_id.as_str();
    assert_eq!(
        refunder.end_return(id, "done").await.problem(),
        "second-person-required"
    );
    let confirmed = second_refunder.end_return(id, "done").await;
    assert_eq!(confirmed.status, 200, "{}", confirmed.text);
    let confirmed: ManualReturn = confirmed.read();
    assert_eq!(confirmed.ended_by.as_deref(), Some("bea"));
    let odd = json!({
        "merchant_code": MERCHANT, "merchant_operation_number": number, "amount": 1,
        "reason": "x", "already_made": "yes",
    });
    let odd = refunder
        .send(Method::POST, "/returns", Some("4"), Some(&odd))
        .await;
    assert_eq!(odd.json()["field"], "already_made");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_return_that_was_made_already_is_bounded_by_what_was_paid_and_by_the_limit() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let limited_refunder = limited_refunder(&stack).await;
    let (payer, waiting) = waiting_qr(&stack).await;
    let refused = refunder.gave_back("1", &waiting, 1).await;
    assert_eq!(refusal(&refused).0, ReturnRefusalReason::NotPaid);
    // The payer's own way stays open.
    assert_eq!(payer.cancel(&waiting).await.status, 200);
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    let refused = refunder.gave_back("2", &number, amount + 1).await;
    assert_eq!(
        refusal(&refused),
        (ReturnRefusalReason::MoreThanWasPaid, Some(amount))
    );
    let over: ManualReturn = limited_refunder.gave_back("3", &number, 1001).await.read();
    assert_eq!(over.state, ReturnState::Open);
    let details = refunder.details(&number).await;
    assert_eq!(details.refundable.get(), amount - 1001);
    let id = over.return_id.as_str();
    assert_eq!(
        limited_refunder.end_return(id, "done").await.problem(),
        "second-person-required"
    );
    let done: ManualReturn = refunder.end_return(id, "done").await.read();
    assert_eq!(done.state, ReturnState::Done);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_return_that_was_recorded_by_mistake_is_withdrawn_by_two_people() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let second_refunder = second_refunder(&stack).await;
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    let made: ManualReturn = refunder.gave_back("1", &number, amount).await.read();
    assert_eq!(made.state, ReturnState::Done);
    let id = made.return_id.as_str();
    let asked = refunder.end_return(id, "given-up").await;
    assert_eq!(asked.status, 202, "{}", asked.text);
    assert_eq!(asked.read::<ManualReturn>().state, ReturnState::Done);
    assert_eq!(refunder.refundable(&number).await, 0);
    let withdrawn = second_refunder.end_return(id, "given-up").await;
    assert_eq!(withdrawn.read::<ManualReturn>().state, ReturnState::GivenUp);
    let details = refunder.details(&number).await;
    assert_eq!(details.refundable.get(), amount);
    assert_eq!(details.audit[0].action, AuditAction::ReturnGivenUp);
    assert!(refunder.exceptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_was_refused_and_registered_all_the_same_leaves_no_room_for_a_return() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    let denied = Fault::status(400).on("POST", "/refund").after();
    stack.with_fault(denied).await;
    let part = staff_client::part(&sale.number, 700);
    let refused = staff_client::attempt(&refunder.refund("k", &[part]).await);
    assert_eq!(refused.state, AttemptState::Refused);
    let whole = refunder.give_back("h", &sale.number, sale.amount).await;
    assert_eq!(refusal(&whole).0, ReturnRefusalReason::Refundable);
    assert_eq!(refunder.details(&sale.number).await.returns, []);
}
