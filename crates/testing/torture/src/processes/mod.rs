//! Real servers that are killed, halted, and denied their disk, their clock or their database in the middle of stories.
//!
//! Each attempt has a payment service, a receiver of events, and one server on a file of SQLite or two nodes on a
//! database of PostgreSQL, in processes of their own. Payers and staff play a story, and repeat their requests as
//! browsers do. Afterwards a checker holds the service, the database and the server's answers against each other.

mod attempt;
mod calls;
mod checker;
mod failover;
mod machine;
mod node;
mod people;
mod plan;
mod rows;
mod scene;
mod story;
mod story_log;
mod trouble;

pub use machine::{SERVER, serve};

use crate::report::{Budget, Part};
use crate::stack::block_on;
use anyhow::Result;
use attempt::{Attempt, Outcome};
use machine::{Machine, own_program, traces};
use plan::{Counted, Plan, counted};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use story::{STORIES, Story};
use tokio::task::{JoinSet, LocalSet};
use trouble::{Blow, Met, Mishap, Trouble};

/// Attempts mostly wait, so that several are played at once.
const AT_ONCE: usize = 8;
/// Runs the part.
#[must_use]
pub fn run(budget: &Budget) -> Part {
    let mut part = begin(budget);
    let played = own_program().and_then(|program| {
        let machine = Arc::new(Machine::with(program)?);
        block_on(LocalSet::new().run_until(all(budget, &machine, &mut part)))
    });
    if let Err(error) = played {
        part.skipped.push(format!("the rest: {error:#}"));
    }
    part
}

/// Runs a few attempts that are always the same, with a program whose first argument may be [`SERVER`].
#[must_use]
pub fn run_few(budget: &Budget, program: &Path) -> Part {
    let mut part = begin(budget);
    let few = Machine::with(program.to_owned()).map(|machine| {
        let machine = Arc::new(machine);
        let attempts = few(&machine, &mut part);
        block_on(LocalSet::new().run_until(play(attempts, AT_ONCE, &machine, budget, &mut part)));
    });
    if let Err(error) = few {
        part.skipped.push(format!("the rest: {error:#}"));
    }
    part
}

fn begin(budget: &Budget) -> Part {
    let tried = "a story of payers or staff while processes of the server meet trouble";
    Part::begin("processes", tried, budget)
}

fn few(machine: &Machine, part: &mut Part) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    match traces() {
        Ok(()) => {
            for (call, at) in [("writev", 2), ("writev", 4), ("fsync", 14)] {
                let blow = Blow::Kill;
                attempts.push(Attempt {
                    story: Story::PaidByQr,
                    trouble: Trouble::Blow { blow, call, at },
                    is_on_postgres: false,
                });
            }
        }
        Err(why) => part.skipped.push(format!("kills at calls: {why:#}")),
    }
    if machine.postgres.is_none() {
        part.skipped
            .push("nodes: PostgreSQL is not installed".to_owned());
        return attempts;
    }
    let slow = Mishap::Slow {
        met: Met::All,
        delay_ms: 20,
        for_ms: 1_000,
    };
    for mishap in [slow, Mishap::RollingRestart] {
        attempts.push(Attempt {
            story: Story::All,
            trouble: Trouble::Mishap {
                mishap,
                step: 2,
                after_ms: 100,
            },
            is_on_postgres: true,
        });
    }
    attempts
}

async fn all(budget: &Budget, machine: &Arc<Machine>, part: &mut Part) -> Result<()> {
    let mut calls = Counted::new();
    match traces() {
        Ok(()) => {
            let counting = STORIES.map(|story| Attempt {
                story,
                trouble: Trouble::Count,
                is_on_postgres: false,
            });
            calls = counted(&play(counting, AT_ONCE, machine, budget, part).await);
        }
        Err(why) => part.skipped.push(format!("strace: {why:#}")),
    }
    let mut plan = Plan::new(budget.seed);
    let mut impossible = BTreeSet::new();
    let attempts = std::iter::from_fn(|| {
        // The budget ends what the plan does not.
        while !budget.is_spent() {
            match plan.next().on(machine, &calls) {
                Ok(attempt) => return Some(attempt),
                Err(why) => {
                    impossible.insert(why);
                }
            }
        }
        None
    });
    play(attempts, AT_ONCE, machine, budget, part).await;
    part.skipped
        .extend(impossible.into_iter().map(str::to_owned));
    Ok(())
}

/// Plays attempts until the budget is spent.
async fn play(
    attempts: impl IntoIterator<Item = Attempt>,
    at_once: usize,
    machine: &Arc<Machine>,
    budget: &Budget,
    part: &mut Part,
) -> Vec<Outcome> {
    let mut waiting = attempts.into_iter();
    let mut playing = JoinSet::new();
    let mut outcomes = Vec::new();
    let mut missed = 0;
    loop {
        while playing.len() < at_once && !budget.is_spent() && !part.has_enough() {
            let Some(attempt) = waiting.next() else {
                break;
            };
            let machine = Arc::clone(machine);
            playing.spawn_local(async move { (attempt, attempt.play(&machine).await) });
        }
        let Some(ended) = playing.join_next().await else {
            break;
        };
        match ended {
            Ok((_, Ok(outcome))) => {
                part.times += 1;
                missed += u32::from(!outcome.has_met);
                for what in &outcome.broken {
                    let what = format!("{what} ({})", outcome.attempt);
                    part.finds(what, outcome.lines.clone());
                }
                outcomes.push(outcome);
            }
            Ok((attempt, Err(error))) => part.skipped.push(format!("{attempt}: {error:#}")),
            Err(error) => part.skipped.push(format!("an attempt: {error}")),
        }
    }
    if missed > 0 {
        let why = "their stories ended earlier than when their calls were counted";
        part.skipped
            .push(format!("{missed} blows that met nobody: {why}"));
    }
    outcomes
}
