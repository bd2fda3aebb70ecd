//! A closed world in one thread and in virtual time: the server over a database file, the payment service, the shop,
//! staff and payers, with a trouble at any point.

mod act;
mod acts;
mod browser;
mod machine;
mod network;
mod people;
#[cfg(feature = "planted")]
pub mod planted;
mod press;
mod programs;
mod quiet;
mod server_machine;
mod settings;
mod shop;
mod shown;
mod staff;
mod stage;
mod stories;
mod tab;
mod tab_client;
mod tab_oracles;
mod tab_stories;
mod tabs;
mod trouble;
mod truth;
pub mod walk;

use crate::report::{Budget, Part};
use crate::shared::{lock, work};
use act::Act;
use acts::{ORDER, PRICE_CENTS, People};
use anyhow::Result;
use fastrand::Rng;
use people::Keys;
use stage::World;
use std::sync::{Mutex, OnceLock};
use stories::STORIES;
use tab_stories::TAB_STORIES;
use trouble::{Plan, Point, Trouble};

/// A database in which staff are signed in and programs have keys, and these keys.
struct Beginning {
    database: Vec<u8>,
    keys: Keys,
}

fn beginning() -> Result<&'static Beginning> {
    static BEGINNING: OnceLock<Beginning> = OnceLock::new();
    if let Some(made) = BEGINNING.get() {
        return Ok(made);
    }
    let made = stage::run(async {
        let world = World::start(None, Plan::new(), 0).await?;
        let keys = Keys::make(&world).await?;
        let database = world.database().await?;
        anyhow::Ok(Beginning { database, keys })
    })?;
    Ok(BEGINNING.get_or_init(|| made))
}

/// What came of a story.
struct Played {
    points: Vec<Point>,
    lines: Vec<String>,
    broken: Vec<String>,
}

/// Plays a story with these troubles in a world of its own.
fn play(acts: &[Act], plan: Plan, seed: u64) -> Result<Played> {
    let beginning = beginning()?;
    stage::run(async {
        let world = World::start(Some(&beginning.database), plan, seed).await?;
        world.shop().set_price(ORDER, PRICE_CENTS);
        world.back_up()?;
        let people = People::new(world.clone(), beginning.keys.clone());
        world.network().watch();
        for act in acts {
            people.act(*act).await;
        }
        let points = world.network().reached();
        let broken = quiet::broken(&people).await?;
        Ok(Played {
            points,
            lines: people.lines(),
            broken,
        })
    })
}

/// Every story with its name.
fn stories() -> impl Iterator<Item = &'static (&'static str, &'static [Act])> {
    STORIES.iter().chain(TAB_STORIES)
}

/// A story, a point of it, and the trouble there.
type Attempt = (usize, usize, Trouble);

/// Plays every story with every trouble at every point.
#[must_use]
pub fn run(budget: &Budget) -> Part {
    run_some(budget, usize::MAX)
}

/// Plays at most so many stories without a trouble, and as many with one.
fn run_some(budget: &Budget, most: usize) -> Part {
    let mut part = Part::begin(
        "world",
        "a story in virtual time, with one trouble at one statement or message",
        budget,
    );
    if let Err(error) = enumerate(&mut part, budget, most) {
        part.finds(format!("the world ended early: {error:#}"), Vec::new());
    }
    part
}

fn enumerate(part: &mut Part, budget: &Budget, most: usize) -> Result<()> {
    let mut random = Rng::with_seed(budget.seed);
    let mut chosen: Vec<_> = stories().enumerate().collect();
    random.shuffle(&mut chosen);
    chosen.truncate(most);
    let mut attempts = Vec::new();
    for (story, (name, acts)) in chosen {
        let played = play(acts, Plan::new(), budget.seed)?;
        part.times += 1;
        for what in played.broken {
            part.finds(format!("a payer {name}: {what}"), played.lines.clone());
        }
        for (at, point) in played.points.iter().enumerate() {
            for trouble in Trouble::at(point.kind) {
                attempts.push((story, at, trouble));
            }
        }
    }
    let planned = attempts.len();
    random.shuffle(&mut attempts);
    attempts.truncate(most);
    // The number of an attempt is its place in this list.
    let mut attempts: Vec<(u64, Attempt)> = (0..).zip(attempts).collect();
    attempts.retain(|(number, _)| budget.attempt.is_none_or(|wanted| wanted == *number));
    let attempts = Mutex::new(attempts);
    let shared = Mutex::new(&mut *part);
    work(|| {
        let (number, attempt) = lock(&attempts).pop()?;
        if budget.is_spent() || lock(&shared).has_enough() {
            return None;
        }
        try_one(&shared, number, attempt, budget.seed);
        Some(())
    });
    let left = attempts.into_inner().map_or(0, |left| left.len());
    if left > 0 {
        part.skipped.push(format!(
            "{left} of {planned} for lack of time; another seed takes others"
        ));
    }
    Ok(())
}

fn try_one(part: &Mutex<&mut Part>, number: u64, attempt: Attempt, seed: u64) {
    let (story, at, trouble) = attempt;
    let Some((name, acts)) = stories().nth(story) else {
        return;
    };
    let played = play(acts, vec![(at, trouble)], seed);
    let mut part = lock(part);
    part.times += 1;
    match played {
        Ok(played) => {
            let point = played.points.get(at).map_or("-", |point| &point.what);
            for what in played.broken {
                let what = format!("a payer {name}, point {at} `{point}` {trouble}: {what}");
                part.finds_in(number, what, played.lines.clone());
            }
        }
        Err(error) => part.finds_in(number, format!("a payer {name}: {error:#}"), Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::trouble::{Plan, Trouble};
    use super::{play, run_some, stories};
    use crate::report::Budget;
    use std::time::Duration;

    /// The service carries a request out, and what comes back tells less or something else.
    #[test]
    fn a_misleading_answer_neither_loses_nor_doubles_money() {
        use Trouble::{AnswerByAnother, AnswerDenied, AnswerUnreadable, Limited};
        let moves = ["POST /charges", "POST /refund", "DELETE"];
        for (name, troubles) in [
            ("pays a code unseen", &[AnswerDenied][..]),
            ("is refunded by two members of staff", &[AnswerDenied]),
            ("gets a payment back before the settlement", &[AnswerDenied]),
            (
                "is refunded by two members of staff",
                &[AnswerUnreadable, AnswerByAnother, Limited],
            ),
        ] {
            let (_, acts) = stories().find(|(own, _)| *own == name).unwrap();
            let points = play(acts, Plan::new(), 11).unwrap().points;
            let moving = points.iter().enumerate();
            let moving =
                moving.filter(|(_, point)| moves.iter().any(|one| point.what.starts_with(one)));
            let moving: Vec<_> = moving.collect();
            assert!(!moving.is_empty(), "{name}");
            for (at, point) in moving {
                for trouble in troubles {
                    let broken = play(acts, vec![(at, *trouble)], 11).unwrap().broken;
                    assert!(
                        broken.is_empty(),
                        "{name}, {} {trouble}: {broken:?}",
                        point.what
                    );
                }
            }
        }
    }

    #[test]
    fn no_trouble_at_any_point_loses_or_doubles_money() {
        let part = run_some(&Budget::new(11, Duration::from_mins(5)), 30);
        assert!(part.found.is_empty(), "{part}");
    }
}
