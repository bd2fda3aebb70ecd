//! Desks of staff that follow the changes of all nodes.

use super::fleet::{Fleet, NODES};
use crate::support::accounts::{SELLER, VIEWER};
use crate::support::order_token::seconds;
use crate::support::page_visitor::PageVisitor;
use crate::support::stack::MERCHANT;
use crate::support::staff_client::StaffClient;
use reqwest::Method;
use serde_json::json;
use staff_model::{LinkState, News, PaymentLink};
use std::time::{Duration, Instant};

/// What a person sees as at once.
const SOON: Duration = Duration::from_secs(2);

async fn held(client: &StaffClient, after: &str) -> News {
    let path = format!("/news?after={after}");
    let answer = client.get_with(&path, &[("prefer", "wait=20")]).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.read()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn a_desk_at_any_node_is_told_of_what_another_one_did() {
    let fleet = Fleet::start().await;
    let stack = &fleet.stack;
    let seller = StaffClient::sign_in_at(stack, &fleet.base_of(0), SELLER).await;
    let viewer = StaffClient::sign_in_at(stack, &fleet.base_of(1), VIEWER).await;
    let at = |node: usize| {
        StaffClient::nobody_at(stack, &fleet.base_of(node)).with_cookie(&viewer.cookie)
    };
    // Each request of the desk goes to another node, as behind a balancer.
    let mut cursor = held(&at(1), "").await.next;
    let mut node = 1;
    let mut next = async |act: &str, began: Instant| {
        node = (node + 1) % NODES;
        let news = held(&at(node), &cursor).await;
        assert!(!news.missed, "{act}: {news:?}");
        assert!(began.elapsed() < SOON, "{act}: {:?}", began.elapsed());
        cursor = news.next.clone();
        news
    };
    let body = json!({"merchant_code": MERCHANT, "amount": 500, "label": "Tea",
        "pay_until": seconds() * 1000 + 600_000});
    let began = Instant::now();
    let made = seller
        .send(Method::POST, "/links", Some("k"), Some(&body))
        .await;
    assert!(next("a link", began).await.links);
    // A repetition at another node makes no second one.
    let elsewhere = StaffClient::nobody_at(stack, &fleet.base_of(2)).with_cookie(&seller.cookie);
    let again = elsewhere
        .send(Method::POST, "/links", Some("k"), Some(&body))
        .await;
    let link: PaymentLink = again.read();
    assert_eq!(made.json()["order_id"], link.order_id.as_str());

    let page = PageVisitor::at(link.url.as_deref().unwrap());
    let began = Instant::now();
    let seen = page.look().await;
    let number = page.choose(&seen, "QR").await.number();
    let news = next("a code", began).await;
    let told = news
        .operations
        .iter()
        .map(|row| row.merchant_operation_number.as_str());
    assert_eq!(told.collect::<Vec<_>>(), [number.as_str()]);
    stack.drive(&number, "pay").await;
    page.look().await;
    let began = Instant::now();
    let mut news = next("the payment", began).await;
    while news.operations.iter().all(|row| row.outcome.is_none()) {
        news = next("the payment", began).await;
    }
    let path = format!("/links/{MERCHANT}/{}", link.order_id);
    let paid: PaymentLink = elsewhere.get(&path).await.read();
    assert_eq!(
        (paid.state, paid.merchant_operation_number),
        (LinkState::Paid, Some(number))
    );
}
