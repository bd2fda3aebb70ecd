//! The log of the deliveries of events, for programs of the shop and for staff.

use crate::support::event_receiver::{Receiver, Reply};
use crate::support::roles::{refunder, usd_store};
use crate::support::sales::paid_by_qr;
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use crate::support::wait::{until, until_some};
use merchant_backend::{Config, MerchantStores};
use serde_json::{Value, json};

async fn log(program: &ShopProgram, event_id: &str) -> Vec<Value> {
    let answer = program.get(&format!("/events/{event_id}/deliveries")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["deliveries"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_delivery_that_was_tried_is_in_the_log() {
    let mut receiver = Receiver::start().await;
    receiver.reply(&[Reply::Status(503), Reply::Silence]);
    let stack = Stack::start_telling(&receiver.url()).await;
    let program = ShopProgram::of(&stack).await;
    let sale = paid_by_qr(&stack).await;
    until("taken", async || receiver.types() == ["order.paid"]).await;
    let id = receiver.deliveries()[0].id.clone();
    let entries = until_some("all three", async || {
        let entries = log(&program, &id).await;
        (entries.len() == 3).then_some(entries)
    })
    .await;
    let told: Vec<_> = entries
        .iter()
        .map(|entry| (entry["status"].clone(), entry["failure"].clone()))
        .collect();
    let refused = (json!(503), json!("refused"));
    let silent = (json!(null), json!("no_answer_in_time"));
    assert_eq!(told, [(json!(204), json!(null)), silent, refused]);
    for entry in &entries {
        assert_eq!(entry["order_id"], json!(sale.payer.order_id));
        assert_eq!(
            (&entry["type"], &entry["receiver"], &entry["event_id"]),
            (&json!("order.paid"), &json!("default"), &json!(id))
        );
    }
    // It waited for as long as an answer may take.
    assert!(entries[1]["duration_ms"].as_i64().unwrap() >= 500);

    receiver.down().await;
    let other = paid_by_qr(&stack).await;
    let staff = refunder(&stack).await;
    let path = format!("/deliveries?order_id={}", other.payer.order_id);
    let failed = until_some("no connection", async || {
        let list = staff.get(&path).await.json();
        list["deliveries"].as_array().unwrap().first().cloned()
    })
    .await;
    assert_eq!(failed["failure"], "no_connection");
    assert_eq!(failed["status"], json!(null));
    let all = staff.get("/deliveries").await.json();
    assert!(all["deliveries"].as_array().unwrap().len() >= 4);
    assert_eq!(staff.get("/deliveries?order=1").await.status, 400);
}

fn two(config: &mut Config) {
    config.stores = MerchantStores::parse(include_str!("stores.toml")).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_see_the_deliveries_of_their_own_stores() {
    let receiver = Receiver::start().await;
    let mut stack = Stack::start_with(two).await;
    stack.stop().await;
    stack.events_url = Some(receiver.url());
    stack.run().await;
    paid_by_qr(&stack).await;
    until("taken", async || receiver.types() == ["order.paid"]).await;
    let id = receiver.deliveries()[0].id.clone();
    let count = async |list: &str| {
        let list: Value = serde_json::from_str(list).unwrap();
        list["deliveries"].as_array().unwrap().len()
    };
    let staff = refunder(&stack).await;
    until("written", async || {
        count(&staff.get("/deliveries").await.text).await == 1
    })
    .await;
    let other = usd_store(&stack).await;
    assert_eq!(count(&other.get("/deliveries").await.text).await, 0);
    let path = format!("/events/{id}/deliveries");
    let program = ShopProgram::of_store(&stack, "shop-usd").await;
    assert_eq!(program.get(&path).await.status, 404);
    let program = ShopProgram::of_store(&stack, "shop-1").await;
    assert_eq!(program.get(&path).await.status, 200);
    assert_eq!(
        program.get("/events/evt_nothing/deliveries").await.status,
        404
    );
}
