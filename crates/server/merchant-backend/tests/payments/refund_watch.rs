use crate::support::database::documents;
use crate::support::fault::Fault;
use crate::support::roles::{self, refunder};
use crate::support::sales::settled_installments;
use crate::support::stack::Stack;
use crate::support::staff_client::{attempt, part};
use crate::support::wait::until;
use reqwest::Method;
use serde_json::json;

async fn stored(stack: &Stack) -> Vec<String> {
    let all = documents(stack).await.into_iter();
    let states = all.flat_map(|(_, document)| {
        let refunds = document["refunds"].as_array().unwrap().iter();
        let refunds = refunds.map(|record| record["refund"]["state"].clone());
        let attempts = document["attempts"].as_array().unwrap().iter();
        let attempts = attempts.map(|attempt| attempt["state"].clone());
        let attempts = attempts.filter(|state| state != "registered");
        refunds.chain(attempts).collect::<Vec<_>>()
    });
    let states = states.map(|state| state.as_str().unwrap().to_owned());
    states.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_is_polled_in_the_background_to_its_end() {
    let mut stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    let made = attempt(&refunder.refund("k", &[part(&sale.number, 100)]).await);
    assert_eq!(stored(&stack).await, ["REGISTERED"]);
    let path = format!("/sandbox/refunds/{}/resolve", made.refund_id.unwrap());
    stack.control(Method::POST, &path, None).await;
    // A restart keeps the plan.
    stack.restart().await;
    until("resolved", async || stored(&stack).await == ["RESOLVED"]).await;
    stack.restart().await;
    let looks = stack.seen_at("GET", "/refund").await.len();
    let fresh = settled_installments(&stack).await;
    // By now the reconciler has run, and had no reason to look.
    assert_eq!(stack.seen_at("GET", "/refund").await.len(), looks);
    assert_eq!(
        roles::refunder(&stack)
            .await
            .refunds(&fresh.number)
            .await
            .status,
        200
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_doubt_is_settled_in_the_background() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    stack.with_fault(Fault::drop().on("POST", "/refund")).await;
    let made = attempt(&refunder.refund("k", &[part(&sale.number, 100)]).await);
    assert_eq!(stored(&stack).await, ["in_doubt"]);
    let id = made.attempt_id;
    crate::refunds::refund_elsewhere(&stack, &sale.number, 100, &json!({"attempt_id": id})).await;
    until("found", async || stored(&stack).await == ["REGISTERED"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_readers_of_refunds_share_one_query() {
    let stack = Stack::start_with(|config| {
        config.timing.query_interval = std::time::Duration::from_secs(5);
    })
    .await;
    let refunder = refunder(&stack).await;
    let sale = settled_installments(&stack).await;
    let mut tasks = Vec::new();
    for _ in 0..20 {
        let (refunder, number) = (refunder.clone(), sale.number.clone());
        tasks.push(tokio::spawn(async move {
            refunder.refunds(&number).await.status
        }));
    }
    for task in tasks {
        assert_eq!(task.await.unwrap(), 200);
    }
    assert_eq!(stack.seen_at("GET", "/refund").await.len(), 1);
}
