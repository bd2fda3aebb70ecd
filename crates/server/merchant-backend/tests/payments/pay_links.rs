//! `POST /api/shop/orders` and `POST /api/shop/orders/{order_id}/link`: the address of the server's own page.

use crate::support::page_visitor::PageVisitor;
use crate::support::payer::Answer;
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use reqwest::Method;
use serde_json::{Value, json};

fn order(id: &str) -> Value {
    json!({"order_id": id, "amount": "12990", "currency": "PEN", "label": "R-7",
        "payer": {"first_name": "Canary"},
        "products": [{"sku": "m", "name": "Bag", "quantity": 1, "unit_price": 12_990}]})
}

async fn give(program: &ShopProgram, order: &Value) -> Answer {
    program
        .send(Method::POST, "/orders", &[], &order.to_string())
        .await
}

async fn change(program: &ShopProgram, id: &str, body: &Value) -> Answer {
    let path = format!("/orders/{id}/link");
    program
        .send(Method::POST, &path, &[], &body.to_string())
        .await
}

fn url(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["pay_url"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_given_again_has_the_same_page_and_other_facts_are_refused() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let first = give(&program, &order("A-1")).await;
    let address = url(&first);
    assert!(address.starts_with(&format!("{}/pay/", stack.base())));
    assert_eq!(url(&give(&program, &order("A-1")).await), address);
    assert_eq!(program.order("A-1").await["outcome"], "unpaid");
    for (name, value) in [
        ("amount", json!(12_991)),
        ("label", json!("R-8")),
        ("products", json!([])),
        ("pay_until", json!(4_000_000_000_i64)),
    ] {
        let mut other = order("A-1");
        other[name] = value;
        let refused = give(&program, &other).await;
        assert_eq!(
            (refused.status, refused.problem().as_str()),
            (422, "order-changed")
        );
    }
    let mut wrong = order("A-2");
    wrong["products"][0]["quantity"] = json!(-1);
    let refused = give(&program, &wrong).await;
    assert_eq!(refused.json()["field"], "products[0].quantity");
    let may_read = ShopProgram::with_key(&stack, "reader", &["--may", "read"]).await;
    assert_eq!(
        give(&may_read, &order("A-3")).await.problem(),
        "api-key-permission"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_or_revoked_address_leads_nowhere_and_looks_like_a_wrong_one() {
    let mut stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let first = url(&give(&program, &order("A-1")).await);
    let second = url(&change(&program, "A-1", &json!({"action": "renew"})).await);
    assert_ne!(first, second);
    let nowhere = PageVisitor::at(&format!("{}/pay/wrong", stack.base()))
        .look()
        .await;
    let old = PageVisitor::at(&first).look().await;
    assert_eq!((old.status, &old.html), (404, &nowhere.html));
    assert_eq!(PageVisitor::at(&second).look().await.status, 200);
    // The address lasts over a restart.
    stack.restart().await;
    assert_eq!(url(&give(&program, &order("A-1")).await), second);
    let revoked = change(&program, "A-1", &json!({"action": "revoke"})).await;
    assert_eq!(revoked.json()["pay_url"], Value::Null);
    assert_eq!(PageVisitor::at(&second).look().await.status, 404);
    assert_eq!(
        give(&program, &order("A-1")).await.json()["pay_url"],
        Value::Null
    );
    // A form of the page that was open does nothing.
    let form = [("key", "k"), ("method", "QR")];
    let sent = PageVisitor::at(&second).send("", &form).await;
    assert_eq!(sent.status, 404);
    assert!(stack.seen("POST").await.is_empty());
    for wrong in [
        json!({"action": "x"}),
        json!({"action": "revoke", "pay_until": 1}),
    ] {
        assert_eq!(change(&program, "A-1", &wrong).await.status, 400);
    }
    assert_eq!(
        change(&program, "A-9", &json!({"action": "renew"}))
            .await
            .status,
        404
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn another_end_of_an_order_comes_with_its_new_address() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let mut over = order("A-1");
    over["pay_until"] = json!("2020-01-01T00:00:00Z");
    let page = PageVisitor::at(&url(&give(&program, &over).await))
        .look()
        .await;
    assert_eq!(page.heading(), "This order is closed");
    let later = json!({"action": "renew", "pay_until": "2100-01-01T00:00:00Z"});
    let page = PageVisitor::at(&url(&change(&program, "A-1", &later).await))
        .look()
        .await;
    assert_eq!(page.heading(), "How would you like to pay?");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_has_no_handle() {
    let stack = Stack::start().await;
    let program = ShopProgram::of(&stack).await;
    let address = url(&give(&program, &order("A-1")).await);
    let (_, handle) = address.rsplit_once('/').unwrap();
    assert_eq!(handle.len(), 22);
    let sql = format!("SELECT count(*) FROM pay_links WHERE handle_hash LIKE '%{handle}%'");
    let found: Vec<i64> = crate::support::database::values(&stack, &sql).await;
    assert_eq!(found, [0]);
}
