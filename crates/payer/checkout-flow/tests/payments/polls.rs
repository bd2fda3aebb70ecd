//! When the flow asks the status endpoint, and when it does not.

use crate::support::page::{Page, minutes, seconds};
use crate::support::server::{Network, closed_for, status};
use checkout_flow::{Connection, Event, Failure};
use payment_model::{Outcome, PaymentMethodName, TransactionState};
use std::time::Duration;

#[test]
fn a_quarter_of_an_hour_costs_at_most_135_requests() {
    let mut page = Page::showing_qr();
    page.time_passes(minutes(15));
    let asked = page.asked();
    assert!((85..=135).contains(&asked.len()), "{}", asked.len());
    let minute = asked.iter().filter(|at| **at < minutes(1)).count();
    assert!((25..=32).contains(&minute), "{minute}");
}

#[test]
fn a_cash_code_is_asked_about_seldom() {
    let mut page = Page::unopened();
    page.server.lifetime = None;
    page.server.opens(PaymentMethodName::CashCode, 0);
    let operation = page.server.charges[0].reference();
    page.opens(Some(operation), None);
    page.time_passes(minutes(60));
    let first = page.asked().len();
    assert!((40..=60).contains(&first), "{first}");
    page.time_passes(minutes(60));
    assert!((10..=15).contains(&(page.asked().len() - first)));
}

#[test]
fn a_page_with_little_to_do_sleeps_for_minutes_but_never_for_an_hour() {
    let mut page = Page::unopened();
    page.server.lifetime = None;
    page.server.opens(PaymentMethodName::CashCode, 0);
    let operation = page.server.charges[0].reference();
    page.opens(Some(operation), None);
    page.time_passes(minutes(90));
    let mut sleeps = Vec::new();
    for _ in 0..60 {
        page.time_passes(minutes(1));
        sleeps.push(page.browser.wake_at.unwrap() - page.browser.now);
    }
    assert!(sleeps.iter().any(|sleep| *sleep > minutes(3)), "{sleeps:?}");
    // A code that is good for a day has nothing to show for hours while the browser hides the page.
    page.hears(Event::Hidden);
    page.time_passes(minutes(30));
    assert!(
        page.browser
            .wake_at
            .is_none_or(|at| at - page.browser.now <= minutes(15))
    );
}

#[test]
fn held_requests_follow_each_other_but_never_twice_a_second() {
    let mut page = Page::opened();
    page.server.holds = true;
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(minutes(10));
    let held = page.asked();
    assert!((28..=36).contains(&held.len()), "{}", held.len());
    page.payer_pays(0);
    page.server_answers();
    page.sees_end(Outcome::Paid);

    // A server that claims to have waited, but answers at once.
    let mut page = Page::opened();
    page.server.holds = true;
    page.chooses(PaymentMethodName::Qr);
    for _ in 0..600 {
        page.browser.held_requests_end();
        page.time_passes(100);
    }
    assert!(page.asked().len() <= 60, "{}", page.asked().len());
}

#[test]
fn the_first_request_is_not_held_since_the_state_may_have_changed_before_it() {
    let mut page = Page::opened();
    page.server.holds = true;
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(30));
    let journal = page.browser.journal.iter();
    let waits: Vec<_> = journal.map(|sent| sent.wait).collect();
    assert_eq!(waits[..2], [None, None], "{waits:?}");
    assert_eq!(waits[2], Some(20), "{waits:?}");
}

#[test]
fn no_request_is_held_beyond_the_deadline() {
    let mut page = Page::opened();
    page.server.holds = true;
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(minutes(16));
    let deadline = page.server.charges[0].deadline.unwrap() - crate::support::server::EPOCH;
    for sent in &page.browser.journal {
        let end = sent.at + sent.wait.unwrap_or(0) * 1_000;
        assert!(sent.wait.is_none() || end <= deadline + 1_000, "{sent:?}");
    }
    let near = page
        .asked()
        .into_iter()
        .filter(|at| (at - deadline).abs() <= 2_100);
    assert!(near.count() >= 1);
}

#[test]
fn an_old_operation_and_the_new_one_take_turns_though_one_is_held() {
    let mut page = Page::opened();
    page.server.holds = true;
    page.server.lifetime = Some(seconds(20));
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(minutes(3));
    page.sees("Overdue");
    page.server.lifetime = Some(minutes(15));
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees_qr();
    let (since, old) = (page.browser.now, page.asked_about("1001").len());
    page.time_passes(seconds(15));
    let first = page.asked_about("1002")[0];
    assert!(first - since <= 3_500, "{}", first - since);
    page.time_passes(minutes(2));
    assert!(
        page.asked_about("1001").len() > old + 2,
        "the old one is still watched"
    );
}

#[test]
fn retry_after_is_obeyed_even_when_shown_or_asked_for() {
    for code in [429, 503] {
        let mut page = Page::showing_qr();
        page.server.next = vec![Network::Says(closed_for(code, Duration::from_secs(7)))];
        page.time_passes(seconds(3));
        let asked = page.asked();
        for event in [Event::Shown, Event::CheckPressed, Event::Online] {
            page.hears(event);
        }
        page.time_passes(seconds(5));
        assert_eq!(page.asked(), asked);
        page.time_passes(seconds(3));
        assert!(page.asked().len() > asked.len());
    }
    // An hour is cut, even if the server asks for it, and so is a delay of zero.
    let mut page = Page::showing_qr();
    page.server.next = vec![Network::Says(closed_for(503, Duration::MAX))];
    page.time_passes(minutes(16) + seconds(5));
    assert!(page.asked().len() > 2);
    page.server.next = vec![Network::Says(closed_for(503, Duration::ZERO))];
    page.time_passes(minutes(1));
    page.payer_pays(0);
    page.time_passes(minutes(1));
    page.sees_end(Outcome::Paid);
}

#[test]
fn check_now_asks_at_once_but_not_more_often_than_every_five_seconds() {
    let mut page = Page::showing_qr();
    page.time_passes(minutes(10));
    let asked = page.asked().len();
    page.time_passes(seconds(1) + 500);
    page.hears(Event::CheckPressed);
    page.time_passes(seconds(2));
    page.hears(Event::CheckPressed);
    page.time_passes(seconds(2));
    assert!(page.asked().len() - asked <= 2);
    page.time_passes(seconds(2));
    let asked = page.asked().len();
    page.hears(Event::CheckPressed);
    page.time_passes(seconds(1));
    assert_eq!(page.asked().len(), asked + 1);
}

#[test]
fn who_checks_in_vain_is_told_when_the_server_was_asked() {
    let mut page = Page::showing_qr();
    page.time_passes(minutes(1));
    assert_eq!(page.flow.view().checked, None);
    assert!(page.may_check());
    page.hears(Event::CheckPressed);
    assert!(!page.may_check());
    // The server does not hold this answer until a change.
    page.time_passes(seconds(2));
    let first = page.flow.view().checked;
    assert!(first.is_some_and(|checked| checked.answered));
    page.time_passes(seconds(2));
    assert!(!page.may_check());
    page.time_passes(seconds(60));
    assert!(page.may_check());
    assert_eq!(page.flow.view().checked, first, "nobody asked again");
    page.hears(Event::CheckPressed);
    page.time_passes(seconds(2));
    assert!(page.flow.view().checked.unwrap().at > first.unwrap().at);
    page.payer_pays(0);
    page.time_passes(seconds(30));
    assert_eq!(page.flow.view().checked, None);
}

#[test]
fn who_checks_while_nobody_answers_is_told_what_is_known_and_since_when() {
    let checked = |page: &Page| page.flow.view().checked;
    for failure in [
        Failure::Network,
        status(500),
        closed_for(503, Duration::from_secs(30)),
    ] {
        let mut page = Page::showing_qr();
        page.time_passes(seconds(20));
        let last = page.browser.journal.last().unwrap().at;
        page.network(Network::Says(failure.clone()));
        page.time_passes(seconds(5));
        assert_eq!(checked(&page), None, "nobody asked");
        page.hears(Event::CheckPressed);
        page.time_passes(seconds(1));
        let first = checked(&page).unwrap();
        assert!(!first.answered, "{failure:?}");
        let since = first.at.unwrap().as_millis() - crate::support::server::EPOCH - last;
        assert!((-1_500..=2_500).contains(&since), "{failure:?} {since}");
        page.time_passes(seconds(8));
        assert_eq!(checked(&page), Some(first));
        // The next answer still counts as the answer to the payer.
        page.network(Network::Good);
        page.time_passes(minutes(1));
        let told = checked(&page).unwrap();
        assert!(told.answered && told.at > first.at, "{failure:?}");
    }
}

#[test]
fn a_state_that_the_server_could_not_ask_for_is_told_as_old_as_it_is() {
    let mut page = Page::unopened();
    page.server
        .opens(PaymentMethodName::Qr, crate::support::server::EPOCH);
    let operation = page.server.charges[0].reference();
    page.server.age = Some(Duration::from_secs(95));
    page.opens(Some(operation), None);
    page.time_passes(seconds(10));
    page.hears(Event::CheckPressed);
    page.time_passes(seconds(2));
    let checked = page.flow.view().checked.unwrap();
    assert!(!checked.answered);
    let age = page.browser.server_clock() - checked.at.unwrap().as_millis();
    assert!((94_000..=108_000).contains(&age), "{age}");
    page.sees_qr();
    assert_eq!(page.flow.view().connection, Connection::Good);
    page.server.age = None;
    page.time_passes(seconds(5));
    assert!(page.flow.view().checked.unwrap().answered);
    // The page's known state gets no older when the server knows less.
    page.server.age = Some(Duration::from_secs(600));
    page.hears(Event::CheckPressed);
    page.time_passes(seconds(3));
    let told = page.flow.view().checked.unwrap();
    assert!(!told.answered && told.at >= checked.at, "{told:?}");
}

#[test]
fn who_checks_is_told_soon_though_a_request_that_is_held_has_just_left() {
    let mut page = Page::showing_qr();
    page.server.holds = true;
    page.time_passes(seconds(10));
    page.hears(Event::Shown);
    page.time_passes(100);
    page.hears(Event::CheckPressed);
    page.time_passes(seconds(2));
    assert!(page.flow.view().checked.is_some());
}

#[test]
fn a_server_that_fails_for_long_is_not_asked_more_often_than_one_that_answers() {
    let mut page = Page::unopened();
    page.server.lifetime = None;
    page.server.opens(PaymentMethodName::CashCode, 0);
    let operation = page.server.charges[0].reference();
    page.opens(Some(operation), None);
    page.time_passes(minutes(61));
    page.network(Network::Says(status(500)));
    let asked = page.asked().len();
    page.time_passes(minutes(30));
    assert!(
        page.asked().len() - asked <= 12,
        "{}",
        page.asked().len() - asked
    );
}

#[test]
fn an_old_operation_that_is_gone_troubles_nobody() {
    let mut page = Page::showing_qr();
    page.time_passes(minutes(17));
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees_qr();
    page.charge(0).lost = true;
    page.time_passes(minutes(5));
    assert_eq!(page.flow.view().connection, Connection::Good);
    page.sees_qr();

    // The flow does not ask again about an operation that it knows only from the storage.
    page.reloads();
    page.time_passes(seconds(10));
    let asked = page.asked_about("1001").len();
    page.time_passes(minutes(5));
    assert_eq!(page.asked_about("1001").len(), asked);
}

#[test]
fn a_slow_answer_is_followed_by_the_usual_pause() {
    let mut page = Page::showing_qr();
    // The first answer is news, and the next question follows it at once.
    page.time_passes(seconds(5));
    let asked = page.asked().len();
    while page.asked().len() == asked {
        page.time_passes(10);
    }
    page.browser.calls[0].ends += seconds(3);
    let ends = page.browser.calls[0].ends;
    page.time_passes(ends - page.browser.now + 1_700);
    assert_eq!(page.asked().len(), asked + 1);
    page.time_passes(seconds(1));
    assert_eq!(page.asked().len(), asked + 2);
}

#[test]
fn after_an_end_without_a_payment_the_next_question_takes_its_time() {
    let mut page = Page::showing_qr();
    page.time_passes(seconds(5));
    page.server_says(0, TransactionState::Declined);
    while page.results().is_empty() {
        page.time_passes(10);
    }
    page.sees_end(Outcome::Declined);
    let asked = page.asked().len();
    page.time_passes(seconds(13));
    assert_eq!(page.asked().len(), asked);
    page.time_passes(seconds(4));
    assert_eq!(page.asked().len(), asked + 1);
}
