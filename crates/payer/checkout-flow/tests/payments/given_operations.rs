//! Operations that the server gives to an attempt again, instead of new ones.

use crate::support::page::{Page, seconds};
use crate::support::server::EPOCH;
use checkout_flow::{Event, Intent};
use payment_model::PaymentMethodName;

#[test]
fn one_whose_grace_is_over_is_asked_about_at_once() {
    for (over, at_once) in [(59, false), (60, true)] {
        let mut page = Page::unopened();
        page.server.lenient = true;
        page.server.opens(PaymentMethodName::Qr, EPOCH);
        page.charge(0).deadline = Some(EPOCH - seconds(over));
        page.opens(None, None);
        page.chooses(PaymentMethodName::Qr);
        page.time_passes(seconds(1));
        assert_eq!(page.asked().len(), usize::from(at_once), "{over}");
    }
}

#[test]
fn whoever_may_authorize_may_cancel_what_only_a_token_led_to_before() {
    let mut page = Page::unopened();
    page.server.opens(PaymentMethodName::Qr, EPOCH);
    let operation = page.server.charges[0].reference();
    page.opens(None, Some(operation));
    page.server_answers();
    page.sees_qr();
    assert!(page.flow.view().read_only);
    page.charge(0).lost = true;
    page.reloads();
    page.time_passes(seconds(30));
    page.sees("Choosing");
    page.charge(0).lost = false;
    page.chooses(PaymentMethodName::Qr);
    page.server_answers();
    page.sees_qr();
    assert!(!page.flow.view().read_only);
    page.hears(Event::CancelPressed);
    assert_eq!(page.flow.view().asks_to_cancel, Some(Intent::Stop));
}
