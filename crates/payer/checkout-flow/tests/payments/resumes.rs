//! Tests a reload, a return to the page, and all kinds of data in the tab's storage.

use crate::support::page::{Page, minutes, seconds};
use crate::support::server::{Network, status};
use checkout_flow::{ClockOffset, ErrorCode, Event, OperationRef, Snapshot};
use payment_model::{Outcome, PaymentMethodName};
use std::time::Duration;

#[test]
fn before_the_answer_the_same_key_is_sent_again() {
    let mut page = Page::opened();
    page.chooses(PaymentMethodName::Qr);
    page.reloads();
    page.sees("Authorizing");
    page.server_answers();
    page.sees_qr();
    assert_eq!(page.keys().len(), 2);
    assert_eq!(page.keys()[0], page.keys()[1]);
    assert_eq!(page.server.charges.len(), 1);
}

#[test]
fn with_the_code_on_the_screen_it_comes_back_with_its_countdown() {
    let mut page = Page::showing_qr();
    page.time_passes(minutes(5));
    page.reloads();
    page.sees("Checking");
    let remaining = page.flow.remaining(page.browser.moment()).unwrap();
    let wrong = remaining.abs_diff(Duration::from_secs(10 * 60));
    assert!(wrong <= Duration::from_secs(2), "{remaining:?}");
    page.server_answers();
    page.sees_qr();
    assert_eq!((page.authorized().len(), page.pending_told()), (1, 1));
    page.payer_pays(0);
    page.time_passes(seconds(3));
    assert!(!page.results()[0].resumed, "this page saw it wait");
}

#[test]
fn paid_before_the_reload_was_polled_is_paid_after_it() {
    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.reloads();
    page.server_answers();
    page.sees_end(Outcome::Paid);
    assert!(page.results()[0].resumed);
    assert_eq!(page.browser.storage, None);
}

#[test]
fn after_the_end_nothing_is_kept_and_a_paid_order_is_not_paid_again() {
    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.time_passes(seconds(3));
    page.reloads();
    page.sees("Choosing");
    page.chooses(PaymentMethodName::Installment);
    page.server_answers();
    page.sees("Checking");
    page.server_answers();
    page.sees_end(Outcome::Paid);
    assert_eq!(page.server.charges.len(), 1);
    assert!(page.results()[0].resumed);
}

#[test]
fn attributes_resume_an_operation_that_another_made() {
    let mut page = Page::unopened();
    page.server
        .opens(PaymentMethodName::CashCode, crate::support::server::EPOCH);
    let operation = page.server.charges[0].reference();
    page.opens(Some(operation), None);
    page.sees("Checking");
    page.server_answers();
    page.sees("Waiting");
    page.payer_pays(0);
    page.time_passes(minutes(1));
    page.sees_end(Outcome::Paid);
}

#[test]
fn attributes_that_name_nothing_are_an_error_with_a_retry() {
    let mut page = Page::unopened();
    page.server
        .opens(PaymentMethodName::Qr, crate::support::server::EPOCH);
    let operation = page.server.charges[0].reference();
    page.charge(0).lost = true;
    page.opens(Some(operation), None);
    page.server_answers();
    page.sees_failure(ErrorCode::NotFound);
    assert_eq!(page.errors(), ["not-found"]);
    let asked = page.asked().len();
    page.time_passes(minutes(5));
    assert_eq!(page.asked().len(), asked, "nobody asks again but the payer");
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees_failure(ErrorCode::NotFound);
    page.charge(0).lost = false;
    page.hears(Event::RetryPressed);
    page.time_passes(seconds(2));
    page.sees_qr();
}

#[test]
fn attributes_and_a_remembered_operation_are_both_watched() {
    let mut page = Page::showing_qr();
    let clock = page.browser.server_clock();
    page.server.opens(PaymentMethodName::Installment, clock);
    let named = page.server.charges[1].reference();
    page.browser.reload();
    page.opens(Some(named), None);
    page.time_passes(seconds(2));
    page.sees("Continue");
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.outcomes(), [("1001", Outcome::Paid)]);
}

#[test]
fn a_remembered_operation_that_is_gone_leads_to_the_choice() {
    for status_code in [401, 403, 404, 410] {
        let mut page = Page::showing_qr();
        page.network(Network::Says(status(status_code)));
        page.reloads();
        page.server_answers();
        page.sees("Choosing");
        assert!(page.errors().is_empty());
        assert_eq!(page.browser.storage, None);
    }
}

#[test]
fn an_authorized_operation_that_is_not_found_keeps_its_code() {
    let mut page = Page::showing_qr();
    page.charge(0).lost = true;
    page.time_passes(minutes(2));
    page.sees_qr();
    page.charge(0).lost = false;
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);
}

#[test]
fn nor_is_one_given_up_whose_code_is_tried_again() {
    let mut page = Page::showing_qr();
    page.charge(0).lost = true;
    page.hears(Event::QrUndecodable);
    page.hears(Event::RetryPressed);
    page.time_passes(minutes(2));
    page.sees("Checking");
    page.charge(0).lost = false;
    page.time_passes(seconds(20));
    page.sees_qr();
}

#[test]
fn a_paid_operation_that_the_server_names_but_does_not_find_is_an_error() {
    let mut page = Page::showing_qr();
    page.payer_pays(0);
    page.browser.storage = None;
    page.reloads();
    page.charge(0).lost = true;
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(minutes(1));
    page.sees_failure(ErrorCode::NotFound);
    page.charge(0).lost = false;
    page.hears(Event::RetryPressed);
    page.time_passes(seconds(2));
    page.sees_end(Outcome::Paid);
}

#[test]
fn a_snapshot_that_is_not_ours_is_forgotten() {
    let kept = Page::showing_qr().browser.storage.unwrap();
    let json = serde_json::to_value(&kept).unwrap();
    let tampered = |path: &str, value: serde_json::Value| {
        let mut json = json.clone();
        json[path] = value;
        serde_json::from_value::<Snapshot>(json).unwrap()
    };
    let many = vec![json["operation"].clone(); 1_000];
    let attempt = |key: &str| serde_json::json!({"key": key, "method": "QR"});
    for snapshot in [
        tampered("version", 0.into()),
        tampered("version", 2.into()),
        tampered("superseded", many.into()),
        tampered("attempt", attempt("1")),
        tampered("attempt", attempt(&"x".repeat(32))),
        tampered("attempt", attempt(&"a".repeat(100_000))),
    ] {
        let page = Page::with(|page| page.browser.storage = Some(snapshot));
        page.sees("Choosing");
        assert_eq!(page.browser.storage, None);
    }
    // The flow resumes a snapshot in its own form with any numbers. The server decides.
    let mut page = Page::with(|page| {
        page.browser.storage = Some(tampered("deadline", i64::MIN.into()));
        page.browser.storage.as_mut().unwrap().server_offset =
            Some(ClockOffset::from_millis(i64::MAX));
    });
    page.sees("Checking");
    page.server_answers();
    page.sees("Choosing");
}

#[test]
fn an_attempt_by_a_method_that_is_not_on_offer_is_not_sent() {
    let mut page = Page::opened();
    page.chooses(PaymentMethodName::Qr);
    page.browser.reload();
    page.settings.methods = vec![PaymentMethodName::Installment];
    page.opens(None, None);
    page.sees("Choosing");
    assert_eq!(page.authorized().len(), 1);
}

#[test]
fn a_payer_with_very_many_codes_is_still_remembered() {
    let mut page = Page::showing_qr();
    for index in 0..20 {
        page.server_says(index, payment_model::TransactionState::Expired);
        page.time_passes(seconds(30));
        page.hears(Event::RetryPressed);
        page.time_passes(seconds(30));
        page.sees_qr();
    }
    assert_eq!(page.browser.storage.as_ref().unwrap().superseded.len(), 16);
    page.reloads();
    page.server_answers();
    page.sees_qr();
    assert_eq!(
        page.asked().last(),
        page.asked_about("1021").last(),
        "the one in front first"
    );
}

#[test]
fn what_is_kept_holds_no_money_and_no_person() {
    let page = Page::showing_qr();
    let text = serde_json::to_string(&page.browser.storage).unwrap();
    for secret in ["387000", "604", "data:image", "lender"] {
        assert!(!text.contains(secret), "{text}");
    }
    let OperationRef { transaction_id, .. } = page.browser.storage.unwrap().operation.unwrap();
    assert!(transaction_id.is_some());
}

#[test]
fn the_clocks_of_a_snapshot_are_stored_as_numbers() {
    let page = Page::showing_qr();
    let mut kept = page.browser.storage.unwrap();
    kept.server_offset = Some(ClockOffset::from_millis(-86_400_000));
    let json = serde_json::to_value(&kept).unwrap();
    let deadline = page.server.charges[0].deadline.unwrap();
    assert_eq!(json["deadline"], deadline / 1_000 * 1_000);
    assert_eq!(json["server_offset"], -86_400_000);
    assert_eq!(serde_json::from_value::<Snapshot>(json).unwrap(), kept);
}
