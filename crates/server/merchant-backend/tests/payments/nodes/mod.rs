//! Three nodes on one database, and their loss. The step `postgres` of `cargo xtask test` runs them.

mod balancer;
mod desks;
mod fleet;
mod held_up;
mod second_factor;
#[cfg(feature = "versions")]
mod versions;

use crate::support::database::{let_its_time_pass, values};
use crate::support::event_receiver::Receiver;
use crate::support::fault::Fault;
use crate::support::notification::{lose_all, notify};
use crate::support::program::merchant_backend;
use crate::support::wait::until;
use fleet::{Fleet, NODES};
use reqwest::Method;
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn two_tabs_get_one_code_and_both_see_the_payment() {
    let receiver = Receiver::start().await;
    let fleet = Fleet::start_with(Some(receiver.url()), |_| merchant_backend()).await;
    let (mut one, mut two) = (fleet.shopper_of(0, "A-1"), fleet.shopper_of(1, "A-1"));
    let (first, second) = tokio::join!(one.insists("tab-1"), two.insists("tab-2"));
    assert_eq!(first, second);
    assert_eq!(fleet.authorized().await, std::slice::from_ref(&first));
    // The payment is noticed by the third node, and told to those who wait at the others.
    let waits = async |shopper: &fleet::Shopper| shopper.waits_for(&first, "AUTORIZADO").await;
    tokio::join!(waits(&one), waits(&two), async {
        fleet.stack.drive(&first, "pay").await;
    });
    until("told once", async || receiver.deliveries().len() == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn one_key_at_all_nodes_at_once_pays_once() {
    let fleet = Fleet::start().await;
    let [mut a, mut b, mut c] = [0, 1, 2].map(|node| fleet.shopper_of(node, "A-1"));
    let (a, b, c) = tokio::join!(a.insists("k"), b.insists("k"), c.insists("k"));
    assert_eq!((&a, &a), (&b, &c));
    assert_eq!(fleet.authorized().await, [a]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn a_node_that_is_killed_before_its_answer_leaves_the_payment_to_another() {
    let mut fleet = Fleet::start().await;
    fleet
        .stack
        .with_fault(Fault::delay(60_000).on("POST", "/charges").after())
        .await;
    let mut lost = fleet.shopper_of(0, "A-1");
    let lost = tokio::spawn(async move { lost.asks("k").await });
    until("accepted", async || !fleet.authorized().await.is_empty()).await;
    fleet.kill(0);
    assert!(lost.await.is_err());
    let_its_time_pass(&fleet.stack).await;
    // The same key at another node goes on with a fresh number, and the lost one is withdrawn.
    let mut shopper = fleet.shopper("A-1");
    let number = shopper.insists("k").await;
    let authorized = fleet.authorized().await;
    assert_eq!((authorized.len(), &authorized[1]), (2, &number));
    until("withdrawn", async || {
        let state = fleet.stack.state_of(&authorized[0]).await;
        state == "CANCELADO"
    })
    .await;
    fleet.stack.drive(&number, "pay").await;
    shopper.waits_for(&number, "AUTORIZADO").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn a_rolling_restart_shows_no_waiting_payer_an_error() {
    let mut fleet = Fleet::start().await;
    let waiting = WaitingPayers::at(&fleet).await;
    for node in 0..NODES {
        fleet.restart_node(node).await;
    }
    waiting.pay(&fleet).await;
}

/// Payers who wait at the proxy, and take only good answers.
struct WaitingPayers {
    numbers: Vec<String>,
    waiting: Vec<JoinHandle<()>>,
}

impl WaitingPayers {
    async fn at(fleet: &Fleet) -> Self {
        let (mut numbers, mut waiting) = (Vec::new(), Vec::new());
        for payer in 0..6 {
            let mut shopper = fleet.shopper(&format!("A-{payer}"));
            let number = shopper.insists("k").await;
            numbers.push(number.clone());
            waiting.push(tokio::spawn(async move {
                let begun = Instant::now();
                while begun.elapsed() < Duration::from_secs(120) {
                    let held = [("prefer", "wait=20")];
                    let told = shopper.payer.status_of(&number, "-", &held).await;
                    if told.state() == "AUTORIZADO" {
                        return;
                    }
                }
                panic!("the payment was never seen");
            }));
        }
        Self { numbers, waiting }
    }

    /// They pay, and each sees it.
    async fn pay(self, fleet: &Fleet) {
        for number in &self.numbers {
            fleet.stack.drive(number, "pay").await;
        }
        for payer in self.waiting {
            payer.await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn a_database_that_is_away_for_a_while_loses_and_doubles_nothing() {
    const AWAY: Duration = Duration::from_secs(20);
    let receiver = Receiver::start().await;
    let fleet = Fleet::start_with(Some(receiver.url()), |_| merchant_backend()).await;
    let mut before = fleet.shopper("A-1");
    let first = before.insists("k").await;
    // An answer of the payment service is on its way when the database goes.
    fleet
        .stack
        .with_fault(Fault::delay(3_000).on("POST", "/charges").after())
        .await;
    let mut meanwhile = fleet.shopper_of(1, "A-2");
    let asked = tokio::spawn(async move {
        let answer = meanwhile.asks("k").await;
        (meanwhile, answer)
    });
    until("accepted", async || fleet.authorized().await.len() == 2).await;
    fleet.link.cut();
    fleet.stack.drive(&first, "pay").await;
    let gone = Instant::now();
    while gone.elapsed() < AWAY {
        let asked = Instant::now();
        let refused = fleet.shopper("A-3").asks("k").await;
        let refused = (
            refused.status,
            refused.problem(),
            refused.header("retry-after").to_owned(),
        );
        assert_eq!(refused, (503, "not-ready".to_owned(), "2".to_owned()));
        assert!(
            asked.elapsed() < Duration::from_secs(5),
            "{:?}",
            asked.elapsed()
        );
        // No browser asks without a pause, and more than 600 requests in a minute would be refused.
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    fleet.link.heal().unwrap();
    let (meanwhile, answer) = asked.await.unwrap();
    let second = answer.number();
    before.waits_for(&first, "AUTORIZADO").await;
    let mut after = fleet.shopper("A-3");
    let third = after.insists("k").await;
    assert_eq!(
        fleet.authorized().await,
        [first, second.clone(), third.clone()]
    );
    for number in [&second, &third] {
        fleet.stack.drive(number, "pay").await;
    }
    meanwhile.waits_for(&second, "AUTORIZADO").await;
    after.waits_for(&third, "AUTORIZADO").await;
    until("each told once", async || receiver.deliveries().len() == 3).await;
    let doubts = "SELECT count(*) FROM operations WHERE phase <> 'known'";
    assert_eq!(values::<i64>(&fleet.stack, doubts).await, [0]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn an_attempt_that_lost_the_database_goes_on_soon_after_it_is_back() {
    let fleet = Fleet::start().await;
    let mut shopper = fleet.shopper("A-1");
    let number = shopper.insists("k").await;
    // Another method needs the state of the first code, which takes a while.
    fleet
        .stack
        .with_fault(Fault::delay(2_000).on("GET", "/charges").after())
        .await;
    let (mut other, first) = (shopper.clone(), number.clone());
    let asked = tokio::spawn(async move { other.asks_for_installments("other", &first).await });
    until("asked for the state", async || {
        !fleet.stack.seen("GET").await.is_empty()
    })
    .await;
    fleet.link.cut();
    assert_eq!(asked.await.unwrap().problem(), "not-ready");
    fleet.link.heal().unwrap();
    until("another code", async || {
        let answer = shopper.asks_for_installments("other", &number).await;
        answer.status == 200
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn a_node_that_wakes_after_others_took_over_shows_and_doubles_nothing() {
    // The answer is not given up before the node wakes.
    let patient = |_| {
        let mut program = merchant_backend();
        program.env("PAYMENT_TIMEOUT_MS", "60000");
        program
    };
    let fleet = Fleet::start_with(None, patient).await;
    let slow = Fault::delay(1_000).on("POST", "/charges").after();
    // Nobody settles the doubt before the node wakes.
    let lost = Fault::drop().on("DELETE", "/charges").always();
    fleet.stack.with_faults([slow, lost]).await;
    let mut paused = fleet.shopper_of(0, "A-1");
    let late = tokio::spawn(async move { paused.asks("k").await });
    until("accepted", async || !fleet.authorized().await.is_empty()).await;
    fleet.signal(0, "-STOP");
    let_its_time_pass(&fleet.stack).await;
    let mut shopper = fleet.shopper_of(1, "A-1");
    let number = shopper.insists("k").await;
    let authorized = fleet.authorized().await;
    assert_eq!((authorized.len(), &authorized[1]), (2, &number));
    fleet.signal(0, "-CONT");
    // The late answer reaches nobody: its browser is told to repeat, and then gets the other code.
    let late = late.await.unwrap();
    assert_eq!(
        (late.status, late.problem().as_str()),
        (409, "request-running")
    );
    assert!(!late.header("retry-after").is_empty());
    fleet.stack.without_faults().await;
    assert_eq!(fleet.shopper_of(0, "A-1").insists("k").await, number);
    until("withdrawn", async || {
        let state = fleet.stack.state_of(&authorized[0]).await;
        state == "CANCELADO"
    })
    .await;
    let live = "SELECT merchant_operation_number FROM operations WHERE live = 1";
    assert_eq!(
        values::<String>(&fleet.stack, live).await,
        std::slice::from_ref(&number)
    );
    fleet.stack.drive(&number, "pay").await;
    shopper.waits_for(&number, "AUTORIZADO").await;
    assert_eq!(fleet.authorized().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn after_a_notification_to_one_node_no_other_one_shows_what_was_stored_before() {
    let fleet = Fleet::start().await;
    let notified = fleet.shopper_of(0, "A-0").payer;
    // The query after the notification is answered at once, or still on its way when a payer looks.
    let slow = Fault::delay(2_500).on("GET", "/charges").after();
    for (order, faults) in [("A-1", vec![]), ("A-2", vec![slow])] {
        let mut shopper = fleet.shopper_of(1, order);
        let number = shopper.insists("k").await;
        lose_all(&fleet.stack, &[]).await;
        fleet.stack.drive(&number, "expire").await;
        // The answer that said so came a moment ago.
        until("expired", async || {
            let told = shopper.payer.status(&number).await.state();
            told == "EXPIRADO"
        })
        .await;
        fleet.stack.pay_late(&number).await;
        lose_all(&fleet.stack, &faults).await;
        let asked = fleet.stack.seen("GET").await.len();
        notify(&fleet.stack, &notified, &number).await;
        if !faults.is_empty() {
            until("a query on its way", async || {
                fleet.stack.seen("GET").await.len() > asked
            })
            .await;
        }
        let told = shopper.payer.status(&number).await.state();
        assert_eq!(told, "AUTORIZADO", "{order}");
    }
}

/// The program with an environment by which it reads another time.
fn other_clock(node: usize) -> Command {
    let library = std::env::var("TEST_FAKETIME").unwrap_or_default();
    let mut program = merchant_backend();
    program
        .env("LD_PRELOAD", library)
        .env("FAKETIME", ["+5m", "+0m", "-5m"][node])
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    program
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask test --only postgres"]
async fn nodes_whose_clocks_are_minutes_apart_agree() {
    assert!(
        std::env::var_os("TEST_FAKETIME").is_some(),
        "run `cargo xtask test --only postgres`"
    );
    let receiver = Receiver::start().await;
    let fleet = Fleet::start_with(Some(receiver.url()), other_clock).await;
    // The clocks differ indeed.
    let mut dates = Vec::new();
    for node in 0..NODES {
        let alive = fleet.shopper_of(node, "A-0").payer;
        let alive = alive.send(Method::GET, "/healthz", &[], "").await;
        dates.push(alive.header("date").to_owned());
    }
    dates.dedup();
    assert_eq!(dates.len(), NODES, "{dates:?}");
    for node in 0..NODES {
        let order = format!("A-{node}");
        let number = fleet.shopper_of(node, &order).insists("k").await;
        let mut elsewhere = fleet.shopper_of((node + 1) % NODES, &order);
        assert_eq!(elsewhere.insists("other").await, number);
        fleet.stack.drive(&number, "pay").await;
        elsewhere.waits_for(&number, "AUTORIZADO").await;
    }
    let apart = "SELECT count(*) FROM operations
        WHERE abs(created_at - extract(epoch FROM clock_timestamp()) * 1000) > 60000";
    assert_eq!(values::<i64>(&fleet.stack, apart).await, [0]);
    until("each told once", async || {
        receiver.deliveries().len() == NODES
    })
    .await;
    let doubts = "SELECT count(*) FROM operations WHERE phase <> 'known'";
    assert_eq!(values::<i64>(&fleet.stack, doubts).await, [0]);
}
