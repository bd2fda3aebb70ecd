//! Changed inputs of a corpus, for the parsers of bytes that come from outside.
//!
//! `fuzz` in the top folder of the repository has the same targets for cargo-fuzz, which needs a nightly compiler and sees
//! which branches a parser takes. This part runs on the stable compiler, and finds less in the same time.

mod targets;

use crate::report::{Budget, Part};
use anyhow::{Context, Result};
use fastrand::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

/// The inputs of a run, of all targets together, if the time is enough for them.
const INPUTS: u64 = 200_000;
/// Inputs are not longer than this.
const LONGEST_BYTES: usize = 4096;
/// A parser that takes longer would hold a payer's page up.
const QUICK: Duration = Duration::from_millis(250);
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus");

/// Pieces that parsers treat in a way of their own.
#[rustfmt::skip]
const PIECES: [&[u8]; 20] = [
    b"null", b"-0", b"-1", b"1e999", b"18446744073709551616", b"\"\"", b"{}", b"[]", b"\\u0000", b"\\ud800", b"%2f",
    b"%2e", b"@", b"\\", b"//", b"[::1]", b"..", b"\xe2\x80\xae", b"\0", b"0000-00-00",
];

/// Reads the inputs.
#[must_use]
pub fn run(budget: &Budget) -> Part {
    run_some(budget, INPUTS)
}

fn run_some(budget: &Budget, most: u64) -> Part {
    let tried = "a changed input, read by a parser of what comes from outside";
    let mut part = Part::begin("parsers", tried, budget);
    if let Err(error) = all(&mut part, budget, most) {
        part.finds(format!("the corpus cannot be read: {error:#}"), Vec::new());
    }
    part
}

fn all(part: &mut Part, budget: &Budget, most: u64) -> Result<()> {
    let mut random = Rng::with_seed(budget.seed);
    let corpora: Vec<_> = TARGETS
        .iter()
        .map(|(name, target)| Ok((*name, *target, corpus(name)?)))
        .collect::<Result<_>>()?;
    for (name, target, inputs) in &corpora {
        for input in inputs {
            one(part, name, *target, input);
        }
    }
    while part.times < most && !budget.is_spent() && !part.has_enough() {
        for (name, target, inputs) in &corpora {
            let input = changed(inputs, &mut random);
            one(part, name, *target, &input);
            part.times += 1;
        }
    }
    Ok(())
}

fn corpus(name: &str) -> Result<Vec<Vec<u8>>> {
    let folder = Path::new(CORPUS).join(name);
    let files = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<_> = files.map(|file| Ok(file?.path())).collect::<Result<_>>()?;
    // The order of a folder is not the same on every machine.
    paths.sort();
    paths.iter().map(|path| Ok(std::fs::read(path)?)).collect()
}

/// An input of the corpus with one to eight changes.
fn changed(inputs: &[Vec<u8>], random: &mut Rng) -> Vec<u8> {
    let mut input = random.choice(inputs).cloned().unwrap_or_default();
    for _ in 0..=random.usize(..8) {
        let at = random.usize(..input.len() + 1);
        let end = input.len().min(at + random.usize(..16));
        match random.usize(..8) {
            0 => input.splice(at..end, []).for_each(drop),
            1 => {
                let part = input.get(at..end).unwrap_or_default().to_vec();
                input.splice(at..at, part).for_each(drop);
            }
            2 => input.truncate(at),
            3 => {
                let other = random.choice(inputs).cloned().unwrap_or_default();
                let from = random.usize(..other.len() + 1);
                let part = other
                    .get(from..)
                    .unwrap_or_default()
                    .iter()
                    .take(64)
                    .copied();
                let part: Vec<u8> = part.collect();
                input.splice(at..end, part).for_each(drop);
            }
            4 => {
                let word = random.choice(PIECES).unwrap_or_default().to_vec();
                input.splice(at..end, word).for_each(drop);
            }
            _ => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << random.usize(..8);
                }
            }
        }
    }
    input.truncate(LONGEST_BYTES);
    input
}

/// Lets a target read an input. Of equal findings only the first is noted.
fn one(part: &mut Part, name: &str, target: Target, input: &[u8]) {
    let (what, why) = match catch_unwind(AssertUnwindSafe(|| is_quick(target, input))) {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).into()));
            (format!("{name}: a promise is broken"), text)
        }
        Ok(false) => (format!("{name}: it takes too long"), None),
        Ok(true) => return,
    };
    if !part.has_found(&what) {
        let input = format!("the input: {}", input.escape_ascii());
        part.finds(what, why.into_iter().chain([input]).collect());
    }
}

/// True when one of three readings takes no longer than a payer can wait; a busy machine delays single ones.
fn is_quick(target: Target, input: &[u8]) -> bool {
    (0..3).any(|_| {
        let begun = Instant::now();
        target(input);
        begun.elapsed() <= QUICK
    })
}

#[cfg(test)]
mod tests {
    use super::{corpus, one, run_some};
    use crate::report::{Budget, Part};
    use checkout_flow::{ContinueUrl, QrImage, Snapshot};
    use payment_model::{AuthorizeResponse, QueryResponse, RefundQueryResponse, RefundRequest};
    use payment_rules::search::Search;
    use serde::de::DeserializeOwned;
    use staff_model::SearchQuery;
    use std::time::Duration;

    #[test]
    fn no_input_stops_a_parser() {
        let part = run_some(&Budget::new(7, Duration::from_mins(5)), 20_000);
        assert!(part.times >= 20_000);
        assert!(part.found.is_empty(), "{part}");
    }

    /// Changes of inputs that are refused at once would try little.
    #[test]
    fn the_corpus_has_sound_inputs_of_each_kind() {
        let any = |name: &str, is_sound: fn(&str) -> bool| {
            let inputs = corpus(name).unwrap();
            let sound = |input: &Vec<u8>| str::from_utf8(input).is_ok_and(is_sound);
            assert!(inputs.iter().any(sound), "{name}");
        };
        let answers = "service_answers";
        any(answers, |json| read::<AuthorizeResponse>(json).is_some());
        any(answers, |json| read::<RefundQueryResponse>(json).is_some());
        any(answers, |json| read::<RefundRequest>(json).is_some());
        any(answers, |json| {
            let answer = read::<QueryResponse>(json);
            answer.is_some_and(|answer| !answer.operation.transactions.is_empty())
        });
        any("staff_search", |json| {
            let search = read::<SearchQuery>(json).and_then(|query| Search::read(&query).ok());
            search.is_some_and(|search| search.after.is_some())
        });
        any("qr_image", |text| QrImage::parse(text).is_some());
        any("continue_url", |text| {
            ContinueUrl::parse(text, &[]).is_some()
        });
        let snapshot = "snapshot";
        any(snapshot, |json| {
            read::<Snapshot>(json).is_some_and(|read| read.operation.is_some())
        });
        any(snapshot, |json| {
            read::<Snapshot>(json).is_some_and(|read| read.attempt.is_some())
        });
    }

    fn read<T: DeserializeOwned>(json: &str) -> Option<T> {
        serde_json::from_str(json).ok()
    }

    #[test]
    fn a_panic_is_a_finding_with_its_input() {
        let mut part = Part::begin("parsers", "", &Budget::new(7, Duration::ZERO));
        for _ in 0..2 {
            let target = |bytes: &[u8]| assert!(bytes.is_empty(), "not empty");
            one(&mut part, "broken", target, b"a\n");
        }
        assert_eq!(part.found.len(), 1);
        assert_eq!(part.found[0].story, ["not empty", "the input: a\\n"]);
    }
}
