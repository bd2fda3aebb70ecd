//! Authorize requests that get lost, are refused, or have to wait.

use crate::support::page::{Page, minutes, seconds};
use crate::support::server::{Network, closed_for, status};
use checkout_flow::{Connection, ErrorCode, Event, Failure, Notice, Problem};
use payment_model::{Meta, Outcome, PaymentMethodName, ProblemMoney};
use std::time::Duration;

fn authorizing(network: Network) -> Page {
    let mut page = Page::opened();
    page.server.next = vec![network];
    page.chooses(PaymentMethodName::Qr);
    page
}

fn same_key(page: &Page) -> bool {
    page.keys().windows(2).all(|pair| pair[0] == pair[1])
}

#[test]
fn what_passes_is_repeated_with_the_same_key() {
    for network in [
        Network::Says(Failure::Network),
        Network::Says(Failure::Unreadable),
        Network::Says(status(500)),
        Network::Says(status(503)),
        Network::Says(status(408)),
        Network::Says(status(409)),
        Network::Says(status(429)),
        Network::LosesAnswers,
        Network::Silent,
    ] {
        let mut page = authorizing(network.clone());
        page.time_passes(seconds(if network == Network::Silent { 32 } else { 2 }));
        page.sees_qr();
        assert_eq!(page.keys().len(), 2, "{network:?}");
        assert!(same_key(&page));
        assert_eq!(page.server.charges.len(), 1);
        assert!(page.errors().is_empty());
    }
}

#[test]
fn a_payer_who_will_not_wait_for_the_code_chooses_another_way() {
    let mut page = authorizing(Network::Silent);
    page.sees("Authorizing");
    page.hears(Event::AnotherWayPressed);
    page.sees("Choosing");
    assert!(page.browser.calls.is_empty(), "the request is not wanted");
    page.chooses(PaymentMethodName::Qr);
    page.server_answers();
    page.sees_qr();
    assert!(!same_key(&page));
}

#[test]
fn what_is_refused_is_not_repeated_and_the_next_attempt_has_a_key_of_its_own() {
    for code in [400, 401, 403, 404, 410, 422] {
        let mut page = authorizing(Network::Says(status(code)));
        page.time_passes(minutes(1));
        page.sees_failure(ErrorCode::Refused);
        assert_eq!(page.authorized().len(), 1);
        assert_eq!(page.errors(), ["refused"]);
        page.hears(Event::RetryPressed);
        page.hears(Event::RetryPressed);
        page.sees("Choosing");
        page.chooses(PaymentMethodName::Qr);
        page.server_answers();
        page.sees_qr();
        assert!(!same_key(&page));
    }
}

#[test]
fn after_five_tries_the_payer_decides_and_the_key_stays() {
    let mut page = Page::opened();
    page.network(Network::Says(Failure::Network));
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(5));
    page.sees("Authorizing");
    assert_eq!(page.flow.view().connection, Connection::Troubled);
    page.time_passes(minutes(1));
    page.sees_failure(ErrorCode::Network);
    assert_eq!(
        (page.authorized().len(), page.errors()),
        (5, vec!["network"])
    );

    page.network(Network::Good);
    // A reload is a retry as well.
    page.reloads();
    page.server_answers();
    page.sees_qr();
    assert!(same_key(&page));
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn trying_again_repeats_the_attempt_and_another_way_begins_a_new_one() {
    for again in [true, false] {
        let mut page = Page::opened();
        page.network(Network::Says(status(500)));
        page.chooses(PaymentMethodName::Qr);
        page.time_passes(minutes(1));
        page.sees_failure(ErrorCode::Server);
        page.network(Network::Good);
        if again {
            page.hears(Event::RetryPressed);
            page.hears(Event::RetryPressed);
        } else {
            page.hears(Event::AnotherWayPressed);
            page.sees("Choosing");
            page.chooses(PaymentMethodName::Qr);
        }
        page.server_answers();
        page.sees_qr();
        assert_eq!(same_key(&page), again);
        assert_eq!(page.authorized().len(), 6);
    }
}

#[test]
fn retry_after_is_obeyed_whatever_the_payer_does() {
    for code in [429, 503, 409] {
        let mut page = authorizing(Network::Says(closed_for(code, Duration::from_secs(7))));
        page.server_answers();
        page.hears(Event::Shown);
        page.hears(Event::Online);
        page.hears(Event::RetryPressed);
        page.time_passes(seconds(6));
        assert_eq!(page.authorized().len(), 1);
        page.time_passes(seconds(3));
        page.sees_qr();
    }
}

#[test]
fn a_retry_after_beyond_patience_is_for_the_payer_to_wait_for() {
    for after in [Duration::from_secs(61), Duration::MAX] {
        let mut page = authorizing(Network::Says(closed_for(503, after)));
        page.server_answers();
        page.sees_failure(ErrorCode::Server);
        page.time_passes(minutes(5));
        assert_eq!(page.authorized().len(), 1);
        page.hears(Event::RetryPressed);
        page.server_answers();
        page.sees_qr();
        assert!(same_key(&page));
    }
    let mut page = authorizing(Network::Says(closed_for(503, Duration::ZERO)));
    page.time_passes(seconds(2));
    page.sees_qr();
}

#[test]
fn back_online_it_is_tried_at_once() {
    let mut page = Page::opened();
    page.network(Network::Says(Failure::Network));
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(8));
    page.network(Network::Good);
    page.hears(Event::Online);
    page.server_answers();
    page.sees_qr();
}

#[test]
fn an_order_that_is_paid_shows_what_paid_it() {
    let mut page = Page::opened();
    let clock = page.browser.server_clock();
    page.server.opens(PaymentMethodName::Installment, clock);
    page.payer_pays(0);
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(100);
    page.sees("Checking");
    assert!(page.results().is_empty(), "a refusal is no payment");
    page.server_answers();
    page.sees_end(Outcome::Paid);
    assert!(page.results()[0].resumed);
}

#[test]
fn an_order_paid_by_the_overdue_operation_does_not_offer_it_again() {
    let mut page = Page::showing_qr();
    page.time_passes(minutes(16) + seconds(3));
    page.sees("Overdue");
    page.payer_pays(0);
    page.network(Network::Good);
    page.hears(Event::RetryPressed);
    page.time_passes(100);
    page.sees("Checking");
    page.time_passes(seconds(2));
    page.sees_end(Outcome::Paid);
}

#[test]
fn the_element_says_once_that_it_is_ready() {
    let mut page = Page::opened();
    page.hears(Event::Started(Box::default()));
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(minutes(1));
    let ready = page
        .notices
        .iter()
        .filter(|notice| **notice == Notice::Ready);
    assert_eq!(ready.count(), 1);
}

#[test]
fn an_answer_that_never_comes_is_not_waited_for_for_ever() {
    let mut page = authorizing(Network::Good);
    // The browser loses the request without an error.
    page.browser.calls.clear();
    page.time_passes(seconds(34));
    page.sees("Authorizing");
    page.time_passes(seconds(4));
    page.sees_qr();
    assert!(same_key(&page));
}

#[test]
fn what_the_service_says_of_its_refusal_is_no_result() {
    let mut page = Page::opened();
    let Failure::Status {
        status,
        retry_after,
        ..
    } = status(422)
    else {
        return;
    };
    let problem = Some(Problem::Refused(Meta::accepted()));
    page.network(Network::Says(Failure::Status {
        status,
        retry_after,
        money: ProblemMoney::Unknown,
        problem,
    }));
    page.chooses(PaymentMethodName::Qr);
    page.server_answers();
    page.sees_failure(ErrorCode::Refused);
    assert!(page.flow.view().refusal.is_some());
    assert!(page.results().is_empty());
    page.network(Network::Good);
    page.hears(Event::RetryPressed);
    page.sees("Choosing");
    assert_eq!(page.flow.view().refusal, None);
}
