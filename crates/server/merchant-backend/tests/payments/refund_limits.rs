//! What one account may give back: with one request, of one operation, and in a day, by any way.

use crate::support::database::tamper;
use crate::support::roles::{daily_limited, limited_refunder, refunder};
use crate::support::sales::{paid_by_qr, settled_installments};
use crate::support::stack::Stack;
use crate::support::staff_client::{attempt, part, refusal, refusals};
use reqwest::Method;
use serde_json::json;
use staff_model::{AttemptState, RefundRefusalReason};

#[tokio::test(flavor = "multi_thread")]
async fn the_items_of_one_request_share_the_limit() {
    let stack = Stack::start().await;
    let (sale, other) = (
        settled_installments(&stack).await,
        settled_installments(&stack).await,
    );
    let limited_refunder = limited_refunder(&stack).await;
    let items = [part(&sale.number, 600), part(&other.number, 401)];
    let refused = limited_refunder.refund("1", &items).await;
    assert_eq!(refusals(&refused)[0].index, 1);
    assert_eq!(
        refusal(&refused),
        (RefundRefusalReason::OverLimit, Some(400))
    );
    assert!(stack.seen_at("POST", "/refund").await.is_empty());
    let items = [part(&sale.number, 600), part(&other.number, 400)];
    let answer = limited_refunder.refund("2", &items).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_payment_is_not_given_back_in_pieces_beyond_the_limit() {
    let stack = Stack::start().await;
    let sale = settled_installments(&stack).await;
    let limited_refunder = limited_refunder(&stack).await;
    let first = attempt(
        &limited_refunder
            .refund("1", &[part(&sale.number, 700)])
            .await,
    );
    assert_eq!(first.state, AttemptState::Registered);
    let refused = limited_refunder
        .refund("2", &[part(&sale.number, 301)])
        .await;
    assert_eq!(
        refusal(&refused),
        (RefundRefusalReason::OverLimit, Some(300))
    );
    // Another account has a limit of its own, and what the service rejected gave nothing back.
    let refunder = refunder(&stack).await;
    assert_eq!(
        refunder
            .refund("3", &[part(&sale.number, 301)])
            .await
            .status,
        200
    );
    let refund_id = first.refund_id.unwrap();
    let path = format!("/sandbox/refunds/{refund_id}/reject");
    stack.control(Method::POST, &path, None).await;
    refunder.refunds(&sale.number).await;
    let again = limited_refunder
        .refund("4", &[part(&sale.number, 301)])
        .await;
    assert_eq!(again.status, 200, "{}", again.text);

    let by_qr = paid_by_qr(&stack).await;
    assert_eq!(
        limited_refunder
            .give_back("5", &by_qr.number, 700)
            .await
            .status,
        201
    );
    let refused = limited_refunder
        .give_back("6", &by_qr.number, 301)
        .await
        .json();
    assert_eq!(
        (&refused["reason"], &refused["left"], &refused["field"]),
        (&json!("over_limit"), &json!(300), &json!("amount"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn many_requests_at_once_share_the_limit_of_an_account() {
    let stack = Stack::start().await;
    let by_qr = paid_by_qr(&stack).await;
    let limited_refunder = limited_refunder(&stack).await;
    let asked = (0..8).map(|at| {
        let (limited_refunder, number) = (limited_refunder.clone(), by_qr.number.clone());
        tokio::spawn(async move {
            limited_refunder
                .give_back(&format!("k{at}"), &number, 400)
                .await
                .status
        })
    });
    let mut recorded = 0;
    for task in asked.collect::<Vec<_>>() {
        recorded += u32::from(task.await.unwrap() == 201);
    }
    assert_eq!(recorded, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_that_an_account_gives_back_in_a_day_has_a_limit() {
    let stack = Stack::start().await;
    let (sale, by_qr, other) = (
        settled_installments(&stack).await,
        paid_by_qr(&stack).await,
        paid_by_qr(&stack).await,
    );
    // 1000 at once, and 1500 in the last 24 hours.
    let daily_limited = daily_limited(&stack).await;
    let session = daily_limited.get("/session").await.json();
    assert_eq!(session["refund_limit_a_day"], 1500);
    assert_eq!(
        daily_limited
            .refund("1", &[part(&sale.number, 900)])
            .await
            .status,
        200
    );
    assert_eq!(
        daily_limited
            .give_back("2", &by_qr.number, 500)
            .await
            .status,
        201
    );
    let refused = daily_limited
        .give_back("3", &other.number, 101)
        .await
        .json();
    assert_eq!(
        (&refused["reason"], &refused["left"]),
        (&json!("over_limit"), &json!(100))
    );
    let refused = daily_limited.refund("4", &[part(&sale.number, 1000)]).await;
    assert_eq!(
        refusal(&refused),
        (RefundRefusalReason::OverLimit, Some(100))
    );
    // A reversal gives the whole payment back.
    let reversed = daily_limited.cancel(&other.number, "reverse").await.json();
    assert_eq!(
        (&reversed["reason"], &reversed["left"], &reversed["paid"]),
        (&json!("over_limit"), &json!(100), &json!(other.amount))
    );
    tamper(
        &stack,
        "UPDATE requests SET at = at - 86400000 WHERE kind = 'refund'",
    )
    .await;
    assert_eq!(
        daily_limited
            .give_back("5", &other.number, 1000)
            .await
            .status,
        201
    );
    // What was given up gives nothing back.
    let reserved = daily_limited.give_back("6", &by_qr.number, 1).await;
    assert_eq!(reserved.json()["reason"], "over_limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_alone_allows_ten_times_as_much_a_day() {
    let stack = Stack::start().await;
    for (staff, at_once, a_day) in [
        (limited_refunder(&stack).await, json!(1000), json!(10_000)),
        (refunder(&stack).await, json!(null), json!(null)),
    ] {
        let session = staff.get("/session").await.json();
        assert_eq!(session["refund_limit"], at_once);
        assert_eq!(session["refund_limit_a_day"], a_day);
    }
}
