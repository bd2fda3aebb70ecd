//! One client begins too much, and the server still serves others.

use crate::support::payer::{Answer, Payer};
use crate::support::stack::Stack;
use reqwest::Method;

const ITEMS: &str = r#"{"items": [{"sku": "cafe-250", "quantity": 1}]}"#;

/// A browser that sends no cookie, at the address in the proxy's header.
async fn stranger(payer: &Payer, address: &str) -> Answer {
    let stranger = Payer {
        cookie: String::new(),
        ..payer.clone()
    };
    let headers = [("x-forwarded-for", address)];
    stranger
        .send(Method::POST, "/orders", &headers, ITEMS)
        .await
}

fn is_refused(answer: &Answer) {
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (429, "too-many-requests")
    );
    let wait = answer.header("retry-after").parse::<u64>().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    let told = answer.json()["detail"].as_str().unwrap().to_owned();
    assert!(told.contains("Retry-After"), "{told}");
}

async fn behind_a_proxy() -> Stack {
    Stack::start_with(|config| {
        config.timing.orders_per_minute = 30;
        config.timing.starts_per_minute = 60;
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strangers_loop_is_stopped_by_its_address_and_closes_nobodys_shop() {
    let stack = behind_a_proxy().await;
    let payer = stack.payer().await;
    let mut taken = 0;
    let refused = loop {
        let answer = stranger(&payer, "203.0.113.9").await;
        if answer.status != 201 {
            break answer;
        }
        taken += 1;
        assert!(taken < 60, "nobody stops the stranger");
    };
    is_refused(&refused);
    assert!(taken >= 30, "{taken}");
    // Nothing that the stranger writes makes it another client.
    is_refused(&stranger(&payer, "1.1.1.1, 203.0.113.9").await);
    // The shop is open for everybody else.
    assert_eq!(stranger(&payer, "203.0.113.10").await.status, 201);
    payer.pay_by_qr("k").await.number();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_household_is_one_client_and_its_neighbor_another() {
    let stack = Stack::start_with(|config| {
        config.timing.orders_per_minute = 2;
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    let payer = stack.payer().await;
    for address in ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"] {
        assert_eq!(stranger(&payer, address).await.status, 201, "{address}");
    }
    is_refused(&stranger(&payer, "2001:db8:1:2:3:4:5:6").await);
    assert_eq!(stranger(&payer, "2001:db8:1:3::1").await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_changes_its_address_is_still_one_client() {
    let stack = Stack::start_with(|config| {
        config.timing.orders_per_minute = 3;
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    let payer = stack.payer().await;
    let order = async |address: &str| {
        let headers = [("x-forwarded-for", address)];
        payer.send(Method::POST, "/orders", &headers, ITEMS).await
    };
    for address in ["203.0.113.1", "203.0.113.2", "203.0.113.3"] {
        assert_eq!(order(address).await.status, 201, "{address}");
    }
    is_refused(&order("203.0.113.4").await);
    assert_eq!(stranger(&payer, "203.0.113.4").await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_trusted_proxy_the_connection_tells_the_client() {
    let stack = Stack::start_with(|config| config.timing.orders_per_minute = 2).await;
    let payer = stack.payer().await;
    assert_eq!(stranger(&payer, "203.0.113.1").await.status, 201);
    is_refused(&stranger(&payer, "203.0.113.2").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_sessions_of_one_address_authorize_no_more_than_its_share() {
    let stack = Stack::start_with(|config| config.timing.orders_per_minute = 3).await;
    let payers = [
        stack.payer().await,
        stack.payer().await,
        stack.payer().await,
    ];
    for key in ["1", "2"] {
        for payer in &payers {
            payer.pay_by_qr(key).await.number();
        }
    }
    is_refused(&payers[0].pay_by_qr("3").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_key_takes_nothing_from_what_a_client_may_begin() {
    let stack = Stack::start_with(|config| {
        config.timing.authorizes_per_minute = 2;
        config.timing.starts_per_minute = 4;
    })
    .await;
    let payer = stack.payer().await;
    let number = payer.pay_by_qr("k").await.number();
    for _ in 0..10 {
        assert_eq!(payer.pay_by_qr("k").await.number(), number);
    }
    // A key that belongs to another request is always refused for that reason.
    for _ in 0..10 {
        let other = crate::support::payer::installment(&payer.order_id, "https://shop.example/");
        let answer = payer.authorize("k", &other).await;
        assert_eq!(answer.problem(), "idempotency-key-reused");
    }
    assert_eq!(stack.seen("POST").await.len(), 1);
    assert_eq!(payer.pay_by_qr("another").await.number(), number);
    is_refused(&payer.pay_by_qr("a third").await);
    // One order and two keys counted: the fourth start of all payers together is free.
    stack.payer().await;
}
