//! Desks that follow the changes by held requests.

use crate::metrics::{figures, value};
use crate::support::database::{tamper, values};
use crate::support::order_token::seconds;
use crate::support::payer::{Answer, qr};
use crate::support::roles::{refunder, seller, usd_store, viewer};
use crate::support::sales::waiting_qr;
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::StaffClient;
use crate::support::wait::until;
use reqwest::Method;
use serde_json::json;
use staff_model::News;
use std::time::{Duration, Instant};

/// What a person sees as at once.
const SOON: Duration = Duration::from_secs(2);

async fn ask(client: &StaffClient, after: &str, headers: &[(&str, &str)]) -> Answer {
    client
        .get_with(&format!("/news?after={after}"), headers)
        .await
}

async fn held(client: &StaffClient, after: &str) -> News {
    let answer = ask(client, after, &[("prefer", "wait=20")]).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.header("preference-applied"), "wait");
    answer.read()
}

/// Waits until so many requests of desks are held.
async fn are_held(stack: &Stack, count: f64) {
    until("held", async || {
        value(&figures(stack).await, "payments_held_desk_requests") == count
    })
    .await;
}

/// The cursor of a desk that has just loaded its lists.
async fn begin(client: &StaffClient) -> String {
    let first: News = ask(client, "", &[("prefer", "wait=20")]).await.read();
    assert!(first.missed && first.operations.is_empty());
    first.next
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_is_told_of_a_payment_within_two_seconds() {
    let stack = Stack::start().await;
    let desk = viewer(&stack).await;
    let mut cursor = begin(&desk).await;
    let (payer, number) = waiting_qr(&stack).await;
    let news = held(&desk, &cursor).await;
    let told: Vec<_> = news
        .operations
        .iter()
        .map(|row| row.merchant_operation_number.as_str())
        .collect();
    assert_eq!(told, [number.as_str()]);
    cursor = news.next;
    let waits = tokio::spawn({
        let (desk, cursor) = (desk.clone(), cursor.clone());
        async move { (held(&desk, &cursor).await, Instant::now()) }
    });
    stack.drive(&number, "pay").await;
    until("paid", async || payer.shown().await["state"] == "paid").await;
    let paid_at = Instant::now();
    let (news, told_at) = waits.await.unwrap();
    assert!(told_at.saturating_duration_since(paid_at) < SOON);
    assert!(!news.missed && !news.operations.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_desk_has_read_is_not_told_again() {
    let stack =
        Stack::start_with(|config| config.timing.longest_poll = Duration::from_millis(1200)).await;
    let desk = viewer(&stack).await;
    waiting_qr(&stack).await;
    // The lists of a desk may be older than its first cursor by a moment.
    let news = held(&desk, &begin(&desk).await).await;
    assert_eq!(news.operations.len(), 1);
    let news = held(&desk, &news.next).await;
    assert!(news.operations.is_empty() && !news.missed, "{news:?}");
    // A cursor from long ago, and one of the future, have missed something.
    for odd in ["1.1.0.c", "99999999999999.99999999999999.0.c", "x", "1"] {
        let news: News = ask(&desk, odd, &[("prefer", "wait=20")]).await.read();
        assert!(news.missed, "{odd}");
    }
    let wrong = desk.get("/news?before=1").await;
    assert_eq!(
        (wrong.status, wrong.problem().as_str()),
        (400, "bad-request")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_is_told_of_links_and_exceptions() {
    let stack = Stack::start().await;
    let desk = seller(&stack).await;
    let cursor = begin(&desk).await;
    let body = json!({"merchant_code": MERCHANT, "amount": 500, "label": "Tea",
        "pay_until": seconds() * 1000 + 60_000});
    let made = desk
        .send(Method::POST, "/links", Some("k"), Some(&body))
        .await;
    let news = held(&desk, &cursor).await;
    assert!(news.links && news.operations.is_empty() && !news.missed);
    let url = made.json()["url"].as_str().unwrap().to_owned();
    let handle = url.rsplit_once('/').unwrap().1;
    let browser = stack.browser();
    browser.live_of(&json!({"pay_link": handle})).await;
    let opened = held(&desk, &news.next).await;
    assert!(opened.links, "{opened:?}");
    let path = format!(
        "/links/{MERCHANT}/{}/end",
        made.json()["order_id"].as_str().unwrap()
    );
    desk.send(Method::POST, &path, None, None).await;
    let ended = held(&desk, &opened.next).await;
    assert!(ended.links && ended.exceptions == Some(0), "{ended:?}");
    // Exceptions also come by time, with no change of their operation.
    let (_, number) = waiting_qr(&stack).await;
    let seen = held(&desk, &ended.next).await;
    tamper(
        &stack,
        &format!(
            "INSERT INTO exceptions (merchant_code, merchant_operation_number, place, kind, since, detail)
         VALUES ('{MERCHANT}', '{number}', 7, 'paid_late', 1, '')"
        ),
    )
    .await;
    let late = held(&desk, &seen.next).await;
    assert_eq!(late.exceptions, Some(1), "{late:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_is_told_nothing_of_other_stores() {
    let stack = Stack::start_with(|config| {
        config.timing.longest_poll = Duration::from_millis(1500);
    })
    .await;
    let (desk, other) = (usd_store(&stack).await, viewer(&stack).await);
    let (cursor, others) = (begin(&desk).await, begin(&other).await);
    waiting_qr(&stack).await;
    let (news, told) = tokio::join!(held(&desk, &cursor), held(&other, &others));
    assert!(news.operations.is_empty() && !news.links, "{news:?}");
    assert_eq!(told.operations.len(), 1);
    // An account that sees other stores now loads its lists again.
    let file = stack.directory.path().join("staff.toml");
    let accounts = std::fs::read_to_string(&file).unwrap();
    std::fs::write(
        &file,
        accounts.replace("\"shop-usd\"", "\"shop-1\", \"shop-usd\""),
    )
    .unwrap();
    let news = held(&desk, &news.next).await;
    assert!(news.missed && news.operations.is_empty(), "{news:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_that_asks_by_itself_keeps_no_session_alive() {
    let stack = Stack::start().await;
    let desk = refunder(&stack).await;
    let used = async || values::<i64>(&stack, "SELECT used_at FROM staff_sessions").await[0];
    let age = async |minutes: i64| {
        let ms = minutes * 60_000;
        tamper(
            &stack,
            &format!("UPDATE staff_sessions SET used_at = used_at - {ms}"),
        )
        .await;
    };
    age(10).await;
    let before = used().await;
    begin(&desk).await;
    desk.get_with("/operations", &[("unattended", "?1")]).await;
    assert_eq!(used().await, before);
    // A person's request counts.
    desk.get("/operations").await;
    assert!(used().await > before);
    age(31).await;
    assert_eq!(ask(&desk, "", &[]).await.problem(), "sign-in-required");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_only_looks_may_stay_signed_in_for_longer_by_a_setting() {
    let stack = Stack::start_with(|config| config.look_only_idle = Duration::from_mins(480)).await;
    let (looks, acts) = (viewer(&stack).await, refunder(&stack).await);
    let age = async |column: &str, minutes: i64| {
        let ms = minutes * 60_000;
        tamper(
            &stack,
            &format!("UPDATE staff_sessions SET {column} = {column} - {ms}"),
        )
        .await;
    };
    age("used_at", 31).await;
    assert_eq!(ask(&looks, "", &[]).await.status, 200);
    assert_eq!(ask(&acts, "", &[]).await.problem(), "sign-in-required");
    // Another sign-in removes no session that may go on.
    seller(&stack).await;
    age("used_at", 448).await;
    assert_eq!(looks.get("/session").await.status, 200);
    age("created_at", 481).await;
    assert_eq!(looks.get("/session").await.problem(), "sign-in-required");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_was_held_over_a_sign_out_tells_nothing() {
    let stack = Stack::start().await;
    let desk = viewer(&stack).await;
    let cursor = begin(&desk).await;
    let waits = tokio::spawn({
        let desk = desk.clone();
        async move { ask(&desk, &cursor, &[("prefer", "wait=20")]).await }
    });
    are_held(&stack, 1.0).await;
    desk.send(Method::DELETE, "/session", None, None).await;
    waiting_qr(&stack).await;
    assert_eq!(waits.await.unwrap().problem(), "sign-in-required");
}

#[tokio::test(flavor = "multi_thread")]
async fn desks_have_places_of_their_own_and_are_answered_at_once_without_one() {
    // A sixteenth of the connections is two desks.
    let stack = Stack::start_with(|config| config.most_connections = 32).await;
    let desk = viewer(&stack).await;
    let cursor = begin(&desk).await;
    let waits: Vec<_> = (0..2)
        .map(|_| {
            let (desk, cursor) = (desk.clone(), cursor.clone());
            tokio::spawn(async move { held(&desk, &cursor).await })
        })
        .collect();
    are_held(&stack, 2.0).await;
    let at_once = Instant::now();
    let answer = ask(&desk, &cursor, &[("prefer", "wait=20")]).await;
    assert_eq!(
        (answer.status, answer.header("preference-applied")),
        (200, "")
    );
    assert!(at_once.elapsed() < SOON);
    // A payer's request is held all the same.
    let payer = stack.payer().await;
    let number = payer.authorize("k", &qr(&payer.order_id)).await.number();
    let status = payer.status_of(&number, "-", &[("prefer", "wait=1")]).await;
    assert_eq!(status.header("preference-applied"), "wait");
    for wait in waits {
        assert!(!wait.await.unwrap().operations.is_empty());
    }
}
