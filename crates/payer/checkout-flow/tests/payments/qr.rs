//! Paying by QR code.

use crate::support::page::{Page, minutes, seconds};
use checkout_flow::{ErrorCode, Notice, Screen, Settings};
use payment_model::{Outcome, PaymentMethodName, TransactionState};
use std::time::Duration;

#[test]
fn a_code_is_shown_scanned_and_paid() {
    let mut page = Page::opened();
    page.sees("Choosing");
    page.chooses(PaymentMethodName::Qr);
    page.sees("Authorizing");
    page.server_answers();
    page.sees_qr();
    assert_eq!(page.pending_told(), 1);
    let remaining = page.flow.remaining(page.browser.moment()).unwrap();
    let lifetime = Duration::from_secs(15 * 60);
    assert!((lifetime - Duration::from_secs(2)..=lifetime).contains(&remaining));

    page.time_passes(seconds(20));
    page.sees_qr();
    assert!(page.results().is_empty());
    page.payer_pays(0);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.outcomes(), [("1001", Outcome::Paid)]);
    let result = page.results()[0];
    assert!(!result.resumed && !result.paid_twice && result.superseded.is_empty());
    assert_eq!(result.previous, None);
    assert_eq!((page.pending_told(), page.authorized().len()), (1, 1));
}

#[test]
fn the_name_that_the_server_read_in_the_code_stays() {
    let mut page = Page::showing_qr();
    assert_eq!(page.flow.view().payee, None);
    for told in [Some("ROSA EIRL"), None] {
        page.server.charges[0].payee = told;
        page.time_passes(seconds(3));
        assert_eq!(page.flow.view().payee, Some("ROSA EIRL"));
    }
}

#[test]
fn a_result_is_told_once_and_then_the_server_is_left_alone() {
    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.time_passes(seconds(3));
    let asked = page.asked().len();
    page.time_passes(minutes(60));
    assert_eq!(page.asked().len(), asked);
    assert_eq!(page.outcomes(), [("1001", Outcome::Paid)]);
    assert_eq!(page.browser.storage, None);
}

#[test]
fn settling_is_no_news_and_reversing_corrects() {
    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.time_passes(seconds(3));
    page.server_says(0, TransactionState::Settled);
    page.time_passes(minutes(1));
    page.hears(checkout_flow::Event::Shown);
    page.server_answers();
    page.sees_end(Outcome::Paid);
    let Screen::Ended(end) = page.screen() else {
        panic!("ended");
    };
    assert_eq!(end.transaction.state, TransactionState::Settled);
    assert_eq!(page.results().len(), 1);

    page.server_says(0, TransactionState::Reversed);
    page.time_passes(minutes(1));
    page.hears(checkout_flow::Event::Shown);
    page.server_answers();
    page.sees_end(Outcome::Reversed);
    assert_eq!(
        page.outcomes(),
        [("1001", Outcome::Paid), ("1001", Outcome::Reversed)]
    );
    assert_eq!(page.results()[1].previous, Some(Outcome::Paid));
}

#[test]
fn cancelled_after_paid_is_reversed() {
    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.server_says(0, TransactionState::Cancelled);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Reversed);
}

#[test]
fn a_payment_that_is_in_force_again_is_shown_when_the_server_names_it() {
    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.server_says(0, TransactionState::Cancelled);
    page.server.tells_order = true;
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Reversed);
    page.charge(0).state = TransactionState::Authorized;
    page.hears(checkout_flow::Event::RetryPressed);
    page.chooses(PaymentMethodName::Qr);
    page.server_answers();
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.keys().len(), 2);
    assert_eq!(page.server.charges.len(), 1);
}

#[test]
fn declined_is_tried_again_the_same_way() {
    let mut page = Page::showing_qr();
    page.server_says(0, TransactionState::Declined);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Declined);
    page.hears(checkout_flow::Event::RetryPressed);
    page.sees("Authorizing");
    // A double tap must not start anything more.
    page.hears(checkout_flow::Event::RetryPressed);
    page.server_answers();
    page.sees_qr();
    assert_eq!(page.keys().len(), 2);
    assert_ne!(page.keys()[0], page.keys()[1]);

    page.payer_pays(1);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Paid);
    assert_eq!(
        page.outcomes(),
        [("1001", Outcome::Declined), ("1002", Outcome::Paid)]
    );
}

#[test]
fn a_double_tap_authorizes_once() {
    let mut page = Page::opened();
    page.chooses(PaymentMethodName::Qr);
    page.chooses(PaymentMethodName::Qr);
    page.chooses(PaymentMethodName::Installment);
    page.time_passes(seconds(5));
    assert_eq!(page.authorized().len(), 1);
    page.sees_qr();
}

#[test]
fn a_method_that_is_not_on_offer_is_not_authorized() {
    let mut page = Page::opened();
    page.chooses(PaymentMethodName::CashCode);
    page.time_passes(seconds(5));
    page.sees("Choosing");
    assert!(page.authorized().is_empty());
}

#[test]
fn the_page_hears_of_each_state_once() {
    let mut page = Page::showing_qr();
    page.time_passes(minutes(2));
    page.server_says(0, TransactionState::from("EN_CAMINO"));
    page.time_passes(seconds(30));
    let states = page.notices.iter().filter_map(|notice| match notice {
        Notice::Status(status) => Some(status.state.as_str()),
        _ => None,
    });
    assert_eq!(states.collect::<Vec<_>>(), ["PENDIENTE", "EN_CAMINO"]);
}

#[test]
fn a_code_that_is_no_picture_is_never_shown() {
    for hostile in [
        "",
        "data:image/svg+xml;base64,PHN2Zy8+",
        "https://evil.example/qr.png",
    ] {
        let mut page = Page::with(|page| {
            page.server.opens(PaymentMethodName::Qr, 0);
            let mut template = page.server.charges.remove(0);
            template.picture = hostile.to_owned();
            page.server.template = Some(template);
        });
        page.chooses(PaymentMethodName::Qr);
        page.server_answers();
        page.sees_failure(ErrorCode::QrImage);
        assert_eq!(page.errors(), ["qr-image"]);
        assert_eq!(page.pending_told(), 0);
        page.time_passes(seconds(30));
        assert_eq!(page.errors(), ["qr-image"], "told once");

        // Another try shows the code once the server has a sound one.
        page.hears(checkout_flow::Event::RetryPressed);
        page.sees("Checking");
        page.server_answers();
        page.sees_failure(ErrorCode::QrImage);
        page.charge(0).picture = crate::support::charge::PICTURES[1].to_owned();
        page.time_passes(seconds(5));
        page.sees_qr();
        assert_eq!(page.pending_told(), 1);
    }
}

#[test]
fn a_code_that_the_browser_cannot_decode_is_an_error_with_a_way_on() {
    let mut page = Page::showing_qr();
    page.hears(checkout_flow::Event::QrUndecodable);
    page.hears(checkout_flow::Event::QrUndecodable);
    page.sees_failure(ErrorCode::QrImage);
    page.time_passes(minutes(1));
    page.sees_failure(ErrorCode::QrImage);
    assert_eq!(page.errors(), ["qr-image"]);
    page.charge(0).picture = crate::support::charge::PICTURES[1].to_owned();
    page.time_passes(seconds(10));
    page.sees_qr();
    page.hears(checkout_flow::Event::QrUndecodable);
    page.payer_pays(0);
    page.time_passes(seconds(10));
    page.sees_end(Outcome::Paid);
}

#[test]
fn another_amount_or_currency_than_the_page_says_blocks() {
    for (amount, currency, shown) in [
        ("387000", "604", true),
        ("0387000", "pen", true),
        ("1", "604", false),
        ("387000", "840", false),
        ("3870.00", "604", false),
    ] {
        let mut page = Page::with(|page| {
            page.settings.price = Some(checkout_flow::Money {
                amount: payment_model::Amount::new(amount),
                currency: payment_model::Currency::new(currency),
            });
            page.flow = checkout_flow::Flow::new(page.settings.clone());
        });
        let sees = |page: &Page| {
            if shown {
                page.sees_qr();
            } else {
                page.sees_failure(ErrorCode::AmountMismatch);
            }
        };
        page.chooses(PaymentMethodName::Qr);
        page.server_answers();
        sees(&page);
        page.hears(checkout_flow::Event::RetryPressed);
        page.time_passes(seconds(5));
        sees(&page);
        assert_eq!(page.pending_told(), usize::from(shown));
        page.leaves_for_another_way();
        page.time_passes(seconds(5));
        page.sees("Choosing");
    }
}

#[test]
fn an_authorization_of_another_amount_is_not_mended_by_the_status() {
    let mut page = Page::with(|page| {
        page.settings.price = Some(checkout_flow::Money {
            amount: payment_model::Amount::new("387000"),
            currency: payment_model::Currency::new("604"),
        });
        page.flow = checkout_flow::Flow::new(page.settings.clone());
        page.server.authorizes = Some(payment_model::Amount::new("100"));
    });
    page.chooses(PaymentMethodName::Qr);
    page.server_answers();
    page.sees_failure(ErrorCode::AmountMismatch);
    page.time_passes(seconds(30));
    page.sees_failure(ErrorCode::AmountMismatch);
    page.hears(checkout_flow::Event::RetryPressed);
    page.time_passes(seconds(5));
    page.sees_failure(ErrorCode::AmountMismatch);
    assert_eq!(page.pending_told(), 0);
    // A page that begins anew has not heard the amount, and does not show that code either.
    page.reloads();
    page.time_passes(seconds(5));
    page.sees("Choosing");
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);
}

#[test]
fn what_the_page_decides_anew_disturbs_no_payment() {
    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Paid);
    let (told, price) = (page.results().len(), page.flow.view().money);
    page.flow.set_settings(Settings::default());
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Paid);
    assert_eq!(
        (page.results().len(), page.flow.view().money),
        (told, price)
    );
}
