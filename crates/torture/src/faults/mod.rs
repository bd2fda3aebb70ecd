//! Every request of the server to the payment service in every story, with every fault.
//!
//! A story runs once without a fault, to count its requests. Then it runs again for each request and each fault, with a server,
//! a service and a database of its own.

mod oracle;
mod story;

use crate::report::{Budget, Finding, Part};
use crate::stack::Stack;
use anyhow::{Context as _, Result};
use fastrand::Rng;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use story::{Act, STORIES, tell};
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

/// Tells the stories.
#[must_use]
pub fn run(budget: &Budget) -> Part {
    run_some(budget, usize::MAX)
}

#[allow(
    clippy::expect_used,
    reason = "without a runtime no part of the run can begin"
)]
fn run_some(budget: &Budget, most: usize) -> Part {
    let begun = Instant::now();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (times, planned, found) = runtime
        .block_on(LocalSet::new().run_until(all(budget, most)))
        .unwrap_or_else(|error| {
            (
                0,
                0,
                vec![(format!("the run ended early: {error:#}"), Vec::new())],
            )
        });
    let again = format!("cargo xtask torture --only faults --seed {}", budget.seed);
    let left = planned.saturating_sub(times);
    let skipped = (left > 0)
        .then(|| format!("{left} of {planned} for lack of time; another seed takes others"));
    let finding = |(what, story)| Finding {
        what,
        again: again.clone(),
        story,
    };
    Part {
        name: "faults",
        tried: "a story with a fault at one request to the payment service".to_owned(),
        times,
        took: begun.elapsed(),
        skipped: skipped.into_iter().collect(),
        found: found.into_iter().map(finding).collect(),
    }
}

type Found = Vec<(String, Vec<String>)>;

/// A story, the place of the fault among its requests, and the fault.
type Attempt = (usize, u64, Option<usize>);

async fn all(budget: &Budget, most: usize) -> Result<(u64, u64, Found)> {
    let mut found = Found::new();
    let mut attempts = Vec::new();
    for story in 0..STORIES.len() {
        let (requests, broken) = one((story, 0, None)).await?;
        found.extend(broken);
        // A fault may lead to further requests.
        for place in 0..requests + 1 {
            attempts.extend((0..FAULTS.len()).map(|fault| (story, place, Some(fault))));
        }
    }
    let planned = u64::try_from(attempts.len()).unwrap_or(u64::MAX);
    Rng::with_seed(budget.seed).shuffle(&mut attempts);
    attempts.truncate(most);
    let (mut running, mut times) = (JoinSet::new(), 0);
    loop {
        while running.len() < AT_ONCE && !budget.is_spent() && found.len() < 20 {
            let Some(attempt) = attempts.pop() else { break };
            running.spawn_local(one(attempt));
        }
        let Some(ended) = running.join_next().await else {
            return Ok((times, planned, found));
        };
        times += 1;
        found.extend(ended.context("a story ended early")??.1);
    }
}

/// Tells a story, and returns how many requests the service got and what was broken.
async fn one((story, place, fault): Attempt) -> Result<(u64, Found)> {
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
    let told = tell(&stack, acts).await?;
    let requests = stack.journal().await?.len();
    stack.set_faults(&json!([])).await?;
    let broken = oracle::broken(&stack, &told).await?;
    stack.stop().await;
    let fault = fault.map_or("without a fault", |fault| FAULTS[fault].0);
    let describe = |what: String| {
        let what = format!("a payer {name}, request {place} {fault}: {what}");
        (what, told.lines.clone())
    };
    let requests = u64::try_from(requests).unwrap_or(u64::MAX);
    Ok((requests, broken.into_iter().map(describe).collect()))
}

#[cfg(test)]
mod tests {
    use super::run_some;
    use crate::report::{Budget, print};
    use std::time::Duration;

    #[test]
    fn no_fault_at_a_request_to_the_service_loses_or_doubles_money() {
        let part = run_some(&Budget::new(7, Duration::from_mins(5)), 30);
        assert!(
            part.found.is_empty(),
            "{}",
            print(std::slice::from_ref(&part))
        );
    }
}
