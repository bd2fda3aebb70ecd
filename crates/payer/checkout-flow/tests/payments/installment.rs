//! Paying by installments at a lender's site.

use crate::support::page::{Page, minutes, seconds};
use checkout_flow::{ErrorCode, Event, OperationRef, Screen};
use payment_model::{Outcome, PaymentMethodName, TransactionState};

fn leaving() -> Page {
    let mut page = Page::opened();
    page.chooses(PaymentMethodName::Installment);
    page.server_answers();
    page
}

fn token_of(page: &Page) -> OperationRef {
    OperationRef {
        transaction_id: None,
        ..page.server.charges[0].reference()
    }
}

#[test]
fn the_payer_leaves_once_comes_back_and_has_paid() {
    let mut page = leaving();
    page.sees("Continue");
    assert!(matches!(
        page.screen(),
        Screen::Continue { leaving: true, .. }
    ));
    assert_eq!(page.browser.left.len(), 1);
    assert_eq!(
        page.browser.left[0].as_str(),
        "https://lender.example/continue"
    );
    page.time_passes(seconds(10));
    assert_eq!(page.browser.left.len(), 1);

    let token = token_of(&page);
    page.payer_pays(0);
    page.browser.reload();
    page.opens(None, Some(token));
    page.sees("Checking");
    page.server_answers();
    page.sees_end(Outcome::Paid);
    assert!(page.results()[0].resumed);
    assert_eq!((page.browser.left.len(), page.authorized().len()), (1, 1));
}

#[test]
fn back_without_having_paid_waits_and_is_not_sent_away_again() {
    let mut page = leaving();
    let token = token_of(&page);
    page.browser.reload();
    page.opens(None, Some(token));
    page.sees("Checking");
    page.server_answers();
    assert!(matches!(
        page.screen(),
        Screen::Continue { leaving: false, .. }
    ));
    page.time_passes(minutes(1));
    assert_eq!(page.browser.left.len(), 1);
    page.server_says(0, TransactionState::Declined);
    page.time_passes(seconds(10));
    page.sees_end(Outcome::Declined);
}

#[test]
fn back_from_the_back_forward_cache_is_not_leaving_any_more() {
    let mut page = leaving();
    page.hears(Event::Hidden);
    page.time_passes(minutes(5));
    page.hears(Event::Shown);
    assert!(matches!(
        page.screen(),
        Screen::Continue { leaving: false, .. }
    ));
    page.payer_pays(0);
    page.server_answers();
    page.sees_end(Outcome::Paid);
}

#[test]
fn back_in_another_browser_the_token_alone_leads_to_the_result() {
    let mut page = leaving();
    let token = token_of(&page);
    page.payer_pays(0);
    page.browser.storage = None;
    page.browser.reload();
    page.opens(None, Some(token));
    page.server_answers();
    page.sees_end(Outcome::Paid);
    assert_eq!(page.outcomes(), [("1001", Outcome::Paid)]);
    assert!(page.results()[0].status.operation.transaction_id.is_some());
}

#[test]
fn a_forged_return_ends_where_the_payer_was() {
    let forged = OperationRef {
        merchant_code: "M1".into(),
        merchant_operation_number: "9999".into(),
        transaction_id: None,
    };
    let mut stranger = Page::unopened();
    stranger.opens(None, Some(forged.clone()));
    stranger.sees("Checking");
    stranger.server_answers();
    stranger.sees("Choosing");
    assert_eq!(stranger.browser.storage, None);

    let mut page = Page::showing_qr();
    page.browser.reload();
    page.opens(None, Some(forged));
    page.sees("Checking");
    page.time_passes(seconds(2));
    page.sees_qr();
    assert!(page.results().is_empty());
    page.payer_pays(0);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Paid);
    assert!(page.results()[0].superseded.is_empty());
}

#[test]
fn an_unsafe_continue_url_leads_nowhere() {
    for hostile in [
        "javascript:alert(1)",
        "data:text/html,x",
        "http://lender.example/",
        "https://evil.example/",
    ] {
        let mut page = Page::with(|page| {
            page.settings.hosts = vec!["lender.example".to_owned()];
            page.flow = checkout_flow::Flow::new(page.settings.clone());
            page.server.opens(PaymentMethodName::Qr, 0);
            let mut template = page.server.charges.remove(0);
            template.continue_url = hostile.to_owned();
            page.server.template = Some(template);
        });
        page.chooses(PaymentMethodName::Installment);
        page.server_answers();
        page.sees_failure(ErrorCode::ContinueUrl);
        page.time_passes(minutes(1));
        assert!(page.browser.left.is_empty());
        assert_eq!(page.errors(), ["continue-url"]);
    }
}

#[test]
fn an_overdue_credit_leads_nowhere_and_a_new_one_takes_its_place() {
    let mut page = Page::with(|page| page.server.lifetime = Some(-minutes(60)));
    page.chooses(PaymentMethodName::Installment);
    page.time_passes(seconds(5));
    page.sees("Overdue");
    assert!(page.browser.left.is_empty());
    page.server.lifetime = Some(minutes(15));
    page.hears(Event::RetryPressed);
    page.server_answers();
    page.sees("Continue");
    assert_eq!(page.browser.left.len(), 1);
    page.payer_pays(1);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.results()[0].superseded, ["1001".into()]);
}

#[test]
fn a_page_that_keeps_the_payer_here_shows_the_link() {
    let mut page = leaving();
    page.hears(Event::KeptHere);
    assert!(matches!(
        page.screen(),
        Screen::Continue { leaving: false, .. }
    ));
}

#[test]
fn back_in_another_browser_nothing_can_be_cancelled() {
    let mut page = leaving();
    let token = token_of(&page);
    page.browser.storage = None;
    page.browser.reload();
    page.opens(None, Some(token));
    page.server_answers();
    page.time_passes(seconds(1));
    assert!(page.flow.view().read_only);
    // The stored snapshot does not turn this tab into the one that began the payment.
    page.reloads();
    page.time_passes(seconds(1));
    assert!(page.flow.view().read_only);
    page.hears(Event::CancelPressed);
    assert_eq!(page.flow.view().asks_to_cancel, None);
    for event in [Event::CancelConfirmed, Event::AnotherWayPressed] {
        page.hears(event);
        page.time_passes(minutes(1));
        assert_eq!(page.charge(0).state, TransactionState::Pending);
    }
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);

    let mut own = leaving();
    let token = token_of(&own);
    own.browser.reload();
    own.opens(None, Some(token));
    own.server_answers();
    assert!(!own.flow.view().read_only);
}

#[test]
fn who_chooses_anew_on_that_device_has_all_rights_again() {
    let mut page = leaving();
    let token = token_of(&page);
    page.browser.storage = None;
    page.browser.reload();
    page.opens(None, Some(token));
    page.server_answers();
    page.time_passes(seconds(1));
    assert!(page.flow.view().read_only);
    page.server_says(0, TransactionState::Declined);
    page.time_passes(seconds(20));
    page.hears(Event::AnotherWayPressed);
    page.sees("Choosing");
    assert!(!page.flow.view().read_only);
}
