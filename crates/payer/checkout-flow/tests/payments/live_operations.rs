//! The payer began in another tab, or on another device: a tab that remembers nothing finds that code.

use crate::support::page::{Page, minutes, seconds};
use crate::support::server::{EPOCH, Network, status};
use checkout_flow::{Event, Failure, OperationRef};
use payment_model::{Outcome, PaymentMethodName, TransactionState};

const QR: PaymentMethodName = PaymentMethodName::Qr;
const LENDER: PaymentMethodName = PaymentMethodName::Installment;

/// A new tab that can ask, with a code of this method that another tab made.
fn second_tab(method: PaymentMethodName) -> Page {
    let mut page = Page::unopened();
    page.asks_live = true;
    page.server.opens(method, EPOCH);
    page
}

#[test]
fn a_new_tab_shows_the_code_of_the_first_one() {
    let mut page = second_tab(QR);
    page.opens(None, None);
    page.sees("Choosing");
    page.server_answers();
    page.sees_qr();
    assert_eq!(page.pending_told(), 1);
    assert!(page.keys().is_empty());
    let kept = page.browser.storage.clone().unwrap();
    assert_eq!(kept.operation, Some(page.charge(0).reference()));
    page.payer_pays(0);
    page.time_passes(seconds(5));
    page.sees_end(Outcome::Paid);
    assert!(!page.results()[0].resumed, "this page saw it wait");
}

#[test]
fn what_the_lender_has_is_shown_and_nobody_is_led_away() {
    let mut page = second_tab(LENDER);
    page.opens(None, None);
    page.server_answers();
    page.sees("Continue");
    assert!(page.browser.left.is_empty());
}

#[test]
fn what_a_new_tab_shows_is_cancelled_and_left_like_any_other() {
    let mut page = second_tab(QR);
    page.opens(None, None);
    page.server_answers();
    page.hears(Event::CancelPressed);
    page.hears(Event::CancelConfirmed);
    page.time_passes(seconds(4));
    page.sees_end(Outcome::Cancelled);
    page.hears(Event::RetryPressed);
    page.chooses(LENDER);
    page.server_answers();
    page.sees("Continue");
}

#[test]
fn a_new_tab_of_a_paid_order_says_so_and_of_one_given_back_too() {
    for (then, outcome) in [
        (None, Outcome::Paid),
        (Some(TransactionState::Reversed), Outcome::Reversed),
    ] {
        let mut page = second_tab(QR);
        page.payer_pays(0);
        if let Some(then) = then {
            page.server_says(0, then);
        }
        page.opens(None, None);
        page.server_answers();
        page.sees_end(outcome);
        assert!(page.results()[0].resumed);
        assert_eq!(page.browser.storage, None);
    }
}

#[test]
fn what_was_given_back_may_be_paid_anew_from_a_new_tab() {
    let mut page = second_tab(QR);
    page.payer_pays(0);
    page.server_says(0, TransactionState::Reversed);
    page.opens(None, None);
    page.server_answers();
    page.hears(Event::RetryPressed);
    page.sees("Choosing");
    page.chooses(QR);
    page.server_answers();
    page.sees_qr();
    assert_eq!(page.number(), Some("1002"));
}

#[test]
fn without_an_operation_the_choice_stays_and_nothing_is_asked_again() {
    let mut page = Page::with(|page| page.asks_live = true);
    page.time_passes(minutes(5));
    page.sees("Choosing");
    assert_eq!(page.asked_for_live(), [0]);
    assert!(page.errors().is_empty());
}

#[test]
fn a_failure_leaves_the_choice_and_only_a_broken_connection_is_tried_once_more() {
    let refused = |code| Network::Says(status(code));
    for (network, asked) in [
        (Network::Says(Failure::Network), 2),
        (Network::LosesAnswers, 2),
        (Network::Silent, 1),
        (Network::Says(Failure::Unreadable), 1),
        (Network::Says(Failure::Unusable), 1),
        (refused(401), 1),
        (refused(404), 1),
        (refused(429), 1),
        (refused(503), 1),
    ] {
        let mut page = second_tab(QR);
        page.network(network.clone());
        page.opens(None, None);
        page.time_passes(minutes(5));
        page.sees("Choosing");
        assert_eq!(page.asked_for_live().len(), asked, "{network:?}");
        assert!(page.errors().is_empty());
        assert_eq!(
            page.flow.view().connection,
            checkout_flow::Connection::Good,
            "{network:?}"
        );
    }
}

#[test]
fn the_second_try_may_find_it() {
    let mut page = second_tab(QR);
    page.server.next = vec![Network::Says(Failure::Network)];
    page.opens(None, None);
    page.time_passes(seconds(2));
    page.sees_qr();
}

#[test]
fn an_answer_without_a_transaction_is_none() {
    let mut page = second_tab(QR);
    page.charge(0).hollow = true;
    page.opens(None, None);
    page.server_answers();
    page.sees("Choosing");
}

#[test]
fn a_question_whose_answer_got_lost_is_over_after_a_while() {
    let mut page = second_tab(QR);
    page.network(Network::Silent);
    page.opens(None, None);
    page.browser.calls.clear();
    page.time_passes(seconds(20));
    page.sees("Choosing");
    assert_eq!(page.browser.wake_at, None);
}

#[test]
fn after_a_press_the_answer_does_not_matter() {
    let mut page = second_tab(LENDER);
    page.opens(None, None);
    page.chooses(LENDER);
    assert_eq!(page.browser.calls.len(), 1, "the question is given up");
    let late = page.browser.aborted[0].clone();
    let event = page.browser.answer(&late, &mut page.server);
    page.hears(event);
    page.sees("Authorizing");
    page.server_answers();
    page.sees("Continue");
    assert_eq!(page.number(), Some("1001"));
}

#[test]
fn nor_is_the_question_sent_again_after_a_press() {
    let mut page = second_tab(QR);
    page.server.next = vec![Network::Says(Failure::Network)];
    page.opens(None, None);
    page.server_answers();
    page.chooses(QR);
    page.time_passes(seconds(5));
    page.sees_qr();
    assert_eq!(page.asked_for_live().len(), 1);
}

#[test]
fn a_tab_that_remembers_or_is_told_an_operation_does_not_ask() {
    // An operation in front, an attempt without an answer, an operation that was left.
    let reloads: [fn(&mut Page); 3] = [
        |_| (),
        |page| {
            page.hears(Event::CancelPressed);
            page.hears(Event::CancelConfirmed);
            page.time_passes(seconds(4));
            page.hears(Event::RetryPressed);
            page.chooses(LENDER);
        },
        |page| {
            page.leaves_for_another_way();
            page.time_passes(seconds(4));
            page.sees("Choosing");
        },
    ];
    for prepare in reloads {
        let mut page = Page::showing_qr();
        prepare(&mut page);
        page.asks_live = true;
        page.reloads();
        page.time_passes(seconds(2));
        assert!(page.asked_for_live().is_empty());
    }
    for by_token in [false, true] {
        let mut page = second_tab(QR);
        let mut operation = page.charge(0).reference();
        if by_token {
            operation.transaction_id = None;
            page.opens(None, Some(operation));
        } else {
            page.opens(Some(operation), None);
        }
        page.server_answers();
        page.sees_qr();
        assert!(page.asked_for_live().is_empty());
    }
}

#[test]
fn a_page_that_names_no_address_does_not_ask() {
    let mut page = second_tab(QR);
    page.asks_live = false;
    page.opens(None, None);
    page.time_passes(seconds(5));
    assert!(page.asked_for_live().is_empty());
}

#[test]
fn a_live_answer_names_the_operation_by_its_own_numbers() {
    let mut page = second_tab(QR);
    page.opens(None, None);
    page.server_answers();
    let expected: OperationRef = page.charge(0).reference();
    assert_eq!(page.flow.view().operation, Some(&expected));
}
