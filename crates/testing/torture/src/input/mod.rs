//! Sends requests that no honest program sends, and valid ones that were changed, to every address of the server.
//!
//! ```text
//! contract    what the contract says;  valid: every address, and valid requests to it
//! scene       an order, how far its payment is, and the facts that no contract tells
//! people      who sends, and how they prove it
//! mutation    one change of a request;  json_body, odd_values: what it changes, and into what
//! run         sends, shrinks and reports;  set_up: makes a scene by valid requests
//! verdict     what an answer must be
//! effects     what the payment service may have done, and for whom
//! panics      what no answer shows
//! ```
//!
//! A changed request may be valid by accident. Then its effects need an owner: whoever began, cancelled or refunded
//! a payment sent a secret that permits this.

mod contract;
mod effects;
mod json_body;
mod mutation;
mod odd_values;
mod panics;
mod people;
mod run;
mod scene;
mod set_up;
mod valid;
mod verdict;

use crate::report::{Budget, Part};
use crate::stack::block_on;
use anyhow::Result;
use run::Run;

/// The requests of a run, if the time is enough for them.
const REQUESTS: u64 = 10_000;
/// After so many requests the caches of the programs are full.
const WARM_AFTER: u64 = 2_500;
const PAGE_BYTES: u64 = 4096;
const MIB_BYTES: u64 = 1024 * 1024;
/// More growth than this is a leak: the payment service keeps each operation, which is far less.
const MOST_GROWTH_BYTES: u64 = 64 * MIB_BYTES;
/// The memory is looked at after each of so many equal parts of a run.
const SLICES: u64 = 6;

/// Sends the requests.
#[must_use]
pub fn run(budget: &Budget) -> Part {
    run_some(budget, REQUESTS)
}

/// Sends at most so many requests.
#[must_use]
pub fn run_some(budget: &Budget, most: u64) -> Part {
    let tried = "a request that no honest program sends";
    let part = Part::begin("input", tried, budget);
    block_on(torment(budget, most, part.clone())).unwrap_or_else(|error| {
        let mut part = part;
        part.finds(format!("the requests ended early: {error:#}"), Vec::new());
        part
    })
}

async fn torment(budget: &Budget, most: u64, part: Part) -> Result<Part> {
    let mut run = Run::start(budget.seed, part).await?;
    let warm = WARM_AFTER.min(most / 4);
    let mut done = run.torment(warm, budget).await;
    let mut sizes = vec![resident_bytes()];
    for slice in 1..=SLICES {
        if done.is_ok() {
            let until = warm + (most - warm) * slice / SLICES;
            let further = until.saturating_sub(run.part.times);
            done = run.torment(further, budget).await;
        }
        sizes.push(resident_bytes());
    }
    let growth = steady_growth(&sizes);
    if let Err(error) = done {
        let what = "an honest request is not served, and ends the run".to_owned();
        run.part.finds(what, vec![format!("{error:#}")]);
    }
    let figures = figures(&run, growth);
    run.part.figures.extend(figures);
    match growth {
        Some(growth) if growth > MOST_GROWTH_BYTES => {
            let what = format!("the memory grew steadily, by {} MiB", growth / MIB_BYTES);
            run.part.finds(what, Vec::new());
        }
        Some(_) => {}
        None => {
            let reason = "the memory, which this system does not tell".to_owned();
            run.part.skipped.push(reason);
        }
    }
    run.stack.stop().await;
    Ok(run.part)
}

/// The memory that this process has; `None` where the system does not tell.
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * PAGE_BYTES)
}

/// The growth of the slice that grew least, for all slices; `None` where the system does not tell. The allocator keeps
/// the 19 MiB of a password's hash for each thread that ever computed one, so that single slices grow without a leak.
fn steady_growth(sizes: &[Option<u64>]) -> Option<u64> {
    let sizes: Vec<u64> = sizes.iter().copied().collect::<Option<_>>()?;
    let slices = sizes.iter().zip(sizes.iter().skip(1));
    let least = slices
        .map(|(before, after)| after.saturating_sub(*before))
        .min()?;
    Some(least * SLICES)
}

/// What shows a person that the requests reach the rules behind the parsers.
fn figures(run: &Run, growth: Option<u64>) -> Vec<String> {
    let statuses = run.statuses.iter().map(|(status, count)| match status {
        0 => format!("{count} that are no HTTP"),
        _ => format!("{count} with {status}"),
    });
    let statuses: Vec<String> = statuses.collect();
    let least = run.addresses.iter().map(|(_, times)| *times).min();
    let [begun, cancelled, refunded] = run.effects.count;
    let growth = growth.unwrap_or_default() / MIB_BYTES;
    vec![
        format!(
            "{} addresses, each tried {} times at least",
            run.addresses.len(),
            least.unwrap_or_default()
        ),
        format!("answers: {}", statuses.join(", ")),
        format!("operations: {begun} begun, {cancelled} cancelled, {refunded} refunds"),
        format!("memory: {growth} MiB of steady growth"),
    ]
}

#[cfg(test)]
mod tests {
    use super::{MIB_BYTES, steady_growth};

    #[test]
    fn only_memory_that_grows_in_each_slice_is_a_leak() {
        let grown = |sizes: [u64; 7]| steady_growth(&sizes.map(|size| Some(size * MIB_BYTES)));
        assert_eq!(grown([100, 140, 140, 141, 180, 180, 200]), Some(0));
        assert_eq!(
            grown([100, 120, 150, 170, 190, 210, 230]),
            Some(120 * MIB_BYTES)
        );
        assert_eq!(steady_growth(&[None, Some(1)]), None);
    }
}
