//! The page shows a choice of methods of its own in place of the flow's.

use crate::support::page::{Page, seconds};
use checkout_flow::{Action, ErrorCode, Event, Notice};
use payment_model::{Outcome, PaymentMethodName, TransactionState};

fn hiding() -> Page {
    Page::with(|page| page.settings.hides_choice = true)
}

/// The methods of the choices that were reported to the page.
fn choices(page: &Page) -> Vec<Option<PaymentMethodName>> {
    let choices = page.notices.iter().filter_map(|notice| match notice {
        Notice::Choose { method } => Some(method.clone()),
        _ => None,
    });
    choices.collect()
}

#[test]
fn the_page_starts_by_a_method() {
    let mut page = hiding();
    page.sees("ChoosingOnPage");
    assert_eq!(page.choices(), []);
    assert_eq!(choices(&page), []);
    page.hears(Event::StartRequested(PaymentMethodName::Card));
    page.sees("ChoosingOnPage");
    page.hears(Event::StartRequested(PaymentMethodName::Qr));
    page.server_answers();
    page.sees_qr();
    assert_eq!(choices(&page), []);
}

#[test]
fn after_an_end_the_same_method_is_offered_and_the_page_is_told() {
    let mut page = hiding();
    page.hears(Event::StartRequested(PaymentMethodName::Qr));
    page.server_answers();
    page.server_says(0, TransactionState::Declined);
    page.time_passes(seconds(5));
    page.sees_end(Outcome::Declined);
    page.hears(Event::AnotherWayPressed);
    let qr = PaymentMethodName::Qr;
    page.sees("ChoosingOnPage");
    assert_eq!(page.choices(), [("QR", "")]);
    assert_eq!(
        page.flow.view().last.map(|(_, outcome)| outcome),
        Some(Outcome::Declined)
    );
    assert_eq!(choices(&page), [Some(qr.clone())]);
    page.chooses(qr);
    page.server_answers();
    page.sees_qr();
}

#[test]
fn a_waiting_code_is_not_left_unasked() {
    let mut page = hiding();
    page.hears(Event::StartRequested(PaymentMethodName::Qr));
    page.server_answers();
    page.hears(Event::StartRequested(PaymentMethodName::Installment));
    page.sees_qr();
    assert!(page.flow.view().asks_to_cancel.is_some());
    page.hears(Event::CancelConfirmed);
    page.time_passes(seconds(5));
    page.sees("ChoosingOnPage");
    let last = |page: &Page| page.flow.view().last.map(|(_, outcome)| outcome);
    assert_eq!(last(&page), Some(Outcome::Cancelled));
    assert_eq!(choices(&page), [Some(PaymentMethodName::Qr)]);
    page.hears(Event::StartRequested(PaymentMethodName::Installment));
    page.server_answers();
    page.sees("Continue");
}

#[test]
fn a_waiting_code_stays_where_the_page_starts_by_its_method_or_by_one_that_is_not_offered() {
    let mut page = hiding();
    page.hears(Event::StartRequested(PaymentMethodName::Qr));
    page.server_answers();
    for method in [PaymentMethodName::Qr, PaymentMethodName::Card] {
        page.hears(Event::StartRequested(method));
        page.sees_qr();
        assert!(page.flow.view().asks_to_cancel.is_none());
    }
    page.hears(Event::StartRequested(PaymentMethodName::Installment));
    assert!(page.flow.view().asks_to_cancel.is_some());
    page.hears(Event::StartRequested(PaymentMethodName::Qr));
    assert!(page.flow.view().asks_to_cancel.is_none());
    page.sees_qr();
    let kept = Notice::Action {
        action: Action::Kept,
        method: Some(PaymentMethodName::Qr),
    };
    assert!(page.notices.contains(&kept));
}

#[test]
fn a_start_goes_on_from_an_end_and_from_an_error() {
    let mut page = hiding();
    page.hears(Event::StartRequested(PaymentMethodName::Qr));
    page.server_answers();
    page.server_says(0, TransactionState::Declined);
    page.time_passes(seconds(5));
    page.hears(Event::StartRequested(PaymentMethodName::Installment));
    page.server_answers();
    page.sees("Continue");

    let mut page = hiding();
    page.settings.asks_page = true;
    page.flow.set_settings(page.settings.clone());
    page.invariants.asks_page = true;
    page.browser.page_answer = checkout_flow::PageAnswer::Failed;
    page.hears(Event::StartRequested(PaymentMethodName::Qr));
    page.server_answers();
    page.sees_failure(ErrorCode::Page);
    page.browser.page_answer = checkout_flow::PageAnswer::Begin;
    page.hears(Event::StartRequested(PaymentMethodName::Qr));
    page.time_passes(seconds(1));
    page.sees_qr();
}
