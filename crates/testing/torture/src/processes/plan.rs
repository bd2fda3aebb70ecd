//! Which attempts a seed stands for.

use super::attempt::{Attempt, NODES, Outcome};
use super::calls::Counts;
use super::machine::Machine;
use super::story::{STORIES, Story};
use super::trouble::{Blow, CALLS, DISK_CALLS, Met, Mishap, Trouble};
use fastrand::Rng;

/// The kinds of attempts.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// A kill or a failing disk at a call.
    Call,
    /// The same at a write to the file, which are many and mostly alike.
    Write,
    /// A clock that jumps.
    Jump,
    /// A kill or a halt of a server on a file, at any moment.
    Alone,
    /// A mishap of nodes on PostgreSQL.
    Nodes,
    /// A standby that takes over.
    Failover,
}

/// How often each kind comes in a round, so that a short run has some of each.
const ROUND: [(Kind, usize); 6] = [
    (Kind::Call, 5),
    (Kind::Write, 2),
    (Kind::Jump, 2),
    (Kind::Alone, 1),
    (Kind::Nodes, 6),
    (Kind::Failover, 1),
];
/// The jumps of a clock, in seconds: an hour and a day, either way.
const JUMPS: [i64; 4] = [3_600, -3_600, 86_400, -86_400];
/// How long a server on a file is halted.
const HALT_MS: u64 = 10_000;
/// The halts of a node: other nodes take over what it had under way after 36 seconds at the latest.
const NODE_HALTS_MS: [u64; 3] = [2_000, 10_000, 40_000];
/// The times for which a killed node is away.
const AWAY_MS: [u64; 3] = [0, 3_000, 40_000];
/// How long the database is away or slow.
const DATABASE_MS: [u64; 3] = [500, 4_000, 20_000];
/// How late the data of a slow database is.
const DELAYS_MS: [u64; 4] = [5, 40, 250, 1_200];
/// For how long a standby gets no commits; the acts of a story take a second.
const LOST_MS: [u64; 2] = [2_500, 4_000];
/// A moment after the beginning of a step.
const MOST_AFTER_MS: u64 = 300;

/// The attempts of a seed, in their order. Two plans of one seed are equal, also where some attempts cannot be played.
pub(super) struct Plan {
    rng: Rng,
    round: Vec<Kind>,
}

/// An attempt of a plan.
#[derive(Debug, Clone, Copy)]
pub(super) enum Planned {
    /// It is known in full.
    Attempt(Attempt),
    /// A blow at a call. Where it falls is a share of the calls of the undisturbed story, in thousandths, since their
    /// number is known only when they were counted.
    Blow {
        story: Story,
        blow: Blow,
        call: &'static str,
        share: u32,
    },
}

impl Plan {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            rng: Rng::with_seed(seed),
            round: Vec::new(),
        }
    }

    pub(super) fn next(&mut self) -> Planned {
        if self.round.is_empty() {
            let kinds = ROUND.iter();
            self.round = kinds
                .flat_map(|(kind, times)| std::iter::repeat_n(*kind, *times))
                .collect();
            self.rng.shuffle(&mut self.round);
        }
        let kind = self.round.pop().unwrap_or(Kind::Alone);
        // What an attempt draws moves none of the next ones.
        let rng = &mut self.rng.fork();
        match kind {
            Kind::Call => {
                let calls: Vec<_> = CALLS
                    .into_iter()
                    .filter(|call| *call != "pwrite64")
                    .collect();
                blow(rng, &calls)
            }
            Kind::Write => blow(rng, &["pwrite64"]),
            Kind::Jump => {
                let story = one_of(rng, &STORIES);
                let trouble = Trouble::Jump {
                    seconds: one_of(rng, &JUMPS),
                    step: rng.usize(1..=story.steps()),
                };
                Planned::Attempt(Attempt {
                    story,
                    trouble,
                    is_on_postgres: false,
                })
            }
            Kind::Alone => {
                let met = Met::All;
                let mishap = if rng.bool() {
                    Mishap::Halted {
                        met,
                        for_ms: HALT_MS,
                    }
                } else {
                    Mishap::Killed { met, away_ms: 0 }
                };
                let story = one_of(rng, &STORIES);
                mishap_in(rng, story, mishap, false)
            }
            Kind::Nodes => nodes(rng),
            Kind::Failover => {
                let story = one_of(rng, &STORIES);
                let trouble = Trouble::Failover {
                    // Its last step is the first in which people do nothing any more.
                    step: rng.usize(1..story.steps()),
                    lost_ms: one_of(rng, &LOST_MS),
                };
                Planned::Attempt(Attempt {
                    story,
                    trouble,
                    is_on_postgres: true,
                })
            }
        }
    }
}

fn one_of<T: Copy>(rng: &mut Rng, list: &[T]) -> T {
    list[rng.usize(..list.len())]
}

fn blow(rng: &mut Rng, calls: &[&'static str]) -> Planned {
    let call = one_of(rng, calls);
    let blows: &[Blow] = if DISK_CALLS.contains(&call) {
        &[Blow::Kill, Blow::InputOutputError, Blow::NoSpace]
    } else {
        &[Blow::Kill]
    };
    Planned::Blow {
        story: one_of(rng, &STORIES),
        blow: one_of(rng, blows),
        call,
        share: rng.u32(..1_000),
    }
}

fn mishap_in(rng: &mut Rng, story: Story, mishap: Mishap, is_on_postgres: bool) -> Planned {
    let trouble = Trouble::Mishap {
        mishap,
        step: rng.usize(1..=story.steps()),
        after_ms: rng.u64(..MOST_AFTER_MS),
    };
    Planned::Attempt(Attempt {
        story,
        trouble,
        is_on_postgres,
    })
}

fn nodes(rng: &mut Rng) -> Planned {
    let met = match rng.usize(..NODES + 1) {
        NODES => Met::All,
        node => Met::One(node),
    };
    let mishap = match rng.usize(..9) {
        0..3 => Mishap::Killed {
            met,
            away_ms: one_of(rng, &AWAY_MS),
        },
        3..5 => Mishap::Halted {
            met,
            for_ms: one_of(rng, &NODE_HALTS_MS),
        },
        5..7 => Mishap::Cut {
            met,
            for_ms: one_of(rng, &DATABASE_MS),
        },
        7 => Mishap::Slow {
            met,
            delay_ms: one_of(rng, &DELAYS_MS),
            for_ms: one_of(rng, &DATABASE_MS),
        },
        _ => Mishap::RollingRestart,
    };
    let story = if mishap == Mishap::RollingRestart || rng.bool() {
        Story::All
    } else {
        one_of(rng, &STORIES)
    };
    mishap_in(rng, story, mishap, true)
}

/// The calls of each story without trouble: until the server listened, and all of them.
pub(super) type Counted = Vec<(Story, (Counts, Counts))>;

impl Planned {
    /// What is played, or the reason why this machine cannot. The calls of the start come first in each thread; a
    /// server that is hit there has done nothing yet, so only the story of the first code is hit there, too.
    pub(super) fn on(self, machine: &Machine, counted: &Counted) -> Result<Attempt, &'static str> {
        match self {
            Self::Attempt(attempt) => {
                if attempt.is_on_postgres && machine.postgres.is_none() {
                    Err("nodes on PostgreSQL, which is not installed")
                } else if matches!(attempt.trouble, Trouble::Jump { .. })
                    && machine.faketime.is_none()
                {
                    Err("clocks that jump, since libfaketime is not installed")
                } else {
                    Ok(attempt)
                }
            }
            Self::Blow {
                story,
                blow,
                call,
                share,
            } => {
                let calls = counted.iter().find(|(counted, _)| *counted == story);
                let (_, (before, all)) =
                    calls.ok_or("kills and failing disks at calls, which strace has to count")?;
                // A call that the server of this machine never makes stands for one that every server makes.
                let call = match all.get(call) {
                    Some(_) => call,
                    None if DISK_CALLS.contains(&call) => "fsync",
                    None => "writev",
                };
                let of = |counts: &Counts| counts.get(call).copied().unwrap_or_default();
                let is_whole = story == Story::PaidByQr && call != "pwrite64";
                let first = if is_whole { 1 } else { of(before) + 1 };
                let room = of(all).saturating_sub(first) + 1;
                let at = first + share * room / 1_000;
                Ok(Attempt {
                    story,
                    trouble: Trouble::Blow { blow, call, at },
                    is_on_postgres: false,
                })
            }
        }
    }
}

/// What the undisturbed stories counted.
pub(super) fn counted(outcomes: &[Outcome]) -> Counted {
    let counts = outcomes.iter();
    let counts = counts.map(|outcome| (outcome.attempt.story, outcome.calls.clone()));
    counts.collect()
}
