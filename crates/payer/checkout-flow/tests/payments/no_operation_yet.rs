//! The facts that the page shows before there is an operation.

use crate::support::page::{Page, minutes};
use crate::support::server::{Network, status};
use checkout_flow::{ErrorCode, Failure, Money};
use payment_model::{Amount, Currency, PaymentMethodName};

#[test]
fn the_chosen_method_stands_from_the_choice_until_the_attempt_is_over() {
    for (failure, code, kept) in [
        (Failure::Network, ErrorCode::Network, true),
        (status(422), ErrorCode::Refused, false),
    ] {
        let mut page = Page::opened();
        let chosen = Some(PaymentMethodName::Installment);
        let method = |page: &Page| page.flow.view().method.cloned();
        assert_eq!(method(&page), None);
        page.network(Network::Says(failure));
        page.chooses(PaymentMethodName::Installment);
        page.sees("Authorizing");
        assert_eq!(method(&page), chosen);
        page.time_passes(minutes(1));
        page.sees_failure(code);
        assert_eq!(method(&page), chosen.filter(|_| kept), "{code:?}");
    }
}

#[test]
fn the_price_of_the_page_stands_until_the_server_names_a_sum() {
    let price = Money {
        amount: Amount::new("0387000"),
        currency: Currency::new("PEN"),
    };
    let mut page = Page::opened();
    assert_eq!(page.flow.view().money, None);
    page.settings.price = Some(price.clone());
    page.flow.set_settings(page.settings.clone());
    assert_eq!(page.flow.view().money, Some(price));
    page.chooses(PaymentMethodName::Qr);
    page.server_answers();
    let authorized = page.flow.view().money.unwrap();
    assert_eq!(authorized.amount.as_str(), "387000");
    assert_eq!(authorized.currency.as_str(), "604");
}
