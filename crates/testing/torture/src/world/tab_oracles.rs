//! What holds of everything that payers saw in their tabs.

use super::press::Press;
use super::shown::Shown;
use super::stage::World;
use super::tabs::Tabs;
use super::truth::Sent;
use crate::service::{Operation, is_paid};
use anyhow::Result;
use payment_model::Outcome;
use std::time::Duration;
use tokio::time::sleep;

/// How long a page may take to learn what the server knows: it asks again after the longest pause that a server may want.
const LONGEST_UNTIL_AGREEMENT: Duration = Duration::from_mins(17);
const LOOK_PAUSE: Duration = Duration::from_secs(20);
/// How long a press may take to have an effect.
const LONGEST_UNTIL_EFFECT: Duration = Duration::from_mins(2);
const EFFECT_PAUSE: Duration = Duration::from_millis(500);

/// The screens that have to end by themselves.
const ENDING: [&str; 5] = [
    "Authorizing",
    "Cancelling",
    "LastCheck",
    "Checking",
    "Preparing",
];

/// What was wrong at some moment.
pub(super) fn at_any_moment(tabs: &Tabs, sent: &[Sent]) -> Vec<String> {
    let all = tabs.shown();
    let mut broken = Vec::new();
    for (place, shown) in &all {
        for (index, one) in shown.iter().enumerate() {
            let (earlier, _) = shown.split_at(index);
            let wrong = [
                payable_beside(one, &all),
                paid_unpaid(one),
                paid_again(one, earlier),
                reversed_unsaid(one, earlier, sent),
            ];
            let wrong = wrong.into_iter().flatten();
            broken.extend(wrong.map(|what| {
                let at = one.at.as_secs_f32();
                format!("tab {place} at {at:.1} s: {what}")
            }));
        }
    }
    broken
}

/// A payer got a code while another one, which some payer saw before, could still be paid.
fn payable_beside(one: &Shown, all: &[(usize, Vec<Shown>)]) -> Option<String> {
    let number = one.number.as_ref().filter(|_| one.pays_with.is_some())?;
    let mut older = one.service.iter().skip_while(|own| own.number != *number);
    older.next();
    let was_shown = |other: &Operation| {
        let mut screens = all.iter().flat_map(|(_, shown)| shown);
        screens.any(|screen| {
            screen.at <= one.at
                && screen.pays_with.is_some()
                && screen.number.as_ref() == Some(&other.number)
        })
    };
    let mut payable = older.filter(|other| other.state == "PENDIENTE" && was_shown(other));
    let other = &payable.next()?.number;
    Some(format!(
        "shows a code of {number} while {other} can still be paid"
    ))
}

/// A payer read of a payment that the service never had.
fn paid_unpaid(one: &Shown) -> Option<String> {
    let number = one.number.as_ref();
    let number = number.filter(|_| one.outcome == Some(Outcome::Paid))?;
    let mut own = one.service.iter().filter(|own| own.number == *number);
    let is_right = own.any(Operation::was_paid);
    (!is_right).then(|| format!("says that {number} is paid, and it is not"))
}

/// A payer read that a payment was given back, and that it is there again.
fn paid_again(one: &Shown, earlier: &[Shown]) -> Option<String> {
    let number = one.number.as_ref();
    let number = number.filter(|_| one.outcome == Some(Outcome::Paid))?;
    let mut earlier = earlier.iter();
    let was_reversed = earlier.any(|before| says(before, number, Outcome::Reversed));
    was_reversed.then(|| format!("says that {number} is paid, after it was given back"))
}

/// A payer got a new code without a word about the payment of the one before, which was given back.
fn reversed_unsaid(one: &Shown, earlier: &[Shown], sent: &[Sent]) -> Option<String> {
    let number = one.number.as_ref().filter(|_| one.pays_with.is_some())?;
    let asked = one.asked?;
    let mut before = earlier.iter().filter(|before| before.pays_with.is_some());
    let silent = before.find_map(|before| {
        let other = before.number.as_ref().filter(|other| *other != number)?;
        let mut sent = sent.iter();
        let was_given_back = sent.any(|cancellation| {
            cancellation.gave_back
                && cancellation.left < asked
                && cancellation.number.as_ref() == Some(other)
        });
        let was_told = earlier
            .iter()
            .any(|told| says(told, other, Outcome::Reversed) || says(told, other, Outcome::Paid));
        (was_given_back && !was_told).then_some(other)
    })?;
    Some(format!(
        "shows a code of {number}, and never said that {silent} was given back"
    ))
}

fn says(shown: &Shown, number: &str, outcome: Outcome) -> bool {
    shown.number.as_deref() == Some(number) && shown.outcome == Some(outcome)
}

/// Waits until every open page agrees with the service, and returns what does not at the end.
pub(super) async fn at_the_end(world: &World, tabs: &Tabs) -> Result<Vec<String>> {
    let begun = world.passed();
    let mut wrong = disagreement(world, tabs).await?;
    while !wrong.is_empty() && world.passed() - begun < LONGEST_UNTIL_AGREEMENT {
        sleep(LOOK_PAUSE).await;
        wrong = disagreement(world, tabs).await?;
    }
    Ok(wrong)
}

async fn disagreement(world: &World, tabs: &Tabs) -> Result<Vec<String>> {
    let operations = world.operations().await?;
    let mut wrong = Vec::new();
    for (place, tab) in tabs.open_pages() {
        let Some(now) = tab.view() else {
            continue;
        };
        let front = now.number.as_ref();
        let front = operations.iter().find(|one| Some(&one.number) == front);
        let state = front.map_or("-", |one| &one.state);
        let agrees = match now.outcome {
            // A page that says paid asks no more.
            Some(Outcome::Paid) => front.is_some_and(Operation::was_paid),
            Some(Outcome::Reversed) => front.is_some_and(Operation::is_reversed),
            Some(_) => !is_paid(state) && state != "PENDIENTE",
            None if now.pays_with.is_some() => state == "PENDIENTE",
            None => !is_paid(state),
        };
        if !agrees {
            let (kind, number) = (&now.kind, front.map_or("-", |one| &one.number));
            wrong.push(format!(
                "tab {place} shows {kind} of {number}, which is {state}"
            ));
        }
        let mut known = operations.iter().filter(|one| one.is_paid());
        let paid = known.find(|one| {
            let mut shown = tab.shown().into_iter();
            shown.any(|shown| {
                shown.pays_with.is_some() && shown.number.as_ref() == Some(&one.number)
            })
        });
        if let Some(paid) = paid.filter(|_| now.outcome != Some(Outcome::Paid)) {
            let (kind, number) = (&now.kind, &paid.number);
            wrong.push(format!(
                "tab {place} shows {kind}, and {number}, which it offered, is paid"
            ));
        }
        if ENDING.contains(&&*now.kind) {
            wrong.push(format!("tab {place} still shows {}", now.kind));
        }
    }
    Ok(wrong)
}

/// Presses the first thing that each open page offers, and returns the pages on which nothing happens.
pub(super) async fn of_ways_on(world: &World, tabs: &Tabs) -> Vec<String> {
    let mut broken = Vec::new();
    for (place, tab) in tabs.open_pages() {
        let Some(before) = tab.view() else {
            continue;
        };
        let is_over = matches!(before.outcome, Some(Outcome::Paid | Outcome::Reversed));
        // A question about the state changes nothing while the state is the same.
        let presses = tab.presses();
        let mut others = presses.iter().filter(|press| **press != Press::Check);
        let Some(first) = others.next().or(presses.first()).copied() else {
            if !is_over {
                broken.push(format!(
                    "tab {place} shows {}, which offers nothing",
                    before.kind
                ));
            }
            continue;
        };
        let begun = world.passed();
        tab.press(first);
        if tab.presses().contains(&Press::Confirm) {
            tab.press(Press::Confirm);
        }
        while tab.is_open() && !went_on(tab.view().as_ref(), &before) {
            if world.passed() - begun > LONGEST_UNTIL_EFFECT {
                let kind = &before.kind;
                broken.push(format!(
                    "tab {place} shows {kind}, and {first:?} changes nothing"
                ));
                break;
            }
            sleep(EFFECT_PAUSE).await;
        }
    }
    broken
}

/// True once another screen came that the payer need not wait at.
fn went_on(now: Option<&Shown>, before: &Shown) -> bool {
    now.is_some_and(|now| now.at != before.at && !ENDING.contains(&&*now.kind))
}
