//! The deadline and the time after it.

use crate::support::charge::{Charge, date_of};
use crate::support::page::{Page, minutes, seconds};
use crate::support::server::{EPOCH, Network, status};
use checkout_flow::{Connection, Event};
use payment_model::{DateObject, Outcome, PaymentMethodName, TransactionState, UnixTime};
use std::time::Duration;

pub(crate) fn overdue() -> Page {
    let mut page = Page::showing_qr();
    page.time_passes(minutes(16) + seconds(3));
    page.sees("Overdue");
    page
}

#[test]
fn at_zero_the_server_has_a_minute_and_then_the_screen_says_expired() {
    let mut page = Page::showing_qr();
    page.time_passes(minutes(15) - 1_150);
    page.sees_qr();
    page.time_passes(seconds(3));
    page.sees("LastCheck");
    page.time_passes(seconds(55));
    page.sees("LastCheck");
    page.time_passes(seconds(6));
    page.sees("Overdue");
    assert!(page.results().is_empty(), "only a screen, never a result");
    page.server_says(0, TransactionState::Expired);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Expired);
    assert_eq!(page.outcomes(), [("1001", Outcome::Expired)]);
}

#[test]
fn the_server_is_asked_at_the_deadline_and_at_the_end_of_the_grace() {
    let page = overdue();
    // Dates have whole seconds.
    let deadline = (page.server.charges[0].deadline.unwrap() - EPOCH) / 1_000 * 1_000;
    for moment in [deadline, deadline + minutes(1)] {
        let late = page
            .asked()
            .iter()
            .map(|at| at - moment)
            .filter(|late| *late >= 0)
            .min();
        // The tolerance is for whole seconds in `Date` and for the second between two requests.
        assert!(late.is_some_and(|late| late <= 2_100), "{late:?}");
    }
}

#[test]
fn a_payment_in_the_grace_is_paid() {
    for after in [-1, 1, 40] {
        let mut page = Page::showing_qr();
        page.time_passes(minutes(15) + seconds(after));
        page.payer_pays(0);
        page.time_passes(seconds(3));
        page.sees_end(Outcome::Paid);
    }
}

#[test]
fn overdue_goes_on_checking_slowly() {
    let mut page = overdue();
    let before = page.asked().len();
    page.time_passes(minutes(10));
    let asked = page.asked().len() - before;
    assert!((36..=46).contains(&asked), "{asked}");
    page.payer_pays(0);
    page.time_passes(seconds(17));
    page.sees_end(Outcome::Paid);
}

#[test]
fn the_server_calls_the_overdue_operation_live_and_the_payer_is_not_told_expired_at_once() {
    let mut page = overdue();
    page.charge(0).deadline = Some(EPOCH + minutes(30));
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees_qr();
    assert_eq!((page.server.charges.len(), page.pending_told()), (1, 1));

    // After the deadline the flow asks the server before it shows an end.
    let mut page = overdue();
    page.server.lenient = true;
    page.hears(Event::RetryPressed);
    page.time_passes(110);
    page.sees("LastCheck");
    page.time_passes(seconds(2));
    page.sees("Overdue");
    assert_eq!(page.server.charges.len(), 1);
    page.payer_pays(0);
    page.time_passes(seconds(17));
    page.sees_end(Outcome::Paid);
}

#[test]
fn a_phone_that_slept_through_the_deadline_asks_before_it_says_expired() {
    let mut page = Page::showing_qr();
    page.time_passes(minutes(14));
    page.sleeps(minutes(10));
    page.payer_pays(0);
    page.hears(Event::Shown);
    page.sees("LastCheck");
    page.server_answers();
    page.sees_end(Outcome::Paid);
}

#[test]
fn who_is_not_reached_after_the_deadline_is_not_called_expired() {
    let mut page = Page::showing_qr();
    page.time_passes(minutes(14));
    page.network(Network::Says(status(503)));
    page.time_passes(minutes(10));
    page.sees("LastCheck");
    assert_eq!(page.flow.view().connection, Connection::Troubled);
    page.network(Network::Good);
    page.time_passes(seconds(20));
    page.sees("Overdue");
}

#[test]
fn a_state_that_nobody_knows_is_never_called_expired() {
    let mut page = Page::showing_qr();
    page.server_says(0, TransactionState::from("EN_CAMINO"));
    page.time_passes(minutes(20));
    page.sees("Confirming");
    page.hears(Event::RetryPressed);
    page.sees("Confirming");
    assert_eq!(page.authorized().len(), 1);
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);
}

#[test]
fn the_countdown_is_right_though_the_browsers_clock_is_a_day_off() {
    for wrong in [-86_400_000, 0, 86_400_000] {
        let mut page = Page::unopened();
        page.browser.skew = wrong;
        page.opens(None, None);
        page.chooses(PaymentMethodName::Qr);
        page.server_answers();
        page.sees_qr();
        for _ in 0..3 {
            page.time_passes(minutes(2));
            counts_right(&page);
            page.sees_qr();
        }
        page.reloads();
        counts_right(&page);
        // The payer changes the clock while the page is open.
        page.browser.skew += 86_400_000;
        page.time_passes(seconds(5));
        counts_right(&page);
        page.sees_qr();
        page.browser.skew -= 2 * 86_400_000;
        page.time_passes(seconds(5));
        counts_right(&page);
        page.sees_qr();
    }
}

fn counts_right(page: &Page) {
    let Charge { deadline, .. } = page.server.charges[0];
    let left = deadline.unwrap() - page.browser.server_clock();
    let left = Duration::from_millis(u64::try_from(left).unwrap());
    let shown = page.flow.remaining(page.browser.moment()).unwrap();
    let wrong = shown.abs_diff(left);
    assert!(
        wrong <= Duration::from_secs(2),
        "{shown:?} instead of {left:?}"
    );
}

#[test]
fn without_a_deadline_there_is_no_countdown_and_no_end_by_the_clock() {
    let mut page = Page::unopened();
    page.server.lifetime = None;
    page.opens(None, None);
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(minutes(120));
    page.sees_qr();
    assert_eq!(page.flow.remaining(page.browser.moment()), None);
}

#[test]
fn a_date_that_cannot_be_says_nothing_and_leaves_what_was_said_before() {
    let mut page = Page::showing_qr();
    let left = |page: &Page| page.flow.remaining(page.browser.moment());
    let before = left(&page).unwrap();
    let good = page.charge(0).deadline.map(date_of);
    let impossible = Some(UnixTime::from_seconds(0));
    for date in [
        DateObject {
            unix_time: impossible,
            ..good.unwrap()
        },
        DateObject {
            unix_time: impossible,
            utc_time: None,
        },
        date_of(i64::MAX),
    ] {
        page.charge(0).date = Some(date.clone());
        page.time_passes(seconds(5));
        page.sees_qr();
        let shown = left(&page).unwrap();
        assert!(
            (before - Duration::from_secs(30)..before).contains(&shown),
            "{date:?}"
        );
    }
}

#[test]
fn who_paid_a_code_that_expired_asks_and_is_answered_at_once() {
    let mut page = overdue();
    page.server_says(0, TransactionState::Expired);
    page.time_passes(minutes(12));
    page.sees_end(Outcome::Expired);
    assert!(page.may_check());
    let asked = page.asked().len();
    page.hears(Event::CheckPressed);
    assert!(!page.may_check());
    page.time_passes(seconds(1));
    assert_eq!(page.asked().len(), asked + 1);
    let first = page.flow.view().checked.unwrap();
    assert!(first.answered);
    page.sees_end(Outcome::Expired);

    page.network(Network::Says(status(503)));
    page.time_passes(seconds(5));
    page.hears(Event::CheckPressed);
    page.time_passes(seconds(1));
    let told = page.flow.view().checked.unwrap();
    assert!(!told.answered && told.at == first.at, "{told:?}");

    page.network(Network::Good);
    page.payer_pays(0);
    page.time_passes(seconds(5));
    page.hears(Event::CheckPressed);
    page.time_passes(seconds(1));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.server.charges.len(), 1);
}

#[test]
fn a_reload_shows_the_end_again_and_the_choice_names_the_last_attempt_until_the_order_is_paid() {
    let mut page = Page::showing_qr();
    page.server_says(0, TransactionState::Expired);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Expired);
    page.reloads();
    page.server_answers();
    page.sees_end(Outcome::Expired);
    page.hears(Event::AnotherWayPressed);
    let last = |page: &Page| {
        let last = page.flow.view().last;
        last.map(|(number, outcome)| (number.as_str().to_owned(), outcome))
    };
    assert_eq!(last(&page), Some(("1001".to_owned(), Outcome::Expired)));
    page.reloads();
    page.server_answers();
    page.sees("Choosing");
    assert_eq!(last(&page), Some(("1001".to_owned(), Outcome::Expired)));

    page.chooses(PaymentMethodName::Qr);
    page.server_answers();
    page.payer_pays(1);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Paid);
    page.reloads();
    assert_eq!(last(&page), None);
}
