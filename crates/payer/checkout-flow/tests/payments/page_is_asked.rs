//! The page is asked before each new attempt.

use crate::support::browser::Request;
use crate::support::page::{Page, seconds};
use crate::support::server::Network;
use checkout_flow::{ErrorCode, Event, Money, PageAnswer, Settings};
use payment_model::{Amount, Currency, Outcome, PaymentMethodName, TransactionState};

fn asking() -> Page {
    Page::with(|page| page.settings.asks_page = true)
}

fn authorizations(page: &Page) -> usize {
    let sent = page.browser.journal.iter();
    sent.filter(|sent| matches!(sent.what, Request::Authorize(..)))
        .count()
}

#[test]
fn an_attempt_begins_when_the_page_agrees() {
    let mut page = asking();
    page.browser.page_takes = seconds(4);
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(3));
    page.sees("Preparing");
    assert_eq!(page.flow.view().method, Some(&PaymentMethodName::Qr));
    assert_eq!(authorizations(&page), 0);
    page.time_passes(seconds(2));
    page.sees_qr();
}

#[test]
fn a_repetition_of_a_request_is_no_new_attempt() {
    let mut page = asking();
    page.server.next = vec![Network::LosesAnswers];
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(50);
    page.sees("Preparing");
    page.time_passes(200);
    // From now on the page would prevent any attempt.
    page.browser.page_answer = PageAnswer::Stay;
    page.time_passes(seconds(5));
    page.sees_qr();
    assert_eq!(authorizations(&page), 2);
}

#[test]
fn a_new_code_is_a_new_attempt() {
    let mut page = asking();
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(1));
    page.sees_qr();
    page.server_says(0, TransactionState::Expired);
    page.time_passes(seconds(5));
    page.sees_end(Outcome::Expired);
    page.browser.page_answer = PageAnswer::Refused("sold out".to_owned());
    page.hears(Event::RetryPressed);
    page.time_passes(seconds(1));
    page.sees_failure(ErrorCode::Page);
    assert_eq!(page.flow.view().page_refusal, Some("sold out"));
    assert_eq!(authorizations(&page), 1);
    // Trying again asks again, for the same method.
    page.browser.page_answer = PageAnswer::Begin;
    page.hears(Event::RetryPressed);
    page.time_passes(seconds(1));
    page.sees_qr();
    assert_eq!(page.flow.view().page_refusal, None);
}

#[test]
fn a_page_that_prevents_an_attempt_shows_no_error() {
    let mut page = asking();
    page.browser.page_answer = PageAnswer::Stay;
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(1));
    page.sees("Choosing");
    assert_eq!(authorizations(&page), 0);
}

#[test]
fn a_page_that_takes_too_long_is_given_up() {
    let mut page = asking();
    page.browser.page_takes = seconds(60);
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(14));
    page.sees("Preparing");
    page.time_passes(seconds(2));
    page.sees_failure(ErrorCode::Page);
    assert_eq!(page.flow.page_answer(), None);
    // The order that it makes too late is for the next attempt.
    assert!(page.flow.takes_order_of_page());
    // Its late answer begins nothing.
    page.time_passes(seconds(60));
    page.sees_failure(ErrorCode::Page);
    assert_eq!(authorizations(&page), 0);
}

#[test]
fn the_payer_may_leave_while_the_page_prepares() {
    let mut page = asking();
    page.browser.page_takes = seconds(5);
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(1));
    page.hears(Event::AnotherWayPressed);
    page.sees("Choosing");
    page.time_passes(seconds(10));
    page.sees("Choosing");
    assert_eq!(authorizations(&page), 0);
}

#[test]
fn the_second_click_of_a_double_click_leaves_nothing() {
    let mut page = asking();
    page.browser.page_takes = seconds(2);
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(300);
    // The button that cancels is where the one that began the attempt was.
    page.hears(Event::AnotherWayPressed);
    page.sees("Preparing");
    page.time_passes(seconds(3));
    page.sees_qr();
    assert_eq!(authorizations(&page), 1);
}

#[test]
fn a_late_payment_replaces_the_question() {
    let mut page = asking();
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(1));
    page.server_says(0, TransactionState::Expired);
    page.time_passes(seconds(5));
    page.browser.page_takes = seconds(14);
    page.hears(Event::RetryPressed);
    page.sees("Preparing");
    page.payer_pays(0);
    page.time_passes(seconds(13));
    page.sees_end(Outcome::Paid);
    page.time_passes(seconds(30));
    page.sees_end(Outcome::Paid);
    assert_eq!(authorizations(&page), 1);
}

#[test]
fn a_price_that_is_set_meanwhile_belongs_to_the_attempt() {
    let mut page = asking();
    page.chooses(PaymentMethodName::Qr);
    assert!(page.flow.takes_order_of_page());
    page.flow.set_settings(Settings {
        price: Some(Money {
            amount: Amount::new("1"),
            currency: Currency::new("PEN"),
        }),
        ..page.settings.clone()
    });
    page.time_passes(seconds(1));
    page.sees_failure(ErrorCode::AmountMismatch);
}
