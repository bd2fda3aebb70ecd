//! A payment service that asks for a rest: which requests it concerns, and which go on.

use crate::support::fault::Fault;
use crate::support::sales::waiting_qr;
use crate::support::stack::Stack;
use crate::support::wait::until;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const WAIT: (&str, &str) = ("prefer", "wait=20");

fn turned_away(method: &str, times: u32) -> Fault {
    Fault::status(503)
        .on(method, "/charges")
        .retry_after(60)
        .times(times)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backoff_holds_for_its_kind_of_request_and_delays_no_other_payment() {
    for method in ["DELETE", "POST"] {
        let stack = Stack::start().await;
        let (one, other) = (stack.payer().await, stack.payer().await);
        let (first, second) = (
            one.pay_by_qr("k").await.number(),
            other.pay_by_qr("k").await.number(),
        );
        let lost = Fault::lose_notification().times(9);
        stack.with_faults([turned_away(method, 1), lost]).await;
        if method == "DELETE" {
            assert_eq!(one.cancel(&first).await.status, 504);
        } else {
            let third = stack.payer().await;
            assert_eq!(third.pay_by_qr("k").await.status, 503);
        }
        stack.drive(&second, "pay").await;
        let start = Instant::now();
        let told = other.status_of(&second, "-", &[WAIT]).await;
        assert_eq!(told.state(), "AUTORIZADO", "{method}");
        assert!(start.elapsed() < Duration::from_secs(5), "{method}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_doubt_keeps_the_services_backoff_and_does_not_extend_it() {
    let stack = Stack::start().await;
    let dropped = Fault::drop().on("POST", "/charges").after();
    stack
        .with_faults([dropped, turned_away("DELETE", 99)])
        .await;
    let (payer, number) = waiting_qr(&stack).await;
    until("the doubt was asked about", async || {
        !stack.seen("DELETE").await.is_empty()
    })
    .await;
    // Longer than the first pauses, and far shorter than the rest.
    let watched = Instant::now();
    until("time to ask again", async || {
        payer.status(&number).await.state();
        watched.elapsed() > Duration::from_secs(4)
    })
    .await;
    assert_eq!(stack.seen("DELETE").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_backoff_two_queries_a_second_go_on_and_payers_go_first() {
    let stack = Stack::start().await;
    for _ in 0..12 {
        stack.payer().await.pay_by_qr("k").await.number();
    }
    let (payer, number) = waiting_qr(&stack).await;
    stack.with_fault(turned_away("GET", 9999)).await;
    let turned = async || {
        let asked = stack.seen("GET").await;
        let all: Vec<Value> = asked
            .into_iter()
            .filter(|get| get["status"] == 503)
            .collect();
        all
    };
    until("the first refusal", async || !turned().await.is_empty()).await;
    let (before, start) = (turned().await.len(), Instant::now());
    let held = tokio::spawn({
        let (payer, number) = (payer.clone(), number.clone());
        async move { payer.status_of(&number, "-", &[WAIT]).await }
    });
    until("six more", async || turned().await.len() >= before + 6).await;
    // Six look-ups take three seconds; the one before may have left just now.
    let took = start.elapsed();
    assert!(took > Duration::from_millis(2000), "{took:?}");
    let all = turned().await;
    let new = all.get(before..).unwrap_or_default();
    let own = |get: &&Value| get["merchant_operation_number"] == json!(number);
    assert!(new.iter().take(3).any(|get| own(&get)), "{new:?}");

    // The rest goes on, and the server sees the payment nevertheless.
    stack.with_fault(Fault::lose_notification().times(9)).await;
    stack.drive(&number, "pay").await;
    assert_eq!(held.await.unwrap().state(), "AUTORIZADO");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_queries_a_second_than_the_setting_and_none_is_starved() {
    let stack = Stack::start_with(|config| config.queries_per_second = 4).await;
    let mut numbers = Vec::new();
    for _ in 0..20 {
        numbers.push(stack.payer().await.pay_by_qr("k").await.number());
    }
    let start = Instant::now();
    let before = stack.seen("GET").await.len();
    until("all were asked about", async || {
        let asked = stack.seen("GET").await;
        let of = |number: &String| {
            asked
                .iter()
                .any(|get| get["merchant_operation_number"] == json!(number))
        };
        numbers.iter().all(of)
    })
    .await;
    let (asked, took) = (stack.seen("GET").await.len() - before, start.elapsed());
    let allowed = took.as_secs_f64() * 4.0 + 2.0;
    assert!(
        f64::from(u32::try_from(asked).unwrap()) <= allowed,
        "{asked} in {took:?}"
    );
}
