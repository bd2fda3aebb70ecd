//! What answers in the server's place, such as a service worker of the shop, and what only looks like that.

use crate::support::cache::Habit;
use crate::support::page::{Page, minutes, seconds};
use crate::support::server::EPOCH;
use checkout_flow::{Connection, Event};
use payment_model::{Outcome, PaymentMethodName};
use std::time::Duration;

/// A page with a QR code, behind a cache.
fn behind(habit: Habit, holds: bool) -> Page {
    let mut page = Page::opened();
    page.server.holds = holds;
    page.server.cache.habit = habit;
    page.chooses(PaymentMethodName::Qr);
    page.server_answers();
    page.sees_qr();
    page
}

/// How many questions had an address of their own.
fn fresh(page: &Page) -> usize {
    page.browser
        .journal
        .iter()
        .filter(|sent| sent.fresh)
        .count()
}

/// Lets time pass, and checks that the payer reads of no trouble meanwhile.
fn calm(page: &mut Page, millis: i64) {
    for _ in 0..millis / 100 {
        page.time_passes(100);
        assert_eq!(page.flow.view().connection, Connection::Good);
    }
}

#[test]
fn a_payment_is_seen_behind_a_cache_that_answers_for_ever() {
    for holds in [false, true] {
        for habit in [Habit::Keeps, Habit::KeepsAndTellsTheAge, Habit::Revalidates] {
            let mut page = behind(habit, holds);
            calm(&mut page, seconds(8));
            // What is one question old is no trouble.
            assert!(fresh(&page) > 0 || habit == Habit::Revalidates);
            page.payer_pays(0);
            calm(&mut page, seconds(5));
            page.sees_end(Outcome::Paid);
        }
    }
}

#[test]
fn once_a_cache_has_answered_every_question_has_an_address_of_its_own() {
    let mut page = behind(Habit::Keeps, true);
    page.time_passes(seconds(8));
    let (asked, with) = (page.asked().len(), fresh(&page));
    calm(&mut page, minutes(5));
    assert!(page.asked().len() > asked + 5);
    assert_eq!(fresh(&page) - with, page.asked().len() - asked);
    // They are held as before.
    assert!(page.asked().len() < asked + 25);
}

#[test]
fn where_a_cache_answers_at_any_address_the_payer_is_told_that_nothing_is_known() {
    for holds in [false, true] {
        let mut page = behind(Habit::KeepsWhateverTheQuery, holds);
        page.time_passes(seconds(20));
        assert_eq!(page.flow.view().connection, Connection::Troubled);
        page.sees_qr();
        page.payer_pays(0);
        page.time_passes(minutes(2));
        assert_eq!(page.flow.view().connection, Connection::Troubled);
        page.hears(Event::CheckPressed);
        page.time_passes(seconds(2));
        let told = page.flow.view().checked.unwrap();
        assert!(!told.answered, "{told:?}");
        let known = told.at.unwrap().as_millis() - EPOCH;
        assert!(known < seconds(4), "{known}");
        assert!(page.errors().is_empty());

        // The worker is gone, or learns better.
        page.server.cache.habit = Habit::None;
        page.time_passes(seconds(20));
        page.sees_end(Outcome::Paid);
        assert_eq!(page.flow.view().connection, Connection::Good);
    }
}

#[test]
fn an_old_answer_does_not_say_that_a_code_still_waits_after_its_deadline() {
    let mut page = behind(Habit::KeepsWhateverTheQuery, false);
    page.time_passes(minutes(14));
    page.payer_pays(0);
    page.time_passes(minutes(10));
    page.sees("LastCheck");
    assert_eq!(page.flow.view().connection, Connection::Troubled);
}

#[test]
fn an_old_answer_does_not_turn_the_countdown_back() {
    let mut page = behind(Habit::KeepsWhateverTheQuery, false);
    for minute in 1..10 {
        page.time_passes(minutes(1));
        let left = page.flow.remaining(page.browser.moment()).unwrap();
        let truth = Duration::from_secs(60 * (15 - minute));
        assert!(left.abs_diff(truth) < Duration::from_secs(2), "{left:?}");
    }
}

#[test]
fn a_payment_is_seen_behind_a_cache_that_answers_at_times() {
    for habit in [Habit::KeepsAtTimes, Habit::IsImpatient] {
        for holds in [false, true] {
            let mut page = behind(habit, holds);
            calm(&mut page, seconds(30));
            page.payer_pays(0);
            calm(&mut page, seconds(8));
            page.sees_end(Outcome::Paid);
        }
    }
}

#[test]
fn a_kept_answer_without_a_body_is_an_old_answer_too() {
    let mut page = behind(Habit::None, true);
    page.time_passes(seconds(10));
    page.server.cache.habit = Habit::Keeps;
    // The running question ends as unchanged, which the cache keeps.
    page.time_passes(seconds(20));
    let with = fresh(&page);
    calm(&mut page, seconds(30));
    assert!(fresh(&page) > with);
    page.payer_pays(0);
    calm(&mut page, seconds(5));
    page.sees_end(Outcome::Paid);
}

#[test]
fn a_cache_is_noticed_for_each_operation_though_their_answers_alternate() {
    let mut page = behind(Habit::None, false);
    page.server.lifetime = Some(minutes(15));
    page.time_passes(minutes(17));
    page.sees("Overdue");
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees_qr();
    page.time_passes(seconds(5));
    page.server.cache.habit = Habit::Keeps;
    page.time_passes(minutes(2));
    assert!(fresh(&page) > 0);
    // The payer paid the old code after all.
    page.payer_pays(0);
    page.time_passes(minutes(1) + seconds(20));
    page.sees_end(Outcome::Paid);
}

#[test]
fn after_a_reload_a_cache_is_noticed_again() {
    let mut page = behind(Habit::Keeps, false);
    page.time_passes(seconds(20));
    page.payer_pays(0);
    page.reloads();
    calm(&mut page, seconds(8));
    page.sees_end(Outcome::Paid);
}

#[test]
fn a_cache_does_not_hide_that_the_payer_cancelled() {
    let mut page = behind(Habit::Keeps, false);
    page.hears(Event::CancelPressed);
    page.hears(Event::CancelConfirmed);
    page.time_passes(seconds(15));
    page.sees_end(Outcome::Cancelled);
}

#[test]
fn answers_without_a_date_prove_no_cache() {
    for habit in [Habit::None, Habit::KeepsWithoutDate] {
        let mut page = Page::opened();
        page.browser.dated = habit == Habit::KeepsWithoutDate;
        page.server.cache.habit = habit;
        page.chooses(PaymentMethodName::Qr);
        calm(&mut page, minutes(2));
        assert_eq!(fresh(&page), 0);
    }
}

#[test]
fn answers_of_one_second_prove_no_cache() {
    for early in [0, 300, 600, 999] {
        let mut page = Page::opened();
        page.browser.server_skew = early;
        page.server.counts_answers = false;
        page.chooses(PaymentMethodName::Qr);
        for _ in 0..40 {
            page.hears(Event::Shown);
            calm(&mut page, 1_100);
        }
        assert_eq!(fresh(&page), 0, "{early}");
    }
}

#[test]
fn a_server_whose_clock_has_stopped_is_believed_when_it_has_news() {
    let mut page = behind(Habit::None, false);
    page.browser.server_stopped = Some(EPOCH);
    page.time_passes(minutes(1));
    assert!(fresh(&page) > 0);
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);
}

#[test]
fn answers_with_an_id_of_their_own_are_new_though_the_clock_of_the_server_has_stopped() {
    let mut page = behind(Habit::None, false);
    page.server.counts_answers = true;
    page.browser.server_stopped = Some(EPOCH);
    calm(&mut page, minutes(1));
    assert_eq!(fresh(&page), 0);
}

#[test]
fn a_jump_of_the_clock_between_two_answers_troubles_nobody() {
    let mut page = behind(Habit::None, false);
    page.time_passes(seconds(5));
    for _ in 0..20 {
        page.hears(Event::Shown);
        page.browser.skew += seconds(5);
        calm(&mut page, 1_000);
    }
    page.payer_pays(0);
    calm(&mut page, seconds(15));
    page.sees_end(Outcome::Paid);
}

#[test]
fn a_server_that_refuses_the_address_is_asked_without_it_again() {
    let mut page = behind(Habit::None, false);
    page.server.knows_no_query = true;
    page.browser.server_stopped = Some(EPOCH);
    page.time_passes(minutes(1));
    assert!(fresh(&page) > 0);
    page.payer_pays(0);
    page.time_passes(seconds(40));
    page.sees_end(Outcome::Paid);
}
