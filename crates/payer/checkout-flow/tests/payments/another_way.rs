//! The payer wants another method.

use crate::support::page::{Page, minutes, seconds};
use checkout_flow::{ErrorCode, Event, Intent, OperationRef, Settings};
use payment_model::{
    MerchantCode, MerchantOperationNumber, Outcome, PaymentMethodName, TransactionState,
};

#[test]
fn another_way_cancels_first_and_is_no_result() {
    let mut page = Page::showing_qr();
    page.hears(Event::AnotherWayPressed);
    page.hears(Event::AnotherWayPressed);
    assert_eq!(page.flow.view().asks_to_cancel, Some(Intent::AnotherWay));
    page.time_passes(seconds(10));
    page.sees_qr();
    assert!(page.cancelled("1001").is_empty());
    page.hears(Event::CancelConfirmed);
    page.sees("Cancelling");
    page.time_passes(seconds(4));
    page.sees("Choosing");
    assert!(page.results().is_empty());
    assert_eq!(page.server.charges[0].state, TransactionState::Cancelled);
    page.chooses(PaymentMethodName::Installment);
    page.server_answers();
    page.sees("Continue");
    page.payer_pays(1);
    page.time_passes(seconds(5));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.outcomes(), [("1002", Outcome::Paid)]);
}

#[test]
fn another_way_is_asked_about_only_while_the_payer_could_still_pay() {
    let mut page = Page::showing_qr();
    page.hears(Event::AnotherWayPressed);
    page.hears(Event::CancelDismissed);
    assert_eq!(page.flow.view().asks_to_cancel, None);
    page.time_passes(minutes(1));
    page.sees_qr();
    assert!(page.cancelled("1001").is_empty());

    page.time_passes(minutes(20));
    page.sees("Overdue");
    page.hears(Event::AnotherWayPressed);
    page.time_passes(seconds(5));
    page.sees("Choosing");
}

#[test]
fn another_way_is_there_when_the_page_offers_another_method() {
    for (methods, offered) in [
        (vec![PaymentMethodName::Qr], false),
        (vec![PaymentMethodName::CashCode], true),
        (
            vec![PaymentMethodName::Qr, PaymentMethodName::CashCode],
            true,
        ),
        (vec![], false),
    ] {
        let mut page = Page::showing_qr();
        page.flow.set_settings(Settings {
            methods,
            ..Settings::default()
        });
        assert_eq!(page.flow.view().has_another_way, offered);
    }
}

#[test]
fn while_the_method_is_unknown_one_on_offer_is_most_likely_the_same() {
    let (qr, cash) = (PaymentMethodName::Qr, PaymentMethodName::CashCode);
    for (methods, while_asking, when_lost) in [
        (vec![], false, false),
        (vec![qr.clone()], false, true),
        (vec![qr, cash], true, true),
    ] {
        let mut page = Page::unopened();
        page.settings.methods = methods.clone();
        let unknown = OperationRef {
            merchant_code: MerchantCode::new("1234567890"),
            merchant_operation_number: MerchantOperationNumber::new("9999"),
            transaction_id: None,
        };
        page.opens(Some(unknown), None);
        page.sees("Checking");
        let offers = |page: &Page| page.flow.view().has_another_way;
        assert_eq!(offers(&page), while_asking, "{methods:?}");
        page.time_passes(minutes(1));
        page.sees_failure(ErrorCode::NotFound);
        assert_eq!(offers(&page), when_lost, "{methods:?}");
    }
}

#[test]
fn what_was_left_for_another_way_and_is_paid_late_takes_the_front() {
    // While the payer still chooses.
    let mut page = Page::showing_qr();
    page.leaves_for_another_way();
    page.time_passes(seconds(4));
    page.sees("Choosing");
    page.payer_pays(0);
    page.time_passes(seconds(20));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.results()[0].previous, None, "nothing was told before");

    // While the other way waits.
    let mut page = Page::showing_qr();
    page.leaves_for_another_way();
    page.time_passes(seconds(4));
    page.chooses(PaymentMethodName::Installment);
    page.server_answers();
    page.payer_pays(0);
    page.time_passes(seconds(30));
    page.sees_end(Outcome::Paid);
    assert_eq!(page.server.charges[1].state, TransactionState::Cancelled);
}
