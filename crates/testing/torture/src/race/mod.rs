//! A payer's return, polls, pages that wait and notifications, all within a millisecond of the payment.
//!
//! Each time every page learns of the payment within ten seconds and sees nothing less than *paid* afterwards, the shop
//! gets one event, and the server asks the payment service about the operation at most once a second.

mod payment;

use crate::report::{Budget, Part};
use crate::stack::{Stack, block_on};
use anyhow::{Context as _, Result};
use fastrand::Rng;
use payment::{HELD, Raced, race};
use payment_model::{DateObject, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The races of a run, if the time is enough for them.
const RACES: u64 = 2_000;
/// The races that run at once.
const AT_ONCE: usize = 60;
/// How long the last events may take: on a busy machine one may leave too late for its lease, and then waits for the next
/// one, half a minute later.
const QUIET: Duration = Duration::from_secs(60);
/// The least between two queries of the server about one operation.
const INTERVAL: Duration = Duration::from_secs(1);
/// Two queries as close as this came in one interval: a busy machine delays the first of them, but not by so much.
const TOO_CLOSE: Duration = Duration::from_millis(200);

/// Runs the races.
#[must_use]
pub fn run(budget: &Budget) -> Part {
    run_some(budget, RACES)
}

fn run_some(budget: &Budget, most: u64) -> Part {
    let tried = "a payment with waits, a return, a poll and notifications at once";
    let mut part = Part::begin("race", tried, budget);
    if let Err(error) = block_on(races(&mut part, budget, most)) {
        part.finds(format!("the races ended early: {error:#}"), Vec::new());
    }
    part
}

async fn races(part: &mut Part, budget: &Budget, most: u64) -> Result<()> {
    let stack = Stack::start_with(|config| {
        config.timing.query_interval = INTERVAL;
        config.timing.longest_poll = HELD;
    })
    .await?;
    let stack = Arc::new(stack);
    let mut random = Rng::with_seed(budget.seed);
    let (mut running, mut raced) = (JoinSet::new(), Vec::new());
    for _ in 0..most {
        if budget.is_spent() || part.has_enough() {
            break;
        }
        if running.len() == AT_ONCE {
            raced.extend(next(part, &mut running).await);
        }
        running.spawn(race(Arc::clone(&stack), random.fork()));
    }
    while !running.is_empty() {
        raced.extend(next(part, &mut running).await);
    }
    part.times = u64::try_from(raced.len()).unwrap_or(u64::MAX);
    let mut broken = events(&stack, &raced).await;
    let (queries, too_close) = queries(&stack).await?;
    broken.extend(too_close);
    let longest = raced.iter().map(|one| one.longest).max();
    let longest = longest.unwrap_or_default().as_millis();
    part.figures.push(format!(
        "the last page knew after {longest} ms; {queries} queries"
    ));
    broken.extend(raced.into_iter().flat_map(|one| one.broken));
    for what in broken {
        if part.has_enough() {
            break;
        }
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

/// Each order has one event of its payment, once the server has sent the last ones, and no event of another kind than a
/// single payment has.
async fn events(stack: &Stack, raced: &[Raced]) -> Vec<String> {
    let begun = Instant::now();
    let mut told = paid_events(stack);
    while raced.iter().any(|one| !told.contains_key(&one.order_id)) && begun.elapsed() < QUIET {
        sleep(Duration::from_millis(50)).await;
        told = paid_events(stack);
    }
    let wrong = raced.iter().filter_map(|one| {
        let count = told.get(&one.order_id).copied().unwrap_or_default();
        (count != 1).then(|| format!("{}: {count} events of one payment", one.number))
    });
    let mut broken: Vec<String> = wrong.collect();
    let others = stack.events().into_iter().filter(|event| {
        let kind = event["type"].as_str().unwrap_or_default();
        !["order.paid", "order.waiting"].contains(&kind)
    });
    broken.extend(others.map(|event| format!("a single payment has the event {event}")));
    broken
}

fn paid_events(stack: &Stack) -> BTreeMap<String, u32> {
    let mut told = BTreeMap::new();
    for event in stack.events() {
        if event["type"] == "order.paid"
            && let Some(id) = event["data"]["order_id"].as_str()
        {
            *told.entry(id.to_owned()).or_default() += 1;
        }
    }
    told
}

/// How many queries the service got, and those that came too close to the one before about the same operation.
async fn queries(stack: &Stack) -> Result<(u64, Vec<String>)> {
    let mut last: BTreeMap<String, Timestamp> = BTreeMap::new();
    let (mut count, mut broken) = (0, Vec::new());
    for entry in stack.service.journal(0).await? {
        let number = entry["merchant_operation_number"].as_str();
        let (true, Some(number)) = (entry["method"] == "GET", number) else {
            continue;
        };
        count += 1;
        let date = DateObject {
            utc_time: entry["time"].as_str().map(str::to_owned),
            unix_time: None,
        };
        let at = date.timestamp().context("the journal has no time")?;
        if let Some(before) = last.insert(number.to_owned(), at)
            && at.duration_since(before) < TOO_CLOSE
        {
            let gap = at.duration_since(before);
            broken.push(format!("{number}: two queries within {gap:?}"));
        }
    }
    Ok((count, broken))
}

#[cfg(test)]
mod tests {
    use super::run_some;
    use crate::report::Budget;
    use std::time::Duration;

    #[test]
    fn a_payment_that_everybody_asks_about_at_once_changes_the_state_once() {
        let part = run_some(&Budget::new(7, Duration::from_mins(5)), 60);
        assert!(part.found.is_empty(), "{part}");
        assert_eq!(part.times, 60);
    }
}
