//! Questions that fail, about the operation in front and about one behind it.

use crate::support::page::{Page, seconds};
use crate::support::server::{Network, closed_for, status};
use checkout_flow::Connection;
use payment_model::PaymentMethodName;
use std::time::Duration;

/// How long after the next question about an operation the one after it is asked.
fn pause(page: &mut Page, number: &str, happens: impl FnOnce(&mut Page)) -> i64 {
    let asked = page.asked_about(number).len();
    until_asked(page, number);
    happens(page);
    page.time_passes(seconds(20));
    let times = page.asked_about(number);
    times[asked + 1] - times[asked]
}

/// Lets time pass until the next question about an operation.
fn until_asked(page: &mut Page, number: &str) {
    let asked = page.asked_about(number).len();
    while page.asked_about(number).len() == asked {
        page.time_passes(10);
    }
}

/// An operation of another page is in front, and the payer's own one behind it.
fn two() -> Page {
    let mut page = Page::showing_qr();
    page.time_passes(seconds(5));
    let clock = page.browser.server_clock();
    page.server.opens(PaymentMethodName::Installment, clock);
    let named = page.server.charges[1].reference();
    page.browser.reload();
    page.opens(Some(named), None);
    page.time_passes(seconds(20));
    page.sees("Continue");
    page
}

#[test]
fn the_one_in_front_is_looked_for_soon_and_is_trouble_while_it_is_lost() {
    let mut page = Page::showing_qr();
    page.time_passes(seconds(5));
    let after = pause(&mut page, "1001", |page| page.charge(0).lost = true);
    assert!((900..=1_300).contains(&after), "{after}");
    page.sees_qr();
    assert_eq!(page.flow.view().connection, Connection::Troubled);
    page.charge(0).lost = false;
    page.time_passes(seconds(20));
    assert_eq!(page.flow.view().connection, Connection::Good);
}

#[test]
fn the_one_behind_is_looked_for_as_seldom_as_before_and_troubles_no_question() {
    let mut page = two();
    let sent = page.browser.journal.len();
    let after = pause(&mut page, "1001", |page| page.charge(0).lost = true);
    assert!(after >= seconds(12), "{after}");
    page.time_passes(seconds(60));
    let front = page.asked_about("1002");
    let named = page.browser.journal[sent..]
        .iter()
        .filter(|sent| front.contains(&sent.at))
        .all(|sent| sent.known.is_some());
    assert!(named, "a server that does not find it can be reached");
}

#[test]
fn a_failure_is_repeated_soon_behind_as_well() {
    let mut page = two();
    let after = pause(&mut page, "1001", |page| {
        page.browser.calls[0].network = Network::Says(status(500));
    });
    assert!((900..=2_500).contains(&after), "{after}");
}

#[test]
fn after_a_pause_that_the_server_wanted_the_one_in_front_is_asked_about_first() {
    let mut page = two();
    until_asked(&mut page, "1001");
    page.time_passes(seconds(9));
    until_asked(&mut page, "1002");
    let pause = closed_for(429, Duration::from_secs(20));
    page.browser.calls[0].network = Network::Says(pause);
    page.time_passes(seconds(20));
    let (front, behind) = (
        page.asked_about("1002").len(),
        page.asked_about("1001").len(),
    );
    page.time_passes(seconds(1));
    assert_eq!(page.asked_about("1002").len(), front + 1);
    assert_eq!(page.asked_about("1001").len(), behind);
    page.time_passes(seconds(2));
    assert_eq!(page.asked_about("1001").len(), behind + 1);
}

#[test]
fn a_slow_method_is_asked_about_soon_four_times_and_then_as_seldom_as_before() {
    let mut page = Page::with(|page| page.settings.methods = vec![PaymentMethodName::CashCode]);
    page.flow.set_settings(page.settings.clone());
    page.chooses(PaymentMethodName::CashCode);
    page.server_answers();
    page.time_passes(seconds(60));
    page.network(Network::Says(status(500)));
    let asked = page.asked_about("1001").len();
    page.time_passes(seconds(180));
    let times = page.asked_about("1001");
    let pauses: Vec<i64> = times[asked..]
        .windows(2)
        .map(|two| (two[1] - two[0] + 500) / 1_000)
        .collect();
    let near = |pause: i64, expected: i64| (pause - expected).abs() <= 1 + expected / 9;
    for (pause, expected) in pauses.iter().zip([1, 2, 4, 8, 30]) {
        assert!(near(*pause, expected), "{pauses:?}");
    }
}
