//! The payer cancels.

use crate::expires::overdue;
use crate::support::page::{Page, minutes, seconds};
use crate::support::server::{Network, status};
use checkout_flow::{Action, Event, Failure, Intent, Notice};
use payment_model::{Outcome, PaymentMethodName, TransactionState};

fn confirmed() -> Page {
    let mut page = Page::showing_qr();
    page.time_passes(seconds(5));
    page.hears(Event::CancelPressed);
    assert_eq!(page.flow.view().asks_to_cancel, Some(Intent::Stop));
    page.sees_qr();
    page.hears(Event::CancelConfirmed);
    page.hears(Event::CancelConfirmed);
    page.sees("Cancelling");
    page
}

#[test]
fn cancel_asks_back_then_the_server_and_says_what_the_server_says() {
    let mut page = confirmed();
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Cancelled);
    assert_eq!(page.cancelled("1001").len(), 1);
    assert_eq!(page.outcomes(), [("1001", Outcome::Cancelled)]);
    assert_eq!(page.browser.storage, None);
    page.hears(Event::RetryPressed);
    page.sees("Choosing");
}

#[test]
fn who_thinks_again_goes_on_waiting() {
    let mut page = Page::showing_qr();
    page.hears(Event::CancelPressed);
    page.hears(Event::CancelDismissed);
    assert_eq!(page.flow.view().asks_to_cancel, None);
    page.time_passes(minutes(1));
    page.sees_qr();
    assert!(page.cancelled("1001").is_empty());
}

#[test]
fn what_is_paid_already_is_not_cancelled() {
    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.hears(Event::CancelPressed);
    page.hears(Event::CancelConfirmed);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Paid);
    assert!(page.cancelled("1001").is_empty());

    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.leaves_for_another_way();
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Paid);
    assert!(page.cancelled("1001").is_empty());
}

#[test]
fn paid_between_the_question_and_the_cancellation_is_what_the_server_says() {
    let mut page = confirmed();
    while page.cancelled("1001").is_empty() {
        page.time_passes(10);
    }
    page.payer_pays(0);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Paid);

    let mut page = confirmed();
    while page.cancelled("1001").is_empty() {
        page.time_passes(10);
    }
    page.payer_pays(0);
    page.server_says(0, TransactionState::Cancelled);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Reversed);
}

#[test]
fn a_lost_answer_is_asked_about_before_anything_is_said() {
    for network in [
        Network::LosesAnswers,
        Network::Silent,
        Network::Says(status(500)),
    ] {
        let mut page = confirmed();
        page.server.next_cancel = Some(network.clone());
        page.time_passes(seconds(2));
        assert_eq!(page.cancelled("1001").len(), 1);
        page.time_passes(seconds(16));
        if network == Network::LosesAnswers {
            page.sees_end(Outcome::Cancelled);
        } else {
            page.sees_qr();
            assert!(page.flow.view().cancel_failed);
            page.hears(Event::CancelConfirmed);
            assert!(!page.flow.view().cancel_failed);
            page.time_passes(seconds(3));
            page.sees_end(Outcome::Cancelled);
        }
    }
}

#[test]
fn a_cancellation_that_nobody_reports_the_end_of_is_verified_all_the_same() {
    let mut page = confirmed();
    while page.cancelled("1001").is_empty() {
        page.time_passes(10);
    }
    // The request is lost without an error.
    page.browser
        .calls
        .retain(|running| !matches!(running.what, crate::support::browser::Request::Cancel(_)));
    page.time_passes(seconds(14));
    page.sees("Cancelling");
    page.time_passes(seconds(4));
    page.sees_qr();
    assert!(page.flow.view().cancel_failed);
}

#[test]
fn a_running_cancellation_is_not_asked_about_again() {
    let mut page = confirmed();
    for event in [Event::CancelPressed, Event::AnotherWayPressed] {
        page.hears(event);
        assert_eq!(page.flow.view().asks_to_cancel, None);
        page.sees("Cancelling");
    }
    // Another way needs no question about an overdue code, but it begins only once.
    let mut page = overdue();
    for _ in 0..3 {
        page.hears(Event::AnotherWayPressed);
    }
    let begun = page.notices.iter().filter(|notice| {
        let action = Action::AnotherWay;
        matches!(notice, Notice::Action { action: told, .. } if *told == action)
    });
    assert_eq!(begun.count(), 1);
    page.time_passes(seconds(5));
    page.sees("Choosing");
}

#[test]
fn while_the_server_cannot_be_asked_nothing_is_cancelled() {
    let mut page = Page::showing_qr();
    page.network(Network::Says(Failure::Network));
    page.hears(Event::CancelPressed);
    page.hears(Event::CancelConfirmed);
    page.time_passes(seconds(10));
    page.sees_qr();
    assert!(page.flow.view().cancel_failed);
    assert!(page.cancelled("1001").is_empty());
}

#[test]
fn what_may_be_paid_in_a_state_that_nobody_knows_is_not_cancelled() {
    let mut page = Page::showing_qr();
    page.server_says(0, TransactionState::from("EN_CAMINO"));
    page.hears(Event::CancelPressed);
    page.hears(Event::CancelConfirmed);
    page.time_passes(seconds(3));
    page.sees("Confirming");
    assert!(page.flow.view().cancel_failed);
    assert!(page.cancelled("1001").is_empty());
}

#[test]
fn the_page_hears_of_each_decision_that_had_an_effect() {
    let qr = PaymentMethodName::Qr;
    let mut page = Page::opened();
    for event in [
        Event::RetryPressed,
        Event::CancelPressed,
        Event::CancelConfirmed,
        Event::AnotherWayPressed,
    ] {
        page.hears(event);
    }
    page.chooses(qr.clone());
    page.hears(Event::MethodChosen(qr.clone()));
    page.server_answers();
    page.sees_qr();
    page.hears(Event::RetryPressed);
    page.hears(Event::CancelPressed);
    page.hears(Event::CancelPressed);
    page.hears(Event::CancelDismissed);
    page.leaves_for_another_way();
    page.hears(Event::CancelConfirmed);
    page.time_passes(seconds(4));
    page.sees("Choosing");
    page.chooses(qr.clone());
    page.server_answers();
    page.hears(Event::CancelPressed);
    page.hears(Event::CancelConfirmed);
    page.time_passes(seconds(4));
    page.sees_end(Outcome::Cancelled);
    page.hears(Event::RetryPressed);
    let actions = page.notices.iter().filter_map(|notice| match notice {
        Notice::Action { action, method } => Some((*action, method.clone())),
        _ => None,
    });
    let actions: Vec<_> = actions.collect();
    let expected = [
        Action::MethodChosen,
        Action::CancelAsked,
        Action::Kept,
        Action::AnotherWay,
        Action::CancelConfirmed,
        Action::MethodChosen,
        Action::CancelAsked,
        Action::CancelConfirmed,
        Action::Retried,
    ];
    assert_eq!(actions, expected.map(|action| (action, Some(qr.clone()))));
}

#[test]
fn the_payer_cannot_cancel_what_has_ended() {
    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.time_passes(seconds(3));
    for event in [
        Event::CancelPressed,
        Event::CancelConfirmed,
        Event::AnotherWayPressed,
        Event::RetryPressed,
    ] {
        page.hears(event);
        page.time_passes(seconds(3));
        page.sees_end(Outcome::Paid);
    }
    assert!(page.cancelled("1001").is_empty());
    assert_eq!(page.authorized().len(), 1);
}

#[test]
fn no_new_code_is_asked_for_while_the_old_one_is_cancelled() {
    let mut page = overdue();
    page.network(Network::Silent);
    page.hears(Event::CancelConfirmed);
    page.sees("Cancelling");
    page.hears(Event::RetryPressed);
    page.sees("Cancelling");
    page.network(Network::Good);
    page.time_passes(minutes(2));
    assert_eq!(page.authorized().len(), 1);
    page.sees_end(Outcome::Cancelled);
}

#[test]
fn the_answer_to_another_request_is_none_to_the_cancellation() {
    let mut page = Page::opened();
    page.chooses(PaymentMethodName::Qr);
    let other = page.browser.calls[0].call;
    page.server_answers();
    page.sees_qr();
    page.server.next_cancel = Some(Network::Silent);
    page.hears(Event::CancelConfirmed);
    page.server_answers();
    assert_eq!(page.cancelled("1001").len(), 1);
    let answer = Err(Failure::Network);
    page.hears(Event::CancelAnswered {
        call: other,
        answer,
    });
    page.time_passes(seconds(5));
    page.sees("Cancelling");
    page.time_passes(seconds(20));
    page.sees_qr();
    assert!(page.flow.view().cancel_failed);
}

#[test]
fn no_question_of_a_cancellation_is_held() {
    let mut page = Page::opened();
    page.server.holds = true;
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(10));
    let sent = page.browser.journal.len();
    assert!(page.browser.journal[sent - 1].wait.is_some());
    page.hears(Event::CancelConfirmed);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Cancelled);
    let journal = &page.browser.journal[sent..];
    assert!(
        journal.iter().all(|sent| sent.wait.is_none()),
        "{journal:?}"
    );
}
