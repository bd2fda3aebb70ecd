//! Plants one mistake after the other in the server, and looks for each of them as for any other one. A search that finds
//! nothing proves little unless it finds what is there.

use super::trouble::{Plan, PointKind, Trouble};
use super::{Played, beginning, play, stories};
use crate::report::Budget;
use crate::shared::{lock, work};
use anyhow::{Result, anyhow};
use fastrand::Rng;
use payment_rules::planted_mistakes::{Mistake, plant};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A mistake that the worlds have to find, and what is tried first: the stories of these names, with this trouble.
type Clue = (Mistake, &'static str, Option<(PointKind, Trouble)>);

#[rustfmt::skip]
const CLUES: [Clue; 6] = [
    (Mistake::FailedEventIsForgotten, "pays a code", Some((PointKind::ToShop, Trouble::Refused))),
    (Mistake::CommitErrorIsIgnored, "pays a code", Some((PointKind::Commit, Trouble::Fails))),
    (Mistake::ClockIsAlwaysEven, "gets money back by hand after a jump of the clock",
        Some((PointKind::ToService, Trouble::ArrivesLate))),
    (Mistake::SearchSendsAgain, "is refunded", Some((PointKind::ToService, Trouble::AnswerLost))),
    (Mistake::SendWindowNeverCloses, "pays a code", Some((PointKind::ToService, Trouble::SlowConnection))),
    (Mistake::ExceptionListIsCut, "pays an expired code that a backup has", None),
];

/// The mistakes that the worlds have to find.
pub fn mistakes() -> impl ExactSizeIterator<Item = Mistake> {
    CLUES.into_iter().map(|(mistake, ..)| mistake)
}

/// What came of the search for one mistake.
#[derive(Debug)]
pub struct Hunt {
    mistake: Mistake,
    worlds: usize,
    took: Duration,
    /// The story and what was wrong in it.
    pub found: Option<String>,
}

impl fmt::Display for Hunt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (worlds, seconds) = (self.worlds, self.took.as_secs_f32());
        match &self.found {
            Some(what) => write!(
                f,
                "{}: found after {worlds} worlds in {seconds:.1} s by \"{what}\"",
                self.mistake
            ),
            None => write!(
                f,
                "{}: NOT FOUND in {worlds} worlds in {seconds:.1} s. {}",
                self.mistake,
                self.mistake.meaning()
            ),
        }
    }
}

/// Looks for one mistake until one world shows it, or the time is over.
///
/// # Errors
/// A world cannot begin.
pub fn hunt(mistake: Mistake, budget: &Budget) -> Result<Hunt> {
    let clue = CLUES.iter().find(|(clue, ..)| *clue == mistake);
    let (_, first, trouble) = clue.ok_or_else(|| anyhow!("{mistake}: there is no clue"))?;
    // Made without the mistake: every world begins with it.
    beginning()?;
    let begun = Instant::now();
    let worlds = AtomicUsize::new(0);
    let is_first = |at: &usize| stories().nth(*at).is_some_and(|(name, _)| name == first);
    let (named, others): (Vec<_>, Vec<_>) = (0..stories().count()).partition(is_first);
    if named.is_empty() {
        return Err(anyhow!(
            "{mistake}: there is no story of a payer who {first}"
        ));
    }
    let mut found = None;
    for stories in [named, others] {
        found = match found {
            None => search(mistake, &stories, *trouble, budget, &worlds)?,
            found => found,
        };
    }
    Ok(Hunt {
        mistake,
        worlds: worlds.into_inner(),
        took: begun.elapsed(),
        found,
    })
}

/// Plays some stories with the mistake: without a trouble, then with every trouble at every point. Returns what was
/// wrong first.
fn search(
    mistake: Mistake,
    stories: &[usize],
    first: Option<(PointKind, Trouble)>,
    budget: &Budget,
    worlds: &AtomicUsize,
) -> Result<Option<String>> {
    let mut attempts = Vec::new();
    for story in stories {
        if budget.is_spent() {
            return Ok(None);
        }
        worlds.fetch_add(1, Ordering::Relaxed);
        let played = play_with(mistake, *story, Plan::new(), budget.seed)?;
        if let Some(what) = played.broken.first() {
            return Ok(Some(told(*story, "", what)));
        }
        for (at, point) in played.points.iter().enumerate() {
            for trouble in Trouble::at(point.kind) {
                attempts.push((*story, at, (point.kind, trouble)));
            }
        }
    }
    Rng::with_seed(budget.seed).shuffle(&mut attempts);
    // The last one is tried first.
    attempts.sort_by_key(|(_, _, trouble)| Some(*trouble) == first);
    let attempts = Mutex::new(attempts);
    let found: Mutex<Option<Result<String>>> = Mutex::new(None);
    work(|| {
        if budget.is_spent() || lock(&found).is_some() {
            return None;
        }
        let (story, at, (_, trouble)) = lock(&attempts).pop()?;
        worlds.fetch_add(1, Ordering::Relaxed);
        let played = play_with(mistake, story, vec![(at, trouble)], budget.seed);
        let what = played.map(|played| {
            let point = played.points.get(at).map_or("-", |point| &point.what);
            let trouble = format!(", `{point}` {trouble}");
            let what = played.broken.first();
            what.map(|what| told(story, &trouble, what))
        });
        if let Some(what) = what.transpose() {
            lock(&found).get_or_insert(what);
        }
        Some(())
    });
    lock(&found).take().transpose()
}

/// Plays a story in a world whose server has the mistake. The whole world runs in this thread. What is wrong without the
/// mistake, too, says nothing about it, and does not count.
fn play_with(mistake: Mistake, story: usize, plan: Plan, seed: u64) -> Result<Played> {
    let acts = stories().nth(story).map_or(&[][..], |(_, acts)| acts);
    plant(Some(mistake));
    let played = play(acts, plan.clone(), seed);
    plant(None);
    let mut played = played?;
    if !played.broken.is_empty() {
        let without = play(acts, plan, seed)?.broken;
        played.broken.retain(|_| without.is_empty());
    }
    Ok(played)
}

fn told(story: usize, trouble: &str, what: &str) -> String {
    let name = stories().nth(story).map_or("-", |(name, _)| name);
    format!("a payer {name}{trouble}: {what}")
}

#[cfg(test)]
mod tests {
    use super::{hunt, mistakes};
    use crate::report::Budget;
    use std::time::Duration;

    #[test]
    fn every_planted_mistake_is_found() {
        let only = std::env::var("MISTAKE").unwrap_or_default();
        let mut missed = Vec::new();
        for mistake in mistakes().filter(|mistake| mistake.name().contains(&only)) {
            let hunt = hunt(mistake, &Budget::new(11, Duration::from_mins(1))).unwrap();
            println!("{hunt}");
            if hunt.found.is_none() {
                missed.push(mistake);
            }
        }
        assert!(missed.is_empty(), "{missed:?}");
    }
}
