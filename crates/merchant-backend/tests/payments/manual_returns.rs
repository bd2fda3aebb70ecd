use crate::support::roles::{daily_limited, limited_refunder, refunder, second_refunder, viewer};
use crate::support::sales::{
    PaidByQr, paid_by_qr, paid_installments, settled_installments, waiting_qr,
};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::{item, refusals};
use crate::support::wait::until_some;
use reqwest::Method;
use serde_json::json;

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
    assert_eq!(early.json()["reason"], "not_paid");
    stack.drive(&number, "pay").await;
    payer.until_paid().await;
    let shown = payer.shown().await;
    let amount: u64 = shown["amount"].as_str().unwrap().parse().unwrap();
    let recorded = refunder.give_back("1", &number, 300).await;
    assert_eq!(recorded.status, 201, "{}", recorded.text);
    assert_eq!(
        (&recorded.json()["amount"], &recorded.json()["staff"]),
        (&300.into(), &"ana".into())
    );
    stack.restart().await;
    assert_eq!(
        refunder.give_back("1", &number, 300).await.text,
        recorded.text
    );
    let reused = refunder.give_back("1", &number, 301).await;
    assert_eq!(reused.problem(), "idempotency-key-reused");
    let more = refunder.give_back("2", &number, amount - 299).await.json();
    assert_eq!(
        (&more["reason"], &more["left"]),
        (&"more_than_is_left".into(), &(amount - 300).into())
    );
    let limited_refunder = limited_refunder(&stack).await;
    let capped = limited_refunder.give_back("3", &number, 1001).await;
    assert_eq!(capped.json()["reason"], "over_limit");
    let rest = refunder.give_back("4", &number, amount - 300).await;
    assert_eq!(rest.status, 201);
    let unknown = refunder.give_back("5", "unknown", 1).await;
    assert_eq!(unknown.status, 404);
    let details = refunder.details(&number).await;
    assert_eq!(details["refundable"], 0);
    assert_eq!(details["returns"].as_array().unwrap().len(), 2);
    assert_eq!(details["audit"][0]["action"], "return");
    let whole = item("TOTAL", &number, &amount.to_string());
    let refused = refunder.refund("6", &[whole]).await;
    assert_eq!(refusals(&refused)[0].1, "method_not_refundable");
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
            let refused = refunder.give_back(&key, &sale.number, 1).await.json();
            (refused["reason"] != "not_paid").then_some(refused)
        })
        .await;
        assert_eq!(refused["reason"], "refundable");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_returns_at_once_never_exceed_what_was_paid() {
    let stack = Stack::start().await;
    let PaidByQr { payer, number, .. } = paid_by_qr(&stack).await;
    let amount: u64 = payer.shown().await["amount"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
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
    let open = refunder.give_back("1", &number, amount).await.json();
    assert_eq!(
        (&open["state"], &open["already_made"], &open["ended_by"]),
        (&json!("open"), &json!(false), &json!(null))
    );
    assert_eq!(refunder.details(&number).await["refundable"], 0);
    let id = open["return_id"].as_str().unwrap();
    // The one who reserved it may give it up.
    let ended = refunder.end_return(id, "given-up").await;
    assert_eq!(ended.status, 200, "{}", ended.text);
    assert_eq!(
        (&ended.json()["state"], &ended.json()["ended_by"]),
        (&json!("given_up"), &json!("ana"))
    );
    assert_eq!(refunder.end_return(id, "given-up").await.text, ended.text);
    let otherwise = refunder.end_return(id, "done").await;
    assert_eq!(
        (otherwise.status, otherwise.problem().as_str()),
        (409, "return-ended")
    );
    assert_eq!(refunder.details(&number).await["refundable"], amount);
    let made = refunder.give_back("2", &number, 300).await.json();
    let made = refunder
        .end_return(made["return_id"].as_str().unwrap(), "done")
        .await;
    assert_eq!(made.json()["state"], "done");
    let details = refunder.details(&number).await;
    assert_eq!(details["refundable"], amount - 300);
    assert_eq!(details["audit"][0]["action"], "return_done");
    assert!(refunder.exceptions().await.is_empty());
    assert_eq!(refunder.end_return("none", "done").await.status, 404);
    let viewer = viewer(&stack).await;
    assert_eq!(viewer.end_return(id, "done").await.status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_return_of_somebody_else_is_given_up_by_two_people() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let second_refunder = second_refunder(&stack).await;
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    let open = refunder.give_back("1", &number, amount).await.json();
    let id = open["return_id"].as_str().unwrap();
    // Ana may have sent the money by now.
    let asked = second_refunder.end_return(id, "given-up").await;
    assert_eq!(asked.status, 202, "{}", asked.text);
    assert_eq!(
        (&asked.json()["state"], &asked.json()["give_up_asked_by"]),
        (&json!("open"), &json!("bea"))
    );
    assert_eq!(refunder.details(&number).await["refundable"], 0);
    assert_eq!(
        second_refunder.end_return(id, "given-up").await.problem(),
        "second-person-required"
    );
    let daily_limited = daily_limited(&stack).await;
    let ended = daily_limited.end_return(id, "given-up").await;
    assert_eq!(
        (ended.status, &ended.json()["ended_by"]),
        (200, &json!("ivo"))
    );
    let details = refunder.details(&number).await;
    assert_eq!(details["refundable"], amount);
    let actions: Vec<_> = details["audit"].as_array().unwrap()[..2]
        .iter()
        .map(|entry| (entry["action"].clone(), entry["staff"].clone()))
        .collect();
    assert_eq!(
        actions,
        [
            (json!("return_given_up"), json!("ivo")),
            (json!("ask_return_given_up"), json!("bea"))
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
    assert_eq!(
        (&made.json()["state"], &made.json()["already_made"]),
        (&json!("done"), &json!(true))
    );
    let unreserved = refunder
        .detail_of("return_unreserved", &number)
        .await
        .unwrap();
    assert!(unreserved.contains("300 cents"), "{unreserved}");
    // More than the rest takes its amount at once, and counts as made once another person confirms.
    let beyond = refunder.gave_back("3", &number, 500).await.json();
    assert_eq!(
        (&beyond["state"], &beyond["already_made"]),
        (&json!("open"), &json!(true))
    );
    let listed = refunder
        .detail_of("given_back_beyond", &number)
        .await
        .unwrap();
    assert!(
        listed.contains(&format!("{amount} cents stand paid")),
        "{listed}"
    );
    let id = beyond["return_id"].as_str().unwrap();
    assert_eq!(
        refunder.end_return(id, "done").await.problem(),
        "second-person-required"
    );
    let confirmed = second_refunder.end_return(id, "done").await;
    assert_eq!(
        (confirmed.status, &confirmed.json()["ended_by"]),
        (200, &json!("bea"))
    );
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
    assert_eq!(refused.json()["reason"], "not_paid", "{}", refused.text);
    // The payer's own way stays open.
    assert_eq!(payer.cancel(&waiting).await.status, 200);
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    let refused = refunder.gave_back("2", &number, amount + 1).await.json();
    assert_eq!(
        (&refused["reason"], &refused["left"]),
        (&json!("more_than_was_paid"), &json!(amount))
    );
    let over = limited_refunder.gave_back("3", &number, 1001).await.json();
    assert_eq!(over["state"], "open");
    let details = refunder.details(&number).await;
    assert_eq!(details["refundable"], amount - 1001);
    let id = over["return_id"].as_str().unwrap();
    assert_eq!(
        limited_refunder.end_return(id, "done").await.problem(),
        "second-person-required"
    );
    assert_eq!(
        refunder.end_return(id, "done").await.json()["state"],
        "done"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_return_that_was_recorded_by_mistake_is_withdrawn_by_two_people() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let second_refunder = second_refunder(&stack).await;
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    let made = refunder.gave_back("1", &number, amount).await.json();
    assert_eq!(made["state"], "done");
    let id = made["return_id"].as_str().unwrap();
    let asked = refunder.end_return(id, "given-up").await;
    assert_eq!(
        (asked.status, &asked.json()["state"]),
        (202, &json!("done"))
    );
    assert_eq!(refunder.details(&number).await["refundable"], 0);
    let withdrawn = second_refunder.end_return(id, "given-up").await;
    assert_eq!(withdrawn.json()["state"], "given_up", "{}", withdrawn.text);
    let details = refunder.details(&number).await;
    assert_eq!(details["refundable"], amount);
    assert_eq!(details["audit"][0]["action"], "return_given_up");
    assert!(refunder.exceptions().await.is_empty());
}
