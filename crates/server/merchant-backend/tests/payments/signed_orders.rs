//! Orders that the shop signed.

use crate::support::event_receiver::Receiver;
use crate::support::order_token::{claims, seconds, sign, sign_as};
use crate::support::payer::{Answer, Payer};
use crate::support::stack::{MERCHANT, ORDERS_SECRET, Stack};
use crate::support::wait::until;
use serde_json::{Value, json};

fn by_qr(token: &str) -> Value {
    json!({"order": token, "payment_method": {"method_name": "QR", "method_details": {}}})
}

/// Shows a token, and keeps the cookie of the answer as a browser does.
async fn shows(payer: &mut Payer, key: &str, token: &str) -> Answer {
    let answer = payer.authorize(key, &by_qr(token)).await;
    payer.keep_cookie(&answer);
    answer
}

fn amount(answer: &Answer) -> String {
    let body = answer.json();
    body["transaction"]["amount"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_holder_of_the_token_pays_the_order() {
    let receiver = Receiver::start().await;
    let mut stack = Stack::start_for_shop(None).await;
    stack.stop().await;
    stack.events_url = Some(receiver.url());
    stack.run().await;
    let token = sign(&claims(&stack.base(), "A-1001", 12_990));
    let mut phone = stack.browser();
    let first = shows(&mut phone, "k", &token).await;
    let number = first.number();
    assert_eq!(
        (amount(&first).as_str(), phone.cookie.is_empty()),
        ("12990", false)
    );
    assert_eq!(phone.status(&number).await.state(), "PENDIENTE");

    // A second device gets the same code, and no order is open to a stranger.
    let mut laptop = stack.browser();
    assert_eq!(laptop.status(&number).await.status, 404);
    assert_eq!(shows(&mut laptop, "another", &token).await.number(), number);
    assert_ne!(laptop.cookie, phone.cookie);
    let stranger = stack.payer().await;
    assert_eq!(stranger.status(&number).await.status, 404);
    assert_eq!(stranger.cancel(&number).await.status, 404);
    let order = json!({"order_id": "A-1001", "payment_method": {"method_name": "QR"}});
    assert_eq!(stranger.authorize("s", &order).await.status, 404);

    stack.restart().await;
    stack.drive(&number, "pay").await;
    for device in [&phone, &laptop] {
        until("paid", async || {
            device.status(&number).await.state() == "AUTORIZADO"
        })
        .await;
    }
    until("the shop knows", async || {
        let told = receiver.deliveries();
        if told.is_empty() {
            return false;
        }
        let event = told[0].event();
        let data = &event["data"];
        assert_eq!(data["order_id"], "A-1001");
        assert_eq!(
            (&event["type"], &data["amount"]),
            (&json!("order.paid"), &json!("12990"))
        );
        true
    })
    .await;
    let again = shows(&mut laptop, "more", &token).await;
    assert_eq!(again.problem(), "order-paid");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repetition_whose_cookie_was_lost_is_the_same_attempt() {
    let stack = Stack::start_for_shop(None).await;
    let token = sign(&claims(&stack.base(), "A-1", 500));
    let first = stack.browser().authorize("k", &by_qr(&token)).await;
    let again = stack.browser().authorize("k", &by_qr(&token)).await;
    assert_eq!(first.text, again.text);
    assert_eq!(stack.seen("POST").await.len(), 1);
    let other = json!({"order": token, "payment_method": {"method_name": "INSTALLMENT",
        "method_details": {"redirect_url": "https://shop.example/"}}});
    let reused = stack.browser().authorize("k", &other).await;
    assert_eq!(reused.problem(), "idempotency-key-reused");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_price_counts_until_a_code_was_made_and_then_none_replaces_it() {
    let mut stack = Stack::start_for_shop(None).await;
    let base = stack.base();
    let at = |amount: u64, age: i64| {
        let mut claims = claims(&base, "A-1", amount);
        claims["iat"] = json!(seconds() - age);
        sign(&claims)
    };
    // More starts than the server takes: the orders become known, and nothing is made of them…
    stack.change_to(|config| config.starts_per_minute = 1).await;
    let mut payer = stack.browser();
    let another = sign(&claims(&base, "A-0", 1));
    shows(&mut stack.browser(), "k", &another).await.number();
    let newer = at(1_000, 20);
    for token in [at(900, 30), newer.clone(), at(1_100, 10), at(950, 25)] {
        let refused = shows(&mut payer, "a", &token).await;
        assert_eq!(refused.problem(), "too-many-requests");
    }
    stack.change_to(|_| {}).await;
    // …and an older token pays the newest price.
    let made = shows(&mut payer, "c", &newer).await;
    assert_eq!(amount(&made), "1100");
    let number = made.number();

    let changed = shows(&mut payer, "d", &at(1_200, 0)).await;
    assert_eq!(changed.problem(), "order-changed");
    // The same price told anew, and an older one, mean the same code.
    assert_eq!(shows(&mut payer, "e", &at(1_100, 0)).await.number(), number);
    assert_eq!(shows(&mut payer, "f", &at(900, 40)).await.number(), number);
    stack.drive(&number, "pay").await;
    until("paid", async || {
        payer.status(&number).await.state() == "AUTORIZADO"
    })
    .await;
    let paid = shows(&mut payer, "g", &at(1_300, -1)).await;
    assert_eq!(paid.problem(), "order-changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_prices_of_one_second_none_is_charged_unasked() {
    let stack = Stack::start_for_shop(None).await;
    let mut first = claims(&stack.base(), "A-1", 1_000);
    first["iat"] = json!(seconds() - 10);
    let mut second = first.clone();
    second["amount"] = json!(1_200);
    let mut payer = stack.browser();
    let number = shows(&mut payer, "a", &sign(&first)).await.number();
    let unclear = shows(&mut payer, "b", &sign(&second)).await;
    assert_eq!(unclear.problem(), "order-changed");
    assert_eq!(
        shows(&mut payer, "a", &sign(&second)).await.number(),
        number
    );
    assert_eq!(shows(&mut payer, "c", &sign(&first)).await.number(), number);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_token_answers_for_its_own_key_and_begins_nothing() {
    let stack = Stack::start_for_shop(None).await;
    let mut short = claims(&stack.base(), "A-1", 700);
    short["exp"] = json!(seconds() + 2);
    let token = sign(&short);
    let mut payer = stack.browser();
    let number = shows(&mut payer, "k", &token).await.number();
    until("expired", async || {
        seconds() > short["exp"].as_i64().unwrap()
    })
    .await;
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
    let mut returned = stack.browser();
    assert_eq!(shows(&mut returned, "k", &token).await.number(), number);
    assert_eq!(returned.status(&number).await.state(), "PENDIENTE");
    // A browser that was let in goes on with its payment, and its id alone begins no other.
    let alone = json!({"order_id": "A-1", "payment_method": {"method_name": "QR"}});
    assert_eq!(payer.authorize("k", &alone).await.status, 200);
    assert_eq!(
        payer.authorize("again", &alone).await.problem(),
        "not-found"
    );
    let refused = shows(&mut stack.browser(), "new", &token).await;
    assert_eq!(refused.problem(), "order-token-refused");
    assert_eq!(refused.json()["reason"], "expired");
    assert!(refused.header("set-cookie").is_empty());
    // A token that nobody showed in its time made no order known.
    let mut unknown = claims(&stack.base(), "A-2", 700);
    unknown["iat"] = json!(seconds() - 60);
    unknown["exp"] = json!(seconds() - 1);
    let refused = shows(&mut stack.browser(), "k", &sign(&unknown)).await;
    assert_eq!(refused.json()["reason"], "expired");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_permits_nothing_is_refused_with_its_reason() {
    let stack = Stack::start_for_shop(None).await;
    let good = claims(&stack.base(), "A-1", 700);
    let changed = |name: &str, value: Value| {
        let mut claims = good.clone();
        claims[name] = value;
        sign(&claims)
    };
    let with_header = |header: Value| sign_as(&header, &good, ORDERS_SECRET);
    let genuine = sign(&good);
    let mut parts: Vec<&str> = genuine.split('.').collect();
    let cheap = sign_as(
        &json!({"alg": "HS256"}),
        &claims(&stack.base(), "A-1", 1),
        "other",
    );
    parts[1] = cheap.split('.').nth(1).unwrap();
    for (token, reason) in [
        ("A-1".to_owned(), "malformed"),
        ("a.b.c".to_owned(), "malformed"),
        (parts.join("."), "signature"),
        (
            sign_as(
                &json!({"alg": "HS256"}),
                &good,
                "canary-another-secret-0123456789abcdef",
            ),
            "signature",
        ),
        (with_header(json!({"alg": "none"})), "malformed"),
        (with_header(json!({"alg": "HS512"})), "key"),
        (with_header(json!({"alg": "ES256"})), "key"),
        (
            with_header(json!({"alg": "HS256", "crit": ["b64"], "b64": false})),
            "key",
        ),
        (
            changed("aud", json!("https://other.example/api")),
            "audience",
        ),
        (changed("aud", Value::Null), "audience"),
        (changed("iat", json!(seconds() + 90)), "not-yet"),
        (changed("nbf", json!(seconds() + 90)), "not-yet"),
        (changed("exp", json!(seconds() + 90_000)), "lifetime"),
        (changed("exp", json!(seconds() - 1000)), "lifetime"),
        (changed("exp", Value::Null), "claim"),
        (changed("iat", json!("today")), "claim"),
        (changed("amount", json!(7.5)), "claim"),
        (changed("currency", json!("USD")), "claim"),
        (changed("merchant_code", json!("elsewhere")), "claim"),
        (changed("total", json!(7)), "claim"),
    ] {
        let refused = shows(&mut stack.browser(), "k", &token).await;
        assert_eq!(refused.problem(), "order-token-refused", "{token}");
        assert_eq!(refused.json()["reason"], reason, "{}", refused.text);
        assert!(!refused.text.contains("canary"), "{}", refused.text);
    }
    assert!(stack.seen("POST").await.is_empty());
    // The registered claims of the standard are welcome, and so is the address with a slash.
    let mut usual = good.clone();
    usual["iss"] = json!("shop");
    usual["jti"] = json!("1");
    usual["aud"] = json!(format!("{}/", stack.base()));
    usual["merchant_code"] = json!(MERCHANT);
    shows(&mut stack.browser(), "k", &sign(&usual))
        .await
        .number();
}

#[tokio::test(flavor = "multi_thread")]
async fn each_source_of_orders_keeps_to_itself() {
    let mut stack = Stack::start_for_shop(None).await;
    let token = |stack: &Stack, order: &str| sign(&claims(&stack.base(), order, 700));
    // An order of the merchant's program is not to be had by a token of the same id.
    let registered = stack.payer().await;
    let taken = token(&stack, &registered.order_id);
    let refused = shows(&mut stack.browser(), "k", &taken).await;
    assert_eq!(refused.problem(), "not-found");
    registered.pay_by_qr("k").await.number();
    let body = json!({"order_id": "A-1", "order_key": "0123456789abcdef", "payment_method": {"method_name": "QR"}});
    assert_eq!(
        stack.browser().authorize("k", &body).await.problem(),
        "field-not-allowed"
    );
    let both = json!({"order": "x", "order_id": "A-1", "payment_method": {"method_name": "QR"}});
    assert_eq!(
        stack.browser().authorize("k", &both).await.problem(),
        "field-not-allowed"
    );
    stack.stop().await;
    stack.orders_secret = None;
    stack.run().await;
    let refused = shows(&mut stack.browser(), "k", &token(&stack, "A-1")).await;
    assert_eq!(refused.problem(), "field-not-allowed");
}
