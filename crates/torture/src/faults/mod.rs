//! Every request of the server to the payment service in every story, with every fault.
//!
//! A story runs once without a fault, to count its requests. Then it runs again for each request and each fault, with a server,
//! a service and a database of its own.

mod oracle;
mod story;

use crate::report::{Budget, Part};
use crate::stack::{Stack, block_on};
use anyhow::{Context as _, Result};
use fastrand::Rng;
use serde_json::{Value, json};
use std::time::Duration;
use story::{Act, STORIES, play};
use tokio::task::{JoinSet, LocalSet};

/// The stories that run at once.
const AT_ONCE: usize = 12;
/// How long the server waits for the service.
const PAYMENT_TIMEOUT: Duration = Duration::from_millis(600);
/// More than the server waits.
const LATE_MILLIS: u64 = 1_500;
/// A name, and the fault as the sandbox takes it.
type Fault = (&'static str, fn() -> Value);

/// What happens to a request. The first half happens before the service works, the other half afterwards.
const FAULTS: [Fault; 9] = [
    (
        "lost on its way",
        || json!({"kind": "drop", "when": "before"}),
    ),
    (
        "refused by 500",
        || json!({"kind": "status", "status": 500}),
    ),
    (
        "refused by 429",
        || json!({"kind": "status", "status": 429, "retry_after": 1}),
    ),
    (
        "late",
        || json!({"kind": "delay", "ms": LATE_MILLIS, "when": "before"}),
    ),
    ("answer lost", || json!({"kind": "drop", "when": "after"})),
    ("answer cut", || json!({"kind": "cut", "bytes": 20})),
    (
        "answer late",
        || json!({"kind": "delay", "ms": LATE_MILLIS, "when": "after"}),
    ),
    ("answer unreadable", || json!({"kind": "malformed"})),
    (
        "answer by another server",
        || json!({"kind": "malformed", "html": true}),
    ),
];

/// Plays the stories.
#[must_use]
pub fn run(budget: &Budget) -> Part {
    run_some(budget, usize::MAX)
}

fn run_some(budget: &Budget, most: usize) -> Part {
    let tried = "a story with a fault at one request to the payment service";
    let mut part = Part::begin("faults", tried, budget);
    // The people of a story are futures of one thread; the servers have threads of their own.
    if let Err(error) = block_on(LocalSet::new().run_until(all(&mut part, budget, most))) {
        part.finds(format!("the stories ended early: {error:#}"), Vec::new());
    }
    part
}

/// Broken promises, each with the story that led to it.
type Broken = Vec<(String, Vec<String>)>;

/// A story, the place of the fault among its requests, and the fault.
type Attempt = (usize, u64, Option<usize>);

async fn all(part: &mut Part, budget: &Budget, most: usize) -> Result<()> {
    let mut attempts = Vec::new();
    for story in 0..STORIES.len() {
        let (requests, broken) = one((story, 0, None)).await?;
        note(part, broken);
        // A fault may lead to further requests.
        for place in 0..requests + 1 {
            attempts.extend((0..FAULTS.len()).map(|fault| (story, place, Some(fault))));
        }
    }
    let planned = attempts.len();
    Rng::with_seed(budget.seed).shuffle(&mut attempts);
    attempts.truncate(most);
    let mut running = JoinSet::new();
    for attempt in attempts {
        if budget.is_spent() || part.has_enough() {
            break;
        }
        if running.len() == AT_ONCE {
            end_one(part, &mut running).await?;
        }
        running.spawn_local(one(attempt));
    }
    while !running.is_empty() {
        end_one(part, &mut running).await?;
    }
    let planned = u64::try_from(planned).unwrap_or(u64::MAX);
    let left = planned.saturating_sub(part.times);
    if left > 0 {
        let reason = format!("{left} of {planned} for lack of time; another seed takes others");
        part.skipped.push(reason);
    }
    Ok(())
}

async fn end_one(part: &mut Part, running: &mut JoinSet<Result<(u64, Broken)>>) -> Result<()> {
    if let Some(ended) = running.join_next().await {
        let (_, broken) = ended.context("a story ended early")??;
        part.times += 1;
        note(part, broken);
    }
    Ok(())
}

fn note(part: &mut Part, broken: Broken) {
    for (what, story) in broken {
        part.finds(what, story);
    }
}

/// Plays a story, and returns how many requests the service got and what was broken.
async fn one((story, place, fault): Attempt) -> Result<(u64, Broken)> {
    let (name, acts) = STORIES[story];
    let acts: &[Act] = acts;
    let stack = Stack::start_with(|config| {
        config.timing.payment_timeout = PAYMENT_TIMEOUT;
        config.timing.query_interval = Duration::from_millis(200);
        config.timing.result_interval = Duration::from_millis(200);
        config.timing.key_wait = Duration::from_secs(2);
        config.timing.longest_poll = Duration::ZERO;
    })
    .await?;
    if let Some(fault) = fault {
        let (_, fault) = FAULTS[fault];
        // A delay of a millisecond lets each earlier request pass, and then puts the next fault in place.
        let list = (0..place).fold(
            fault(),
            |then, _| json!({"kind": "delay", "ms": 1, "then": [then]}),
        );
        stack.set_faults(&json!([list])).await?;
    }
    let played = play(&stack, acts).await?;
    let requests = stack.journal().await?.len();
    stack.set_faults(&json!([])).await?;
    let broken = oracle::broken(&stack, &played).await?;
    stack.stop().await;
    let fault = fault.map_or("without a fault", |fault| FAULTS[fault].0);
    let describe = |what: String| {
        let what = format!("a payer {name}, request {place} {fault}: {what}");
        (what, played.lines.clone())
    };
    let requests = u64::try_from(requests).unwrap_or(u64::MAX);
    Ok((requests, broken.into_iter().map(describe).collect()))
}

#[cfg(test)]
mod tests {
    use super::run_some;
    use crate::report::Budget;
    use std::time::Duration;

    #[test]
    fn no_fault_at_a_request_to_the_service_loses_or_doubles_money() {
        let part = run_some(&Budget::new(7, Duration::from_mins(5)), 30);
        assert!(part.found.is_empty(), "{part}");
        assert_eq!(part.times, 30);
    }
}
