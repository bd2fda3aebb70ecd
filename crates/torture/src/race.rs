//! A payer's return, two held polls and two notifications, all within a millisecond of the payment.
//!
//! After each race the part checks that every waiting payer saw the payment within five seconds, that the state stayed
//! *paid*, that the shop got one event, and that the server asked the payment service at most once a second.

use crate::payer::Payer;
use crate::report::{Budget, Part};
use crate::stack::{Stack, block_on};
use anyhow::{Context as _, Result};
use fastrand::Rng;
use payment_model::{DateObject, Timestamp};
use reqwest::Method;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// The races of a run, if the time is enough for them.
const RACES: u64 = 2_000;
/// The races that run at once.
const AT_ONCE: usize = 40;
/// The window of a race.
const WINDOW_MICROS: u64 = 1_000;
/// How long the server may hold a poll.
const HELD: Duration = Duration::from_secs(10);
/// A held poll that ends later was not woken by the payment: the turns to ask are a second apart.
const SOON: Duration = Duration::from_secs(5);
/// How long the last events may take.
const QUIET: Duration = Duration::from_secs(20);
/// The least between two queries about one operation.
const SECOND: Duration = Duration::from_secs(1);
/// The most by which a busy machine may delay the first of several queries.
const DELAY: Duration = Duration::from_millis(500);
const PAID: &str = "AUTORIZADO";

/// Runs the races.
#[must_use]
pub fn run(budget: &Budget) -> Part {
    run_times(budget, RACES)
}

fn run_times(budget: &Budget, most: u64) -> Part {
    let tried = "return, polls and notifications within a millisecond of a payment";
    let mut part = Part::begin("race", tried, budget);
    if let Err(error) = block_on(races(&mut part, budget, most)) {
        part.finds(format!("the races ended early: {error:#}"), Vec::new());
    }
    part
}

/// A race that is over.
struct Raced {
    order_id: String,
    number: String,
    broken: Vec<String>,
}

async fn races(part: &mut Part, budget: &Budget, most: u64) -> Result<()> {
    let stack = Arc::new(Stack::start().await?);
    let mut random = Rng::with_seed(budget.seed);
    let (mut running, mut raced) = (JoinSet::new(), Vec::new());
    for _ in 0..most {
        if budget.is_spent() || part.has_enough() {
            break;
        }
        if running.len() == AT_ONCE {
            raced.extend(next(part, &mut running).await);
        }
        let delays = std::array::from_fn(|_| random.u64(0..WINDOW_MICROS));
        let stack = Arc::clone(&stack);
        running.spawn(async move { race(&stack, delays.map(Duration::from_micros)).await });
    }
    while !running.is_empty() {
        raced.extend(next(part, &mut running).await);
    }
    let mut broken = events(&stack, &raced).await;
    broken.extend(queries(&stack, &raced).await?);
    part.times = u64::try_from(raced.len()).unwrap_or(u64::MAX);
    broken.extend(raced.into_iter().flat_map(|one| one.broken));
    for what in broken {
        part.finds(what, Vec::new());
    }
    stack.stop().await;
    Ok(())
}

/// The next race that is over, unless it failed.
async fn next(part: &mut Part, running: &mut JoinSet<Result<Raced>>) -> Option<Raced> {
    let failed = match running.join_next().await? {
        Ok(Ok(raced)) => return Some(raced),
        Ok(Err(error)) => format!("a request failed: {error:#}"),
        Err(error) => format!("a race ended early: {error}"),
    };
    part.finds(failed, Vec::new());
    None
}

async fn race(stack: &Stack, delays: [Duration; 4]) -> Result<Raced> {
    let payer = stack.payer().await?;
    let number = payer.pay_by_qr(&payer.order_id).await?;
    let held: Vec<_> = (0..2)
        .map(|_| tokio::spawn(poll(payer.clone(), number.clone())))
        .collect();
    // The polls are on their way meanwhile, and most of them are held.
    let callback = stack.callback(&number).await?;
    let [pays, returns, notifies, again] = delays;
    let path = format!("/sandbox/operations/{number}/pay");
    let (paid, returned, first, second) = tokio::join!(
        after(pays, stack.control(Method::POST, &path)),
        after(returns, payer.state(&number, None)),
        after(notifies, stack.notify(&callback)),
        after(again, stack.notify(&callback)),
    );
    paid?;
    returned?;
    first?;
    second?;
    let paid_at = Instant::now();
    let mut broken = Vec::new();
    for poll in held {
        let state = timeout(HELD * 2, poll).await???;
        if state != PAID {
            broken.push(format!(
                "{number}: a held poll of a paid operation says {state}"
            ));
        }
    }
    let woken = paid_at.elapsed();
    if woken > SOON {
        broken.push(format!(
            "{number}: a waiting payer was woken after {woken:?}"
        ));
    }
    let last = payer.state(&number, None).await?;
    if last != PAID {
        broken.push(format!("{number}: paid became {last}"));
    }
    Ok(Raced {
        order_id: payer.order_id,
        number,
        broken,
    })
}

async fn poll(payer: Payer, number: String) -> Result<String> {
    payer.state(&number, Some(HELD)).await
}

async fn after<T>(delay: Duration, act: impl Future<Output = T>) -> T {
    sleep(delay).await;
    act.await
}

/// Each order has one event of its payment, once the server has sent the last ones.
async fn events(stack: &Stack, raced: &[Raced]) -> Vec<String> {
    let order_ids: Vec<&str> = raced.iter().map(|one| one.order_id.as_str()).collect();
    let begun = Instant::now();
    let mut counts = paid_events(stack);
    while order_ids.iter().any(|id| !counts.contains_key(*id)) && begun.elapsed() < QUIET {
        sleep(Duration::from_millis(50)).await;
        counts = paid_events(stack);
    }
    let wrong = order_ids.iter().filter_map(|id| {
        let count = counts.get(*id).copied().unwrap_or_default();
        (count != 1).then(|| format!("{id}: {count} events of one payment"))
    });
    wrong.collect()
}

fn paid_events(stack: &Stack) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for event in stack.events() {
        if event["type"] == "order.paid"
            && let Some(id) = event["data"]["order_id"].as_str()
        {
            *counts.entry(id.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// No operation was asked about more often than once a second.
async fn queries(stack: &Stack, raced: &[Raced]) -> Result<Vec<String>> {
    let mut asked: BTreeMap<String, Vec<Timestamp>> = BTreeMap::new();
    for entry in stack.journal().await? {
        let date = DateObject {
            utc_time: entry["time"].as_str().map(str::to_owned),
            unix_time: None,
        };
        if entry["method"] == "GET"
            && let Some(number) = entry["merchant_operation_number"].as_str()
        {
            let at = date.timestamp().context("the journal has no time")?;
            asked.entry(number.to_owned()).or_default().push(at);
        }
    }
    let too_often = |one: &Raced| {
        let times = asked.get(&one.number)?;
        let span = times.last()?.duration_since(*times.first()?);
        let count = u32::try_from(times.len()).unwrap_or(u32::MAX);
        let least = SECOND * count.saturating_sub(1);
        let sentence = format!("{}: {count} queries within {span:?}", one.number);
        (span + DELAY < least).then_some(sentence)
    };
    Ok(raced.iter().filter_map(too_often).collect())
}

#[cfg(test)]
mod tests {
    use super::run_times;
    use crate::report::Budget;
    use std::time::Duration;

    #[test]
    fn a_payment_that_everybody_asks_about_at_once_changes_the_state_once() {
        let part = run_times(&Budget::new(7, Duration::from_mins(5)), 60);
        assert!(part.found.is_empty(), "{:#?}", part.found);
        assert_eq!(part.times, 60);
    }
}
