//! Random acts with random troubles. What breaks a promise is shrunk to a story that a person can read.

use super::act::Act;
use super::trouble::{Plan, TROUBLES};
use super::{Played, play};
use crate::report::{Budget, Part};
use crate::shared::{lock, work};
use Act::{
    BacksUp, Begins, BeginsInstead, Cancels, ClockJumps, Compares, IsKilled, IsRestored, Looks,
    PageBegins, PageIsOpened, PaidLate, Restarts, Service, ShopCloses, ShopPrices, ShopReads,
    ShopRefunds, StaffCancels, StaffRefunds, StaffReleases, StaffResolves, StaffReturns,
    StaffReverses, ViewerTries, Waits,
};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use std::sync::Mutex;

/// The most acts of a walk.
const MOST_ACTS: usize = 30;
/// The most troubles of a walk.
const MOST_TROUBLES: usize = 3;
/// Troubles happen at points up to this number.
const LAST_POINT: usize = 600;
/// A story is shrunk by at most so many attempts.
const MOST_SHRINKS: u32 = 300;
/// A story is shrunk for at most so long.
const LONGEST_SHRINKING_MILLIS: u32 = 20_000;

/// What may happen at each step. An act that is named twice happens twice as often; the simple ones come first, since a
/// story is shrunk towards them.
#[rustfmt::skip]
const ACTS: &[Act] = &[
    Waits(2), Looks, Begins("QR", "a"), Begins("QR", "a"), Begins("QR", "b"), Begins("INSTALLMENT", "c"),
    Begins("INSTALLMENT", "d"), Service("pay"), Service("pay"), Service("pay"), Service("settle"), Service("settle"),
    Service("expire"), Service("decline"), Service("reverse"), PaidLate, Cancels, Cancels, BeginsInstead("QR", "e"),
    BeginsInstead("INSTALLMENT", "f"), StaffCancels(0), StaffReverses(0), StaffReverses(1),
    StaffRefunds(0, 5_000, "r"), StaffRefunds(1, 9_000, "s"), StaffReturns(0, 12_990, "h"),
    StaffReturns(1, 4_000, "i"), StaffReleases(0), StaffReleases(1), StaffResolves(0), ViewerTries, ShopReads,
    ShopRefunds(0, Some(4_000), "t"), ShopRefunds(1, Some(4_000), "t"), ShopRefunds(1, None, "u"), ShopCloses,
    ShopPrices(9_990), ShopPrices(12_990), PageIsOpened, PageBegins("p", 2), Waits(20), Waits(130), Waits(1_000),
    Restarts, IsKilled, ClockJumps(3_600), ClockJumps(-3_600), BacksUp, IsRestored, Compares,
];

type Steps = (Vec<Act>, Vec<(usize, usize)>);

fn steps() -> impl Strategy<Value = Steps> {
    (
        vec(select(ACTS), 1..MOST_ACTS),
        vec((0..LAST_POINT, any::<usize>()), 0..=MOST_TROUBLES),
    )
}

/// The troubles of a walk. Each number chooses one of those that are possible somewhere.
fn plan(troubles: &[(usize, usize)]) -> Plan {
    let of = |(at, number): &(usize, usize)| (*at, TROUBLES[number % TROUBLES.len()].0);
    troubles.iter().map(of).collect()
}

/// Walks until the time is spent.
#[must_use]
pub fn run(budget: &Budget) -> Part {
    run_some(budget, u64::MAX)
}

fn run_some(budget: &Budget, most: u64) -> Part {
    let mut part = Part::begin(
        "walk",
        "up to 30 random acts in virtual time, with up to three troubles",
        budget,
    );
    // The number of the last walk that has begun.
    let begun = budget
        .attempt
        .map_or(0, |attempt| attempt.saturating_sub(1));
    let most = budget.attempt.unwrap_or(most);
    let shared = Mutex::new((&mut part, begun));
    work(|| {
        let number = next(&shared, budget, most)?;
        if let Some((what, story)) = walk(budget.seed, number) {
            lock(&shared).0.finds_in(number, what, story);
        }
        Some(())
    });
    part
}

/// The number of the next walk.
fn next(shared: &Mutex<(&mut Part, u64)>, budget: &Budget, most: u64) -> Option<u64> {
    let mut shared = lock(shared);
    let (part, begun) = &mut *shared;
    if budget.is_spent() || part.has_enough() || *begun >= most {
        return None;
    }
    *begun += 1;
    part.times += 1;
    Some(*begun)
}

/// Walks once; returns what was broken, and the shrunk story.
fn walk(seed: u64, number: u64) -> Option<(String, Vec<String>)> {
    let mut random = [0; 32];
    fastrand::Rng::with_seed(seed ^ number.rotate_left(32)).fill(&mut random);
    let config = Config {
        cases: 1,
        max_shrink_iters: MOST_SHRINKS,
        max_shrink_time: LONGEST_SHRINKING_MILLIS,
        failure_persistence: None,
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &random);
    let mut runner = TestRunner::new_with_rng(config, random);
    let failed = runner.run(&steps(), |(acts, troubles)| {
        let played = play(&acts, plan(&troubles), seed);
        let broken = match &played {
            Ok(played) => played.broken.first().cloned(),
            Err(error) => Some(format!("{error:#}")),
        };
        broken.map_or(Ok(()), |broken| Err(TestCaseError::fail(broken)))
    });
    let Err(TestError::Fail(why, (acts, troubles))) = failed else {
        return None;
    };
    let troubles = plan(&troubles);
    let played = play(&acts, troubles.clone(), seed).ok();
    let mut story = vec![format!("{acts:?}")];
    if let Some(Played { points, lines, .. }) = played {
        for (at, trouble) in troubles {
            if let Some(point) = points.get(at) {
                story.push(format!("point {at} `{}` {trouble}", point.what));
            }
        }
        story.extend(lines);
    }
    Some((why.message().to_owned(), story))
}

#[cfg(test)]
mod tests {
    use super::run_some;
    use crate::report::Budget;
    use std::time::Duration;

    #[test]
    fn no_walk_loses_or_doubles_money() {
        let part = run_some(&Budget::new(12, Duration::from_mins(5)), 25);
        println!("{part}");
        assert!(part.found.is_empty(), "{part}");
    }
}
