//! A page that is hidden, shown, offline or asleep.

use crate::support::page::{Page, minutes, seconds};
use crate::support::server::{Network, closed_for};
use checkout_flow::{Connection, Event, Failure};
use payment_model::{Outcome, PaymentMethodName};
use std::time::Duration;

#[test]
fn hidden_for_long_it_asks_nothing_and_shown_it_asks_at_once() {
    let mut page = Page::showing_qr();
    page.time_passes(seconds(10));
    page.hears(Event::Hidden);
    page.time_passes(seconds(29));
    let asked = page.asked().len();
    page.time_passes(minutes(10));
    assert!(page.asked().len() - asked <= 1);
    let asked = page.asked().len();
    page.payer_pays(0);
    page.hears(Event::Shown);
    // The focus event comes right after the visibility event.
    page.hears(Event::Shown);
    assert_eq!(page.asked().len(), asked + 1);
    page.server_answers();
    page.sees_end(Outcome::Paid);
}

#[test]
fn who_presses_looks_at_the_page_though_its_browser_always_calls_it_hidden() {
    for press in [
        Event::CheckPressed,
        Event::CancelPressed,
        Event::AnotherWayPressed,
        Event::RetryPressed,
    ] {
        let mut page = Page::opened();
        page.hears(Event::Hidden);
        page.time_passes(minutes(1));
        page.chooses(PaymentMethodName::Qr);
        page.time_passes(minutes(2));
        page.hears(Event::Hidden);
        page.time_passes(minutes(1));
        let asked = page.asked().len();
        page.payer_pays(0);
        page.time_passes(minutes(1));
        assert_eq!(page.asked().len(), asked, "nobody looks");
        page.hears(press);
        page.time_passes(seconds(2));
        page.sees_end(Outcome::Paid);
    }
}

#[test]
fn a_payment_that_began_by_a_press_is_followed_where_the_page_is_always_called_hidden() {
    for chosen in [Event::MethodChosen, Event::StartRequested] {
        let mut page = Page::opened();
        page.hears(Event::Hidden);
        page.time_passes(minutes(1));
        page.hears(chosen(PaymentMethodName::Qr));
        page.time_passes(minutes(3));
        page.payer_pays(0);
        page.time_passes(seconds(15));
        page.sees_end(Outcome::Paid);
    }
}

#[test]
fn a_press_opens_no_request_before_the_pause_that_the_server_wants_is_over() {
    let mut page = Page::showing_qr();
    page.hears(Event::Hidden);
    page.server.next = vec![Network::Says(closed_for(503, Duration::from_secs(40)))];
    page.time_passes(seconds(3));
    let asked = page.asked().len();
    page.time_passes(seconds(31));
    page.hears(Event::CheckPressed);
    page.time_passes(seconds(2));
    assert_eq!(page.asked().len(), asked);
    page.time_passes(seconds(10));
    assert!(page.asked().len() > asked);
}

#[test]
fn shown_with_a_held_request_asks_with_a_fresh_one() {
    let mut page = Page::opened();
    page.server.holds = true;
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(20));
    page.hears(Event::Hidden);
    page.time_passes(seconds(10));
    assert_eq!(page.browser.calls.len(), 1);
    let (asked, now) = (page.asked().len(), page.browser.now);
    page.hears(Event::Shown);
    assert_eq!(page.browser.aborted.len(), 1);
    assert_eq!(page.asked().len(), asked + 1);
    assert_eq!(page.asked().last(), Some(&now));
}

#[test]
fn three_failures_are_noticed_and_the_first_good_answer_ends_that() {
    let mut page = Page::showing_qr();
    page.time_passes(seconds(5));
    page.network(Network::Says(Failure::Network));
    page.time_passes(seconds(12));
    assert_eq!(page.flow.view().connection, Connection::Troubled);
    page.sees_qr();
    page.time_passes(minutes(5));
    page.sees_qr();
    page.network(Network::Good);
    page.time_passes(seconds(20));
    assert_eq!(page.flow.view().connection, Connection::Good);
    page.sees_qr();
    assert!(page.errors().is_empty());
}

#[test]
fn offline_is_noticed_until_an_answer_or_the_browser_says_otherwise() {
    let mut page = Page::showing_qr();
    page.hears(Event::Offline);
    assert_eq!(page.flow.view().connection, Connection::Offline);
    page.sees_qr();
    page.time_passes(seconds(3));
    assert_eq!(
        page.flow.view().connection,
        Connection::Good,
        "it was answered"
    );
    page.hears(Event::Offline);
    page.network(Network::Says(Failure::Network));
    page.time_passes(minutes(2));
    assert_eq!(page.flow.view().connection, Connection::Offline);
    page.payer_pays(0);
    page.network(Network::Good);
    page.time_passes(seconds(1));
    page.hears(Event::Online);
    page.time_passes(seconds(1));
    page.sees_end(Outcome::Paid);
}

#[test]
fn what_was_on_its_way_when_the_connection_went_proves_nothing() {
    let mut page = Page::showing_qr();
    page.server.holds = true;
    page.time_passes(seconds(10));
    page.hears(Event::Offline);
    page.browser.held_requests_end();
    page.time_passes(seconds(1));
    assert_eq!(page.flow.view().connection, Connection::Offline);
    page.time_passes(seconds(30));
    assert_eq!(page.flow.view().connection, Connection::Good);
}

#[test]
fn a_sleep_of_ten_minutes_is_noticed_and_the_server_asked() {
    for held in [false, true] {
        let mut page = Page::opened();
        page.server.holds = held;
        page.server.lifetime = Some(minutes(60));
        page.chooses(PaymentMethodName::Qr);
        page.time_passes(seconds(30));
        // The running requests are dead, and the browser does not report it.
        for running in &mut page.browser.calls {
            running.ends = i64::MAX / 2;
        }
        page.sleeps(minutes(10));
        page.payer_pays(0);
        for running in &mut page.browser.calls {
            running.ends = i64::MAX / 2;
        }
        // Only the timer fires.
        page.time_passes(seconds(2));
        page.sees_end(Outcome::Paid);
    }
}

#[test]
fn a_paid_page_that_cannot_ask_again_is_left_in_peace() {
    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.time_passes(seconds(3));
    page.network(Network::Says(Failure::Network));
    page.hears(Event::Shown);
    let asked = page.asked().len();
    page.time_passes(minutes(30));
    assert!(page.asked().len() - asked <= 5);
    page.sees_end(Outcome::Paid);
    assert_eq!(page.flow.view().connection, Connection::Good);
}
