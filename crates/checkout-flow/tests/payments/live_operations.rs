//! The payer began in another tab, or on another device: that code is found, and no choice ends it unasked.

use crate::support::browser::Request;
use crate::support::page::{Page, minutes, seconds};
use crate::support::server::{EPOCH, Network, status};
use checkout_flow::{
    Action, CancelledBy, Event, Failure, IdempotencyKey, Notice, OperationRef, Screen,
};
use payment_model::{MerchantOperationNumber, Outcome, PaymentMethodName, TransactionState};

const QR: PaymentMethodName = PaymentMethodName::Qr;
const LENDER: PaymentMethodName = PaymentMethodName::Installment;

/// A new tab that can ask, with a code of this method that another tab made.
fn second_tab(method: PaymentMethodName) -> Page {
    let mut page = Page::unopened();
    page.asks_live = true;
    page.server.opens(method, EPOCH);
    page
}

/// A new tab that does not ask, in which another method was chosen.
fn asked_to_replace() -> Page {
    let mut page = second_tab(QR);
    page.asks_live = false;
    page.opens(None, None);
    page.chooses(LENDER);
    page.server_answers();
    page.sees("AskingToReplace");
    page
}

/// The numbers that the authorize requests named as to be replaced.
fn replaced(page: &Page) -> Vec<Option<&str>> {
    let sent = page.browser.journal.iter();
    sent.filter_map(|sent| match &sent.what {
        Request::Authorize(_, _, replaces) => {
            Some(replaces.as_ref().map(MerchantOperationNumber::as_str))
        }
        _ => None,
    })
    .collect()
}

fn actions(page: &Page) -> Vec<(Action, Option<PaymentMethodName>)> {
    let action = |notice: &Notice| match notice {
        Notice::Action { action, method } => Some((*action, method.clone())),
        _ => None,
    };
    page.notices.iter().filter_map(action).collect()
}

fn number(page: &Page) -> Option<&str> {
    let operation = page.flow.view().operation?;
    Some(operation.merchant_operation_number.as_str())
}

/// Another tab takes this method, and agrees to what that ends.
fn other_tab_chooses(page: &mut Page, method: &PaymentMethodName, ends: Option<&str>) {
    let clock = page.browser.server_clock();
    let key = IdempotencyKey::from_entropy(7);
    let ends = ends.map(MerchantOperationNumber::new);
    page.server
        .authorize(&key, method, ends.as_ref(), clock)
        .unwrap();
    page.browser.held_requests_end();
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
    assert_eq!(replaced(&page), [None]);
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
    assert_eq!(number(&page), Some("1002"));
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
    assert_eq!(number(&page), Some("1001"));
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
fn another_method_is_asked_about_and_ends_nothing() {
    let page = asked_to_replace();
    let view = page.flow.view();
    let wanted = Screen::AskingToReplace {
        live: &QR,
        wanted: &LENDER,
    };
    assert_eq!(view.screen, wanted);
    assert_eq!((number(&page), view.method), (Some("1001"), Some(&QR)));
    assert!(page.server.charges[0].state.is_waiting());
    assert!(page.errors().is_empty() && page.results().is_empty());
}

#[test]
fn the_payer_sees_that_code_after_its_state_was_asked() {
    let mut page = asked_to_replace();
    page.server_answers();
    page.hears(Event::ShowLivePressed);
    page.sees("Checking");
    page.time_passes(seconds(2));
    page.sees_qr();
    assert_eq!(number(&page), Some("1001"));
    let told = actions(&page);
    assert_eq!(told.last(), Some(&(Action::LiveShown, Some(QR))));
    let kept = page.browser.storage.clone().unwrap();
    assert_eq!((kept.attempt, kept.superseded), (None, vec![]));
    page.payer_pays(0);
    page.time_passes(seconds(5));
    page.sees_end(Outcome::Paid);
}

#[test]
fn the_payer_replaces_it_with_the_same_key() {
    let mut page = asked_to_replace();
    page.hears(Event::ReplaceConfirmed);
    page.sees("Authorizing");
    page.server_answers();
    page.sees("Continue");
    assert_eq!(number(&page), Some("1002"));
    assert_eq!(replaced(&page), [None, Some("1001")]);
    assert_eq!(page.keys()[0], page.keys()[1]);
    assert_eq!(page.charge(0).state, TransactionState::Cancelled);
    let told = actions(&page);
    assert_eq!(told.last(), Some(&(Action::LiveReplaced, Some(QR))));
    // A late payment of the other code is still seen.
    page.payer_pays(0);
    page.time_passes(seconds(30));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.outcomes(), [("1001", Outcome::Paid)]);
}

#[test]
fn what_the_payer_agreed_to_is_repeated_after_a_failure_and_a_reload() {
    let mut page = asked_to_replace();
    page.network(Network::Says(Failure::Network));
    page.hears(Event::ReplaceConfirmed);
    page.time_passes(seconds(5));
    page.sees("Authorizing");
    page.network(Network::Good);
    page.reloads();
    page.time_passes(seconds(5));
    page.sees("Continue");
    let numbers = replaced(&page);
    assert!(numbers.len() > 2);
    assert!(numbers[1..].iter().all(|number| *number == Some("1001")));
    assert!(page.keys().windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_code_that_changed_meanwhile_is_asked_about_anew() {
    let mut page = asked_to_replace();
    page.settings.methods.push(PaymentMethodName::CashCode);
    other_tab_chooses(&mut page, &PaymentMethodName::CashCode, Some("1001"));
    page.hears(Event::ReplaceConfirmed);
    page.server_answers();
    let wanted = Screen::AskingToReplace {
        live: &PaymentMethodName::CashCode,
        wanted: &LENDER,
    };
    assert_eq!(page.screen(), wanted);
    assert_eq!(number(&page), Some("1002"));
    assert!(page.charge(1).state.is_waiting());
    page.hears(Event::ReplaceConfirmed);
    page.server_answers();
    page.sees("Continue");
    assert_eq!(replaced(&page), [None, Some("1001"), Some("1002")]);
}

#[test]
fn the_question_is_asked_again_after_a_reload() {
    let mut page = asked_to_replace();
    page.reloads();
    page.sees("Authorizing");
    page.server_answers();
    page.sees("AskingToReplace");
    assert_eq!(page.keys()[0], page.keys()[1]);
    page.hears(Event::ReplaceConfirmed);
    page.server_answers();
    page.sees("Continue");
}

#[test]
fn a_code_that_ends_while_the_payer_thinks_stops_nothing() {
    for shows in [true, false] {
        let mut page = asked_to_replace();
        page.server_says(0, TransactionState::Expired);
        page.time_passes(seconds(20));
        page.sees("AskingToReplace");
        if shows {
            page.hears(Event::ShowLivePressed);
            page.time_passes(seconds(2));
            page.sees_end(Outcome::Expired);
        } else {
            page.hears(Event::ReplaceConfirmed);
            page.server_answers();
            page.sees("Continue");
        }
    }
}

#[test]
fn a_code_that_is_paid_while_the_payer_thinks_takes_the_front() {
    let mut page = asked_to_replace();
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.server.charges.len(), 1);
    for event in [Event::ShowLivePressed, Event::ReplaceConfirmed] {
        page.hears(event);
        page.sees_end(Outcome::Paid);
    }
}

#[test]
fn other_presses_leave_the_question() {
    let mut page = asked_to_replace();
    for event in [
        Event::RetryPressed,
        Event::AnotherWayPressed,
        Event::CancelPressed,
        Event::CancelConfirmed,
        Event::MethodChosen(QR),
    ] {
        page.hears(event);
        page.sees("AskingToReplace");
    }
    assert_eq!(page.keys().len(), 1);
}

#[test]
fn a_named_code_that_the_server_does_not_find_is_no_dead_end() {
    let mut page = asked_to_replace();
    page.charge(0).lost = true;
    page.time_passes(seconds(30));
    page.hears(Event::ShowLivePressed);
    page.sees("Checking");
    page.charge(0).lost = false;
    page.time_passes(seconds(30));
    page.sees_qr();
}

#[test]
fn a_server_without_the_rule_replaces_as_before() {
    let mut page = second_tab(QR);
    page.server.keeps_live = false;
    page.asks_live = false;
    page.opens(None, None);
    page.chooses(LENDER);
    page.server_answers();
    page.sees("Continue");
    assert_eq!(page.charge(0).state, TransactionState::Cancelled);
}

fn cancelled_by(page: &Page) -> CancelledBy {
    let Screen::Ended(end) = page.screen() else {
        panic!("{:?}", page.screen());
    };
    assert_eq!(end.outcome, Outcome::Cancelled);
    end.cancelled_by
}

#[test]
fn the_first_tab_says_why_its_code_ended() {
    let mut page = Page::showing_qr();
    other_tab_chooses(&mut page, &LENDER, Some("1001"));
    page.time_passes(seconds(5));
    assert_eq!(cancelled_by(&page), CancelledBy::Replacement);
    // Whoever then wants another code is asked about the new one.
    page.hears(Event::RetryPressed);
    page.chooses(QR);
    page.server_answers();
    page.sees("AskingToReplace");
    assert_eq!(number(&page), Some("1002"));

    for told in [None, Some(CancelledBy::Staff), Some(CancelledBy::Payer)] {
        let mut page = Page::showing_qr();
        page.charge(0).cancelled_by = told;
        page.server_says(0, TransactionState::Cancelled);
        page.time_passes(seconds(5));
        assert_eq!(cancelled_by(&page), told.unwrap_or_default());
    }
}

#[test]
fn what_was_cancelled_here_needs_no_reason() {
    for told in [None, Some(CancelledBy::Payer)] {
        let mut page = Page::showing_qr();
        page.hears(Event::CancelPressed);
        page.hears(Event::CancelConfirmed);
        page.charge(0).cancelled_by = told;
        page.time_passes(seconds(4));
        assert_eq!(cancelled_by(&page), CancelledBy::ThisPage);
    }
}

#[test]
fn a_live_answer_names_the_operation_by_its_own_numbers() {
    let mut page = second_tab(QR);
    page.opens(None, None);
    page.server_answers();
    let expected: OperationRef = page.charge(0).reference();
    assert_eq!(page.flow.view().operation, Some(&expected));
}
