//! One client begins too much, and the server still serves others.

use crate::support::order_token::{claims, sign};
use crate::support::payer::{Answer, Payer};
use crate::support::sales::waiting_qr;
use crate::support::socket::{Socket, status};
use crate::support::stack::Stack;
use reqwest::Method;
use serde_json::json;

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
        config.orders_per_minute = 30;
        config.starts_per_minute = 60;
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loop_of_one_address_is_stopped_and_other_addresses_are_served() {
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
        config.orders_per_minute = 2;
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
        config.orders_per_minute = 3;
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
async fn without_a_trusted_proxy_the_client_is_the_connections_address() {
    let stack = Stack::start_with(|config| config.orders_per_minute = 2).await;
    let payer = stack.payer().await;
    assert_eq!(stranger(&payer, "203.0.113.1").await.status, 201);
    is_refused(&stranger(&payer, "203.0.113.2").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_sessions_of_one_address_authorize_no_more_than_its_share() {
    let stack = Stack::start_with(|config| config.orders_per_minute = 3).await;
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
        config.starts_per_minute = 2;
    })
    .await;
    let (payer, number) = waiting_qr(&stack).await;
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
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_repeated_without_end_has_to_wait_and_no_other_key_does() {
    let stack = Stack::start_with(|config| config.timing.repetitions_per_minute = 5).await;
    let (payer, number) = waiting_qr(&stack).await;
    for _ in 0..5 {
        assert_eq!(payer.pay_by_qr("k").await.number(), number);
    }
    is_refused(&payer.pay_by_qr("k").await);
    assert_eq!(payer.pay_by_qr("another").await.number(), number);
    let (neighbor, other) = waiting_qr(&stack).await;
    assert_eq!(neighbor.pay_by_qr("k").await.number(), other);
    // Many keys of one address repeat no more than four payers do.
    let mut repeated = 0;
    let refused = loop {
        let payer = stack.payer().await;
        payer.pay_by_qr("k").await.number();
        for _ in 0..5 {
            let answer = payer.pay_by_qr("k").await;
            if answer.status != 200 {
                break;
            }
            repeated += 1;
        }
        let answer = payer.pay_by_qr("k").await;
        if repeated % 5 != 0 {
            break answer;
        }
        assert!(repeated < 40, "the address repeats without end");
    };
    is_refused(&refused);
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_who_order_without_end_leave_payers_their_room() {
    let stack = Stack::start_with(|config| {
        config.starts_per_minute = 3;
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    let payer = stack.payer().await;
    let mut taken = 0;
    while stranger(&payer, &format!("203.0.113.{taken}")).await.status == 201 {
        taken += 1;
        assert!(taken < 10, "orders have no limit");
    }
    payer.pay_by_qr("k").await.number();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_with_many_networks_gets_a_few_shares_and_not_one_for_each() {
    let stack = Stack::start_with(|config| {
        config.orders_per_minute = 1;
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    let payer = stack.payer().await;
    let orders = async |addresses: Vec<String>| {
        let mut taken = 0;
        for address in addresses {
            let answer = stranger(&payer, &address).await;
            if answer.status == 201 {
                taken += 1;
            } else {
                is_refused(&answer);
            }
        }
        taken
    };
    let household = (0..20).map(|n| format!("2001:db8:1:{n:x}::1")).collect();
    assert_eq!(orders(household).await, 4);
    let company = (1..40).map(|n| format!("2001:db8:1:{n:x}00::1")).collect();
    assert_eq!(orders(company).await, 12);
    assert_eq!(orders(vec!["2001:db8:2::1".to_owned()]).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_bytes_in_an_address_make_no_other_client() {
    let socket = Socket::start(|config| {
        config.orders_per_minute = 1;
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    let order = async |forwarded: &[u8]| {
        let head = format!(
            "POST /api/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\nX-Forwarded-For: ",
            ITEMS.len()
        );
        let request = [head.as_bytes(), forwarded, b"\r\n\r\n", ITEMS.as_bytes()].concat();
        let answer = socket.answer(&request).await;
        status(&answer).to_owned()
    };
    assert_eq!(order(b"203.0.113.9").await, "201");
    assert_eq!(order(b"203.0.113.9").await, "429");
    for odd in [&b"\xff, 203.0.113.9"[..], b"\xc3\xa9,203.0.113.9"] {
        assert_eq!(order(odd).await, "429");
    }
    assert_eq!(order(b"\xff, 203.0.113.10").await, "201");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_browser_that_began_a_payment_is_not_pushed_out_of_it() {
    let mut stack = Stack::start_for_shop(None).await;
    stack
        .change_to(|config| config.timing.repetitions_per_minute = 1000)
        .await;
    let token = sign(&claims(&stack.base(), "A-1", 500));
    let by_qr =
        json!({"order": token, "payment_method": {"method_name": "QR", "method_details": {}}});
    let mut payer = stack.browser();
    let first = payer.authorize("k", &by_qr).await;
    payer.keep_cookie(&first);
    let number = first.number();
    let mut refused = Vec::new();
    for _ in 0..60 {
        let answer = stack.browser().authorize("k", &by_qr).await;
        if answer.status != 200 {
            refused.push(answer);
        }
    }
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
    assert_eq!(refused.len(), 11);
    for answer in &refused {
        assert_eq!(answer.problem(), "too-many-requests");
        assert!(answer.header("set-cookie").is_empty());
    }
    // Who is in goes on.
    assert_eq!(payer.authorize("k", &by_qr).await.number(), number);
    payer.cancel(&number).await.state();
}
