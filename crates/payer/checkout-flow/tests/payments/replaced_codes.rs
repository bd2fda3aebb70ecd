//! No choice ends a code unasked, and the tab that showed one says why it ended.

use crate::support::page::{Page, seconds};
use crate::support::server::{EPOCH, Network};
use checkout_flow::{Action, CancelledBy, Event, Failure, IdempotencyKey, Screen};
use payment_model::{MerchantOperationNumber, Outcome, PaymentMethodName, TransactionState};

const QR: PaymentMethodName = PaymentMethodName::Qr;
const LENDER: PaymentMethodName = PaymentMethodName::Installment;

/// A tab in which another method was chosen than that of a code that another tab made.
fn asked_to_replace() -> Page {
    let mut page = Page::unopened();
    page.server.opens(QR, EPOCH);
    page.opens(None, None);
    page.chooses(LENDER);
    page.server_answers();
    page.sees("AskingToReplace");
    page
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
fn another_method_is_asked_about_and_ends_nothing() {
    let page = asked_to_replace();
    let view = page.flow.view();
    let wanted = Screen::AskingToReplace {
        live: &QR,
        wanted: &LENDER,
    };
    assert_eq!(view.screen, wanted);
    assert_eq!((page.number(), view.method), (Some("1001"), Some(&QR)));
    assert!(page.server.charges[0].state.is_waiting());
    assert!(page.errors().is_empty() && page.results().is_empty());
}

#[test]
fn the_payer_sees_that_code_after_its_state_was_asked() {
    let mut page = asked_to_replace();
    // Nobody waits for news before anything is on the screen.
    page.server.holds = true;
    page.server_answers();
    page.hears(Event::ShowLivePressed);
    page.sees("Checking");
    page.time_passes(seconds(2));
    page.sees_qr();
    assert_eq!(page.number(), Some("1001"));
    let told = page.actions();
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
    assert_eq!(page.number(), Some("1002"));
    assert_eq!(page.replaced(), [None, Some("1001")]);
    assert_eq!(page.keys()[0], page.keys()[1]);
    assert_eq!(page.charge(0).state, TransactionState::Cancelled);
    let told = page.actions();
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
    let numbers = page.replaced();
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
    assert_eq!(page.number(), Some("1002"));
    assert!(page.charge(1).state.is_waiting());
    page.hears(Event::ReplaceConfirmed);
    page.server_answers();
    page.sees("Continue");
    assert_eq!(page.replaced(), [None, Some("1001"), Some("1002")]);
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
    // It is asked about as often as a code on the screen.
    page.time_passes(seconds(5));
    page.payer_pays(0);
    page.time_passes(seconds(5));
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
    let mut page = Page::unopened();
    page.server.opens(QR, EPOCH);
    page.server.keeps_live = false;
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
    assert_eq!(page.number(), Some("1002"));

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
