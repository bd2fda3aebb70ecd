//! New codes and late payments.

use crate::expires::overdue;
use crate::support::page::{Page, minutes, seconds};
use crate::support::server::Network;
use checkout_flow::{Event, Screen};
use payment_model::{Outcome, TransactionState};

fn with_a_new_code() -> Page {
    let mut page = overdue();
    page.hears(Event::RetryPressed);
    page.sees("Authorizing");
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees_qr();
    assert_eq!(page.server.charges.len(), 2);
    page
}

#[test]
fn a_new_code_is_a_new_attempt_and_the_old_one_stays_watched() {
    let mut page = with_a_new_code();
    assert_eq!(page.keys().len(), 2);
    assert_ne!(page.keys()[0], page.keys()[1]);
    let before = page.asked_about("1001").len();
    page.time_passes(minutes(2));
    assert!(page.asked_about("1001").len() - before >= 6);
    page.payer_pays(1);
    page.time_passes(seconds(12));
    page.sees_end(Outcome::Paid);
    let result = page.results()[0];
    assert_eq!(
        result.status.operation.merchant_operation_number.as_str(),
        "1002"
    );
    assert_eq!(result.superseded, ["1001".into()]);
}

#[test]
fn a_late_payment_on_the_old_code_withdraws_the_new_one() {
    let mut page = with_a_new_code();
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);
    let result = page.results()[0].clone();
    assert_eq!(
        result.status.operation.merchant_operation_number.as_str(),
        "1001"
    );
    assert_eq!(result.superseded, ["1002".into()]);
    assert!(!result.paid_twice);
    page.time_passes(seconds(5));
    assert_eq!(page.cancelled("1002").len(), 1);
    assert!(page.cancelled("1001").is_empty());
    assert_eq!(page.server.charges[1].state, TransactionState::Cancelled);
    page.time_passes(minutes(5));
    assert_eq!(page.results().len(), 1, "what was withdrawn is no result");
    assert_eq!(page.cancelled("1002").len(), 1);
}

/// The numbers that a paid screen names besides its own.
fn named_beside(page: &Page) -> Vec<String> {
    let Screen::Ended(end) = page.screen() else {
        panic!("an end expected: {:?}", page.screen());
    };
    let numbers = end.superseded.iter();
    numbers.map(|number| number.to_string()).collect()
}

#[test]
fn the_screen_names_other_codes_only_while_they_may_be_paid() {
    let mut page = with_a_new_code();
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);
    page.time_passes(seconds(30));
    assert_eq!(page.server.charges[1].state, TransactionState::Cancelled);
    assert!(named_beside(&page).is_empty(), "it is over");
    assert_eq!(page.results()[0].superseded, ["1002".into()]);

    // One that may still be paid, and one that was paid too, are named.
    let mut page = with_a_new_code();
    page.payer_pays(1);
    page.time_passes(seconds(12));
    page.sees_end(Outcome::Paid);
    assert_eq!(named_beside(&page), ["1001"]);
    page.payer_pays(0);
    page.time_passes(seconds(40));
    assert!(page.results()[1].paid_twice);
    assert_eq!(named_beside(&page).len(), 1);
}

#[test]
fn a_new_code_that_the_server_withdraws_for_a_late_payment_is_no_cancellation() {
    let mut page = with_a_new_code();
    page.payer_pays(0);
    page.server_says(1, TransactionState::Cancelled);
    page.time_passes(seconds(4));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.outcomes(), [("1001", Outcome::Paid)]);
    assert_eq!(page.results()[0].superseded, ["1002".into()]);
}

#[test]
fn a_new_code_that_somebody_cancelled_is_cancelled_once_the_old_one_was_asked_about() {
    let mut page = with_a_new_code();
    page.server_says(1, TransactionState::Cancelled);
    page.time_passes(seconds(4));
    page.sees_end(Outcome::Cancelled);
    assert_eq!(page.outcomes(), [("1002", Outcome::Cancelled)]);
}

#[test]
fn a_late_payment_after_the_server_said_expired_corrects_what_was_told() {
    let mut page = overdue();
    page.server_says(0, TransactionState::Expired);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Expired);
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees_qr();
    page.payer_pays(0);
    page.time_passes(seconds(30));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.results()[1].previous, Some(Outcome::Expired));

    // The flow corrects nothing that it has not reported to the page.
    let mut page = with_a_new_code();
    page.server_says(0, TransactionState::Expired);
    page.time_passes(seconds(30));
    page.payer_pays(0);
    page.time_passes(seconds(30));
    assert_eq!(page.outcomes(), [("1001", Outcome::Paid)]);
    assert_eq!(page.results()[0].previous, None);
}

#[test]
fn both_paid_tells_of_both_and_withdraws_none() {
    let mut page = with_a_new_code();
    page.payer_pays(0);
    page.payer_pays(1);
    page.time_passes(seconds(40));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.results().len(), 2);
    assert!(!page.results()[0].paid_twice && page.results()[1].paid_twice);
    assert!(page.cancelled("1001").is_empty() && page.cancelled("1002").is_empty());

    // One of the payments is given back. The flow reports that, since it had reported the payment.
    let second = page.results()[1].status.operation.clone();
    let index = if second.merchant_operation_number.as_str() == "1001" {
        0
    } else {
        1
    };
    page.server_says(index, TransactionState::Reversed);
    page.hears(Event::Shown);
    page.time_passes(seconds(3));
    assert_eq!(page.results()[2].outcome, Outcome::Reversed);
}

#[test]
fn paid_while_the_new_code_is_prepared_withdraws_it_when_it_comes() {
    let mut page = overdue();
    page.server.next = vec![Network::Silent];
    page.hears(Event::RetryPressed);
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);

    // The server made it before it knew of the payment.
    let clock = page.browser.server_clock();
    page.server
        .opens(payment_model::PaymentMethodName::Qr, clock);
    let key = page.keys()[1].to_owned();
    page.server.knows(&key, 1);
    for running in &mut page.browser.calls {
        running.network = Network::Good;
    }
    page.time_passes(minutes(1));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.server.charges[1].state, TransactionState::Cancelled);
    assert_eq!(page.outcomes(), [("1001", Outcome::Paid)]);
}

#[test]
fn an_unwanted_answer_that_names_the_paid_operation_cancels_nothing() {
    let mut page = overdue();
    page.server.next = vec![Network::Silent];
    page.hears(Event::RetryPressed);
    page.payer_pays(0);
    page.time_passes(seconds(20));
    let key = page.keys()[1].to_owned();
    page.server.knows(&key, 0);
    for running in &mut page.browser.calls {
        running.network = Network::Good;
    }
    page.time_passes(minutes(5));
    page.sees_end(Outcome::Paid);
    assert!(page.cancelled("1001").is_empty());
    assert_eq!(page.server.charges[0].state, TransactionState::Authorized);
}

#[test]
fn a_withdrawal_is_repeated_until_the_server_says_it_worked() {
    let mut page = with_a_new_code();
    page.server.refuses_to_cancel = true;
    page.payer_pays(0);
    page.time_passes(minutes(8));
    let tries = page.cancelled("1002").len();
    assert!((8..=16).contains(&tries), "{tries}");
    page.server.refuses_to_cancel = false;
    page.time_passes(minutes(2));
    assert_eq!(page.server.charges[1].state, TransactionState::Cancelled);
    page.sees_end(Outcome::Paid);
}
