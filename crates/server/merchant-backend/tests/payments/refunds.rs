use crate::support::fault::Fault;
use crate::support::roles::{refunder, second_refunder};
use crate::support::sales::{paid_installments, settled_installments};
use crate::support::stack::Stack;
use crate::support::staff_client::{attempt, item, part, refusal, refusals};
use crate::support::wait::until_some;
use payment_model::Cents;
use reqwest::Method;
use serde_json::{Value, json};
use staff_model::{AttemptState, RefundRefusalReason};

/// Amounts of the refunds that the service registered.
async fn registered(stack: &Stack) -> Vec<u64> {
    let seen = stack.seen_at("POST", "/refund").await;
    let refunds = seen
        .iter()
        .filter_map(|entry| entry["refunds"].as_array())
        .flatten();
    let amounts = refunds.map(|refund| refund["amount"].as_str().unwrap().parse().unwrap());
    amounts.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_refunded_in_parts_and_not_one_cent_more() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    let answer = refunder.refund("1", &[part(&sale.number, 1000)]).await;
    let body = answer.json();
    assert_eq!(body["success"], "true", "{}", answer.text);
    assert_eq!(body["operations"][0]["state"], "REGISTERED");
    assert_eq!(body["meta"]["status"]["code"], "00");
    let made = attempt(&answer);
    assert_eq!(made.state, AttemptState::Registered);
    assert_eq!(
        (made.staff.as_str(), made.amount),
        ("ana", Cents::new(1000))
    );
    assert_eq!(body["operations"][0]["refund_id"], json!(made.refund_id));
    let echoed = &body["operations"][0]["additional_fields"]["attempt_id"];
    assert_eq!(*echoed, made.attempt_id);

    let rest = sale.amount - 1000;
    let whole = item("TOTAL", &sale.number, &sale.amount.to_string());
    let refused = refunder.refund("2", &[whole]).await;
    assert_eq!(refusal(&refused), (RefundRefusalReason::NotTheWhole, None));
    let refused = refunder.refund("3", &[part(&sale.number, rest + 1)]).await;
    let more = RefundRefusalReason::MoreThanIsLeft;
    assert_eq!(refusal(&refused), (more, Some(rest)));
    let answer = refunder.refund("4", &[part(&sale.number, rest)]).await;
    assert_eq!(attempt(&answer).state, AttemptState::Registered);
    let refused = refunder.refund("5", &[part(&sale.number, 1)]).await;
    assert_eq!(refusal(&refused), (more, Some(0)));
    assert_eq!(registered(&stack).await, [1000, rest]);
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 2);

    let refund_id = made.refund_id.as_deref().unwrap();
    let path = format!("/sandbox/refunds/{refund_id}/reject");
    stack.control(Method::POST, &path, None).await;
    let refunds = until_some("the news", async || {
        let list = refunder.refunds(&sale.number).await.json();
        (list["operations"][0]["state"] == "REJECTED").then_some(list)
    })
    .await;
    assert_eq!(refunds["operations_count"], "2");
    let details = refunder.details(&sale.number).await;
    assert_eq!(details.refundable.get(), 1000);
    assert_eq!(json!(details.refunds), refunds["operations"]);
    assert_eq!(details.attempts.len(), 2);
    assert_eq!(details.attempts[1], made);
    // A rejected amount may be refunded again.
    let again = refunder.refund("6", &[part(&sale.number, 1000)]).await;
    assert_eq!(attempt(&again).state, AttemptState::Registered);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_refunded_once_the_service_says_that_it_is_settled() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = paid_installments(&stack).await;
    let whole = item("TOTAL", &sale.number, &sale.amount.to_string());
    let refused = refunder.refund("1", std::slice::from_ref(&whole)).await;
    assert_eq!(refusal(&refused), (RefundRefusalReason::NotSettled, None));
    // The merchant gets no notification of the settlement.
    stack.with_fault(Fault::lose_notification().times(9)).await;
    stack.drive(&sale.number, "settle").await;
    let answer = refunder.refund("2", &[whole]).await;
    assert_eq!(attempt(&answer).state, AttemptState::Registered);
    assert_eq!(registered(&stack).await, [sale.amount]);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_items_of_a_request_have_a_result_each() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let mut items = Vec::new();
    for _ in 0..3 {
        items.push(part(&settled_installments(&stack).await.number, 100));
    }
    stack
        .with_fault(Fault::status(400).on("POST", "/refund"))
        .await;
    let answer = refunder.refund("1", &items).await;
    let body = answer.json();
    let results = body["results"].as_array().unwrap();
    let states: Vec<_> = results.iter().map(|r| &r["attempt"]["state"]).collect();
    assert_eq!(states, ["refused", "registered", "registered"]);
    for (result, item) in results.iter().zip(&items) {
        let number = "merchant_operation_number";
        assert_eq!(result[number], item[number]);
    }
    assert_eq!(body["success"], "false");
    assert_eq!(body["operations"].as_array().unwrap().len(), 2);
    // One broken rule stops all items.
    items[2]["refund_amount"] = json!("100000000");
    let refused = refunder.refund("2", &items).await;
    assert_eq!(refusals(&refused)[0].index, 2);
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_of_the_service_reaches_staff() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    refunder.refund("1", &[part(&sale.number, 100)]).await;
    // The service reports the refund as rejected in one answer, and corrects that afterwards.
    stack
        .with_fault(
            Fault::replace("/operations/0/state", "REJECTED")
                .on("GET", "/refund")
                .times(9),
        )
        .await;
    let answer = refunder
        .refund("2", &[part(&sale.number, sale.amount)])
        .await;
    let refused = attempt(&answer);
    assert_eq!(refused.state, AttemptState::Refused, "{}", answer.text);
    assert!(refused.detail.contains("400"));
    let mut messages = refused.messages.iter();
    assert!(messages.any(|message| message.locale == "es_PE"));
    assert_eq!(answer.json()["success"], "false");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_has_the_same_answer_at_once_and_after_a_restart() {
    let mut stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    let items = [part(&sale.number, 100)];
    stack
        .with_fault(Fault::delay(300).on("POST", "/refund").after())
        .await;
    let both = tokio::join!(refunder.refund("k", &items), refunder.refund("k", &items));
    assert_eq!(attempt(&both.0).state, AttemptState::Registered);
    assert_eq!(both.0.text, both.1.text);
    stack.restart().await;
    assert_eq!(refunder.refund("k", &items).await.text, both.0.text);
    let other = refunder.refund("k", &[part(&sale.number, 101)]).await;
    assert_eq!(
        (other.status, other.problem().as_str()),
        (422, "idempotency-key-reused")
    );
    // A key belongs to one person.
    let second_refunder = second_refunder(&stack).await;
    assert_ne!(second_refunder.refund("k", &items).await.text, both.0.text);
    assert_eq!(registered(&stack).await, [100, 100]);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_members_of_staff_at_once_never_refund_too_much() {
    let stack = Stack::start().await;
    let sale = settled_installments(&stack).await;
    let asked = sale.amount / 3 + 1;
    let staff_clients = [refunder(&stack).await, second_refunder(&stack).await];
    let mut tasks = Vec::new();
    for at in 0..16 {
        let staff = staff_clients[at % 2].clone();
        let items = [part(&sale.number, asked)];
        tasks.push(tokio::spawn(async move {
            staff.refund(&format!("k{at}"), &items).await
        }));
    }
    let mut done = 0;
    for task in tasks {
        let answer = task.await.unwrap();
        if answer.status == 200 {
            assert_eq!(attempt(&answer).state, AttemptState::Registered);
            done += 1;
        } else {
            let (reason, left) = refusal(&answer);
            assert_eq!(reason, RefundRefusalReason::MoreThanIsLeft);
            assert!(left.unwrap() < asked);
        }
    }
    assert_eq!(done, 2);
    assert_eq!(registered(&stack).await, [asked, asked]);
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 2);
    let rest = sale.amount - 2 * asked;
    let answer = staff_clients[0]
        .refund("rest", &[part(&sale.number, rest)])
        .await;
    assert_eq!(attempt(&answer).state, AttemptState::Registered);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_made_elsewhere_counts() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    refund_elsewhere(&stack, &sale.number, 500, &Value::Null).await;
    let refused = refunder
        .refund("1", &[part(&sale.number, sale.amount - 499)])
        .await;
    assert_eq!(refusal(&refused).1, Some(sale.amount - 500));
    let answer = refunder
        .refund("2", &[part(&sale.number, sale.amount - 500)])
        .await;
    assert_eq!(attempt(&answer).state, AttemptState::Registered);
}

/// A refund that this server does not know.
pub(crate) async fn refund_elsewhere(stack: &Stack, number: &str, amount: u64, fields: &Value) {
    let mut item = part(number, amount);
    item["additional_fields"] = fields.clone();
    let response = stack
        .client
        .post(format!("{}/refund", stack.sandbox))
        .header(
            "authorization",
            format!("Bearer {}", crate::support::stack::TOKEN),
        )
        .header("alg-api-version", "1709847567")
        .header("content-type", "application/json")
        .body(crate::support::staff_client::request(&[item]).to_string())
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200, "{}", response.text().await.unwrap());
}
