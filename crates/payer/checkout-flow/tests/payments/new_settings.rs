//! The page sets other attributes while a payment runs.

use crate::support::page::{Page, seconds};
use checkout_flow::{ErrorCode, Event, Money};
use payment_model::{Amount, Currency, PaymentMethodName};

#[test]
fn methods_are_offered_as_the_page_says_now() {
    let mut page = Page::opened();
    page.settings.methods = vec![PaymentMethodName::CashCode];
    page.flow.set_settings(page.settings.clone());
    page.sees("Choosing");
    assert_eq!(page.choices(), [("CASHCODE", "")]);
}

#[test]
fn the_next_answer_is_held_against_the_price_that_the_page_says_now() {
    for (amount, shown) in [("387000", true), ("387001", false)] {
        let mut page = Page::showing_qr();
        page.settings.price = Some(Money {
            amount: Amount::new(amount),
            currency: Currency::new("PEN"),
        });
        page.flow.set_settings(page.settings.clone());
        page.sees_qr();
        page.time_passes(seconds(5));
        if shown {
            page.sees_qr();
        } else {
            page.sees_failure(ErrorCode::AmountMismatch);
            let asked = page.asked().len();
            page.hears(Event::RetryPressed);
            page.sees_failure(ErrorCode::AmountMismatch);
            assert_eq!(page.asked().len(), asked, "trying again changes no price");
        }
    }
}
