//! New codes that the server does not make, because it does not know yet how the old one ended.

use crate::expires::overdue;
use crate::support::page::{Page, minutes, seconds};
use crate::support::server::Network;
use checkout_flow::{Connection, Event, Failure, Notice, OperationRef, Problem, Screen};
use payment_model::{Outcome, PaymentMethodName, ProblemMoney, Timestamp, TransactionState};
use std::time::Duration;

/// The server answers a request for a new code with this problem about the first operation.
fn refuses(page: &mut Page, problem: fn(OperationRef) -> Problem, retry_after: Option<Duration>) {
    let operation = page.charge(0).reference();
    page.server.next = vec![Network::Says(Failure::Status {
        status: 409,
        retry_after,
        money: ProblemMoney::Unknown,
        problem: Some(problem(operation)),
    })];
    page.hears(Event::RetryPressed);
    page.server_answers();
}

fn again_at(page: &Page) -> Option<Timestamp> {
    match page.screen() {
        Screen::Unconfirmed { again_at } => again_at,
        other => panic!("{other:?}"),
    }
}

#[test]
fn who_asks_for_a_new_code_too_early_is_told_that_the_first_is_still_being_confirmed() {
    let mut page = overdue();
    let (asked, first) = (page.asked().len(), page.keys().len());
    refuses(
        &mut page,
        Problem::Unconfirmed,
        Some(Duration::from_secs(40)),
    );
    let wait = again_at(&page).unwrap().as_millis() - page.browser.server_clock();
    assert!((37_000..=41_500).contains(&wait), "{wait}");
    // It is neither an error nor an answer to the payer's question.
    assert!(page.errors().is_empty() && page.results().is_empty());
    assert_eq!(page.flow.view().connection, Connection::Good);
    // The flow follows the first operation at once, and asks for no code meanwhile.
    page.time_passes(seconds(2));
    assert!(page.asked().len() > asked);
    page.hears(Event::RetryPressed);
    page.time_passes(seconds(30));
    assert_eq!(page.keys().len(), first + 1);
    assert!(again_at(&page).is_some());

    page.time_passes(seconds(10));
    assert_eq!(again_at(&page), None);
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees_qr();
    let keys = page.keys();
    assert_eq!(keys.len(), first + 2);
    assert_ne!(keys[first], keys[first + 1], "a new decision");
    page.payer_pays(1);
    page.time_passes(seconds(15));
    assert_eq!(page.outcomes(), [("1002", Outcome::Paid)]);
}

#[test]
fn a_payment_on_the_first_is_told_while_it_is_being_confirmed() {
    for state in [TransactionState::Authorized, TransactionState::Declined] {
        let mut page = overdue();
        refuses(&mut page, Problem::Unconfirmed, None);
        assert!(again_at(&page).is_some());
        page.server_says(0, state);
        page.time_passes(seconds(20));
        assert_eq!(page.results().len(), 1);
        assert!(matches!(page.screen(), Screen::Ended(_)));
    }
}

#[test]
fn a_first_code_that_expired_on_this_page_is_unconfirmed_all_the_same() {
    let mut page = overdue();
    page.server_says(0, TransactionState::Expired);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Expired);
    refuses(
        &mut page,
        Problem::Unconfirmed,
        Some(Duration::from_secs(20)),
    );
    page.time_passes(seconds(5));
    assert!(again_at(&page).is_some());
    page.time_passes(seconds(20));
    assert_eq!(again_at(&page), None);
    assert_eq!(page.outcomes(), [("1001", Outcome::Expired)], "told once");
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);
}

#[test]
fn a_first_code_that_the_server_calls_live_again_is_shown() {
    let mut page = overdue();
    refuses(
        &mut page,
        Problem::Unconfirmed,
        Some(Duration::from_secs(5)),
    );
    page.time_passes(seconds(6));
    page.server.lenient = true;
    let later = page.browser.server_clock() + minutes(5);
    page.charge(0).deadline = Some(later);
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees_qr();
    assert_eq!(page.server.charges.len(), 1);
}

#[test]
fn a_second_device_is_told_the_same_and_never_shows_the_code() {
    let mut page = Page::opened();
    page.server
        .opens(PaymentMethodName::Qr, crate::support::server::EPOCH);
    let operation = page.charge(0).reference();
    page.server.next = vec![Network::Says(Failure::Status {
        status: 409,
        retry_after: Some(Duration::MAX),
        money: ProblemMoney::MayBePaid,
        problem: Some(Problem::Unconfirmed(operation)),
    })];
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(5));
    assert!(again_at(&page).is_some());
    let told = |page: &Page| page.notices.iter().any(|n| matches!(n, Notice::Pending(_)));
    assert!(!told(&page), "nothing is shown that could be paid");
    page.time_passes(minutes(16));
    assert_eq!(again_at(&page), None, "nobody waits for ever");
}

#[test]
fn a_late_payment_that_was_given_back_is_told_before_a_new_code_is_shown() {
    for expired in [false, true] {
        let mut page = overdue();
        if expired {
            page.server_says(0, TransactionState::Expired);
            page.time_passes(seconds(20));
            page.sees_end(Outcome::Expired);
        }
        page.charge(0).becomes(TransactionState::Authorized);
        page.charge(0).becomes(TransactionState::Cancelled);
        refuses(&mut page, Problem::PaymentReversed, None);
        if !matches!(page.screen(), Screen::Ended(_)) {
            page.sees("Checking");
            page.hears(Event::RetryPressed);
        }
        page.time_passes(seconds(3));
        page.sees_end(Outcome::Reversed);
        assert_eq!(page.server.charges.len(), 1, "nothing new was made");
        let told = (*page.results().last().unwrap()).clone();
        let before = expired.then_some(Outcome::Expired);
        assert_eq!((told.outcome, told.previous), (Outcome::Reversed, before));
        let Screen::Ended(end) = page.screen() else {
            panic!();
        };
        assert!(end.payable);

        // A payer who pays again begins a new attempt, by whichever button.
        let again = if expired {
            Event::AnotherWayPressed
        } else {
            Event::RetryPressed
        };
        page.hears(again);
        page.sees("Choosing");
        page.chooses(PaymentMethodName::Qr);
        page.server_answers();
        page.sees_qr();
        let keys = page.keys();
        assert_ne!(keys[keys.len() - 1], keys[keys.len() - 2]);
        page.payer_pays(1);
        page.time_passes(seconds(10));
        page.sees_end(Outcome::Paid);
    }
}

#[test]
fn what_was_given_back_is_offered_again_once_the_server_says_that_the_order_is_open() {
    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.server_says(0, TransactionState::Reversed);
    page.time_passes(seconds(5));
    page.sees_end(Outcome::Reversed);
    page.hears(Event::RetryPressed);
    page.sees("Choosing");
    page.chooses(PaymentMethodName::Qr);
    page.server_answers();
    page.sees_qr();
    page.payer_pays(1);
    page.time_passes(seconds(10));
    page.sees_end(Outcome::Paid);
}

#[test]
fn what_was_given_back_is_not_offered_again_by_a_server_that_does_not_tell_the_order() {
    let mut page = Page::showing_qr();
    page.server.tells_order = false;
    page.payer_pays(0);
    page.server_says(0, TransactionState::Reversed);
    page.time_passes(seconds(5));
    page.sees_end(Outcome::Reversed);
    for event in [Event::RetryPressed, Event::AnotherWayPressed] {
        page.hears(event);
        page.sees_end(Outcome::Reversed);
    }
}

/// The first code ended, and the server refuses another one, because it knows more.
fn refused_although_the_first_ended() -> Page {
    let mut page = Page::opened();
    page.hears(Event::MethodChosen(PaymentMethodName::Qr));
    page.time_passes(100);
    page.leaves_for_another_way();
    page.time_passes(1_100);
    let operation = page.charge(0).reference();
    page.server.next = vec![Network::Says(Failure::Status {
        status: 409,
        retry_after: Some(Duration::from_secs(5)),
        money: ProblemMoney::MayBePaid,
        problem: Some(Problem::Unconfirmed(operation)),
    })];
    page.hears(Event::MethodChosen(PaymentMethodName::Qr));
    page.server_answers();
    assert!(again_at(&page).is_some());
    // The status endpoint calls it cancelled, as before.
    page.time_passes(minutes(1));
    assert_eq!(again_at(&page), None);
    page
}

#[test]
fn a_first_code_whose_end_was_known_stays_unconfirmed_until_a_new_one_is_made() {
    let mut page = refused_although_the_first_ended();
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees_qr();
}

#[test]
fn a_first_code_whose_end_was_known_is_left_for_another_method_without_a_cancellation() {
    let mut page = refused_although_the_first_ended();
    page.hears(Event::AnotherWayPressed);
    assert!(matches!(page.screen(), Screen::Choosing));
}

#[test]
fn a_first_code_that_ended_undecodable_is_left_for_another_method_too() {
    let mut page = Page::showing_qr();
    page.server_says(0, TransactionState::Expired);
    page.hears(Event::QrUndecodable);
    page.time_passes(seconds(5));
    refuses(
        &mut page,
        Problem::Unconfirmed,
        Some(Duration::from_secs(5)),
    );
    page.time_passes(seconds(6));
    page.hears(Event::AnotherWayPressed);
    assert!(matches!(page.screen(), Screen::Choosing));
}

#[test]
fn who_is_told_to_wait_for_a_day_may_ask_again_after_a_quarter_of_an_hour() {
    let mut page = overdue();
    let day = Duration::from_secs(24 * 60 * 60);
    refuses(&mut page, Problem::Unconfirmed, Some(day));
    let wait = again_at(&page).unwrap().as_millis() - page.browser.server_clock();
    assert!((898_000..=901_500).contains(&wait), "{wait}");
}

#[test]
fn what_may_come_by_another_way_is_left_for_another_method_without_a_cancellation() {
    let mut page = Page::opened();
    let mut operation = {
        page.server
            .opens(PaymentMethodName::Qr, crate::support::server::EPOCH);
        page.charge(0).reference()
    };
    operation.transaction_id = None;
    page.server.next = vec![Network::Says(Failure::Status {
        status: 409,
        retry_after: Some(Duration::from_secs(60)),
        money: ProblemMoney::MayBePaid,
        problem: Some(Problem::Unconfirmed(operation)),
    })];
    page.hears(Event::MethodChosen(PaymentMethodName::Qr));
    page.server_answers();
    assert!(again_at(&page).is_some());
    page.hears(Event::AnotherWayPressed);
    assert!(matches!(page.screen(), Screen::Choosing));
}
