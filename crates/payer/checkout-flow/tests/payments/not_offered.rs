//! The merchant's server takes an order only by some of the page's methods.

use crate::support::page::{Page, seconds};
use crate::support::server::{EPOCH, above_most};
use checkout_flow::{ErrorCode, Event, Notice};
use payment_model::{
    Currency, NotOffered, NotOfferedReason, Offer, PaymentMethodName, TransactionState,
};

const QR: PaymentMethodName = PaymentMethodName::Qr;
const LENDER: PaymentMethodName = PaymentMethodName::Installment;

/// The choice without the QR code, and why.
const WITHOUT_QR: [(&str, &str); 2] = [("QR", "above-most"), ("INSTALLMENT", "")];

/// A page of an order that is too large for a QR code.
fn too_large(prepare: impl FnOnce(&mut Page)) -> Page {
    Page::with(|page| {
        page.server.offer = Some(above_most(&[LENDER]));
        prepare(page);
    })
}

/// The same, of a server that can be asked before a press.
fn asking(prepare: impl FnOnce(&mut Page)) -> Page {
    let mut page = too_large(|page| {
        page.asks_live = true;
        prepare(page);
    });
    page.server_answers();
    page
}

fn offer_of(methods: &[PaymentMethodName], not_offered: &[(PaymentMethodName, &str)]) -> Offer {
    let refused = not_offered.iter().map(|(method, reason)| NotOffered {
        method: method.clone(),
        reason: NotOfferedReason::from(*reason),
        least: None,
        most: None,
    });
    Offer {
        currency: Currency::default(),
        methods: methods.to_vec(),
        not_offered: refused.collect(),
    }
}

/// The methods of the choices that were reported to the page.
fn reported(page: &Page) -> Vec<PaymentMethodName> {
    let notices = page.notices.iter().filter_map(|notice| match notice {
        Notice::Choose { method } => method.clone(),
        _ => None,
    });
    notices.collect()
}

#[test]
fn a_refused_method_leads_back_to_the_choice_and_its_attempt_is_over() {
    let mut page = too_large(|_| {});
    assert_eq!(page.choices(), [("QR", ""), ("INSTALLMENT", "")]);
    page.chooses(QR);
    page.server_answers();
    page.sees("Choosing");
    assert_eq!(page.choices(), WITHOUT_QR);
    assert!(page.errors().is_empty(), "{:?}", page.errors());
    assert_eq!(page.browser.storage, None, "the attempt is kept");
    page.chooses(LENDER);
    page.server_answers();
    page.sees("Continue");
    let keys = page.keys();
    assert!(keys.len() == 2 && keys[0] != keys[1], "{keys:?}");
}

#[test]
fn an_offer_before_a_press_corrects_the_choice_and_tells_the_page_nothing() {
    let page = asking(|_| {});
    page.sees("Choosing");
    assert_eq!(page.choices(), WITHOUT_QR);
    assert_eq!(page.notices, [Notice::Ready]);
    assert!(page.authorized().is_empty());
}

#[test]
fn an_offer_after_a_press_changes_nothing() {
    let mut page = too_large(|page| page.asks_live = true);
    page.chooses(LENDER);
    page.time_passes(seconds(3));
    page.sees("Continue");
}

#[test]
fn a_live_code_of_a_method_that_is_not_offered_stays() {
    let mut page = asking(|page| {
        page.server.opens(QR, EPOCH);
    });
    page.sees_qr();
    page.server_says(0, TransactionState::Declined);
    page.time_passes(seconds(5));
    page.hears(Event::AnotherWayPressed);
    // No answer said yet what the server takes.
    assert_eq!(page.choices(), [("QR", ""), ("INSTALLMENT", "")]);
}

#[test]
fn a_page_with_a_choice_of_its_own_starts_by_any_method_and_gets_the_live_code() {
    let mut page = asking(|page| page.settings.hides_choice = true);
    assert_eq!(reported(&page), []);
    // The payer began in another tab meanwhile.
    page.server.opens(QR, EPOCH);
    page.hears(Event::StartRequested(QR));
    page.server_answers();
    page.sees_qr();
}

#[test]
fn a_page_with_a_choice_of_its_own_is_told_and_its_payer_sees_why() {
    let mut page = too_large(|page| page.settings.hides_choice = true);
    assert_eq!(page.choices(), []);
    page.hears(Event::StartRequested(QR));
    page.server_answers();
    page.sees("ChoosingOnPage");
    assert_eq!(page.choices(), [("QR", "above-most")]);
    assert_eq!(reported(&page), [QR]);
    // A page that starts again at once has heard no press.
    page.hears(Event::StartRequested(QR));
    page.sees("ChoosingOnPage");
    page.time_passes(seconds(1));
    page.hears(Event::StartRequested(QR));
    page.server_answers();
    assert_eq!(page.keys().len(), 2);
    assert_eq!(reported(&page).len(), 2);
    page.hears(Event::StartRequested(LENDER));
    page.server_answers();
    page.sees("Continue");
}

#[test]
fn an_order_that_no_method_takes_is_told_once_with_the_reasons() {
    for hides_choice in [false, true] {
        let mut page = asking(|page| {
            page.settings.hides_choice = hides_choice;
            page.server.offer = Some(above_most(&[PaymentMethodName::Card]));
        });
        page.sees_failure(ErrorCode::NoMethod);
        assert_eq!(page.choices(), [("QR", "above-most")]);
        assert_eq!(page.errors(), ["no-method"]);
        page.hears(Event::Woke);
        assert_eq!(page.errors(), ["no-method"]);
        assert_eq!(reported(&page), [], "nothing to choose");
        page.hears(Event::RetryPressed);
        page.hears(Event::AnotherWayPressed);
        page.sees_failure(ErrorCode::NoMethod);
    }
    let mut page = too_large(|page| page.settings.methods.truncate(1));
    page.chooses(QR);
    page.server_answers();
    page.sees_failure(ErrorCode::NoMethod);
    assert_eq!(page.errors(), ["no-method"]);
}

#[test]
fn a_page_without_methods_shows_what_is_live_and_else_that_nothing_is_offered() {
    let page = Page::with(|page| page.settings.methods.clear());
    page.sees_failure(ErrorCode::NoMethod);
    assert_eq!(page.errors(), ["no-method"]);
    let mut page = Page::showing_qr();
    page.settings.methods.clear();
    page.reloads();
    page.server_answers();
    page.sees_qr();
    assert!(!page.flow.view().has_another_way);
}

#[test]
fn another_way_is_offered_only_where_the_server_takes_it() {
    let mut page = too_large(|page| page.server.offer = Some(above_most(&[LENDER])));
    page.chooses(QR);
    page.server_answers();
    page.chooses(LENDER);
    page.server_answers();
    page.sees("Continue");
    assert!(!page.flow.view().has_another_way);
    page.flow.forget_offer();
    assert!(page.flow.view().has_another_way);
}

#[test]
fn another_order_begins_without_an_offer() {
    let mut page = asking(|_| {});
    page.flow.forget_offer();
    assert_eq!(page.choices(), [("QR", ""), ("INSTALLMENT", "")]);
}

#[test]
fn an_attempt_of_the_page_before_is_refused_with_its_reason() {
    let mut page = too_large(|page| {
        page.server.offer = Some(offer_of(&[LENDER], &[(QR, "order")]));
    });
    page.chooses(QR);
    page.browser.calls.clear();
    page.reloads();
    page.server_answers();
    page.sees("Choosing");
    assert_eq!(page.choices(), [("QR", "order"), ("INSTALLMENT", "")]);
}

#[test]
fn odd_offers_are_read_as_far_as_they_tell() {
    let new = || PaymentMethodName::from("NUEVO");
    for (methods, not_offered, expected) in [
        // A method that the order leaves out is not explained, unless the payer pressed it.
        (vec![LENDER], vec![(QR, "order")], vec![("INSTALLMENT", "")]),
        (
            vec![LENDER],
            vec![(QR, "setting")],
            vec![("INSTALLMENT", "")],
        ),
        (vec![LENDER], vec![(QR, "hours")], vec![("INSTALLMENT", "")]),
        (vec![LENDER], vec![(QR, "")], vec![("INSTALLMENT", "")]),
        (vec![LENDER], vec![], vec![("INSTALLMENT", "")]),
        (
            vec![LENDER],
            vec![(QR, "currency")],
            vec![("QR", "currency"), ("INSTALLMENT", "")],
        ),
        // Twice, and methods that the page does not have.
        (
            vec![new(), LENDER, LENDER],
            vec![(new(), "above-most"), (QR, "above-most"), (QR, "currency")],
            vec![("QR", "above-most"), ("INSTALLMENT", "")],
        ),
        // The page's order is kept.
        (
            vec![LENDER, QR],
            vec![],
            vec![("QR", ""), ("INSTALLMENT", "")],
        ),
        // What is offered is offered, whatever else is said.
        (vec![QR], vec![(QR, "above-most")], vec![("QR", "")]),
        (vec![new()], vec![], vec![]),
        (vec![], vec![], vec![]),
    ] {
        let offer = offer_of(&methods, &not_offered);
        let page = asking(|page| page.server.offer = Some(offer.clone()));
        assert_eq!(page.choices(), expected, "{offer:?}");
        let left = expected.iter().any(|(_, reason)| reason.is_empty());
        page.sees(if left { "Choosing" } else { "Failed" });
    }
}

#[test]
fn a_payer_who_chose_a_method_reads_why_it_is_refused_whatever_the_reason() {
    for reason in ["order", "setting", "hours", "", "currency", "above-most"] {
        let refused = offer_of(&[LENDER], &[(QR, reason)]);
        let mut page = too_large(|page| page.server.offer = Some(refused));
        page.chooses(QR);
        page.server_answers();
        assert_eq!(page.choices(), [("QR", reason), ("INSTALLMENT", "")]);
    }
}

#[test]
fn a_refusal_that_names_another_method_says_nothing_of_this_one() {
    let mut page = too_large(|page| {
        page.server.offer = Some(offer_of(&[LENDER], &[(PaymentMethodName::Card, "order")]));
    });
    page.chooses(QR);
    page.server_answers();
    assert_eq!(page.choices(), [("INSTALLMENT", "")]);
}
