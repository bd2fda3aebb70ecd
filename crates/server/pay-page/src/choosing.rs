//! The choice of a method, as a form.

use crate::formats;
use crate::own_qr::on_phone;
use crate::page::Page;
use crate::state::LastAttempt;
use checkout_texts::{PageText, Text, grouped};
use maud::{Markup, html};
use payment_model::{
    Amount, Currency, IsoCurrency, Money, NotOffered, NotOfferedReason, Offer, Outcome,
    PaymentMethodName,
};

pub(crate) struct Choice<'a> {
    pub(crate) offer: &'a Offer,
    pub(crate) key: &'a str,
    pub(crate) last: Option<&'a LastAttempt>,
    pub(crate) was_reversed: bool,
    pub(crate) is_in_doubt: bool,
}

pub(crate) fn choosing(page: &Page<'_>, choice: &Choice<'_>) -> Markup {
    let Choice {
        offer,
        key,
        last,
        was_reversed,
        is_in_doubt,
    } = *choice;
    let methods = &offer.methods[..];
    let heading = match (was_reversed, methods) {
        (true, _) => Text::ReversedHeading,
        (false, []) => Text::NoMethodHeading,
        // One method is no question.
        (false, [_]) => Text::ChooseOneHeading,
        (false, _) => Text::ChooseHeading,
    };
    let lead = match methods {
        [] => Text::ChooseNone,
        _ => Text::ChooseLead,
    };
    let reasons = offer.not_offered.iter();
    let reasons = reasons.filter_map(|other| reason(page, &offer.currency, other));
    html! {
        h1 { (page.text(heading)) }
        @if was_reversed {
            p { (page.text(Text::ReversedLead)) }
            @if !methods.is_empty() { p { (page.own(PageText::PayAgain)) } }
        } @else {
            p { (page.text(lead)) }
        }
        @if is_in_doubt {
            p { strong { (page.text(Text::UnconfirmedHeading)) } }
            p { (page.text(Text::UnconfirmedLead)) }
        }
        @if let Some(last) = last.and_then(|last| last_attempt(page, last)) {
            p.muted { (last) }
        }
        @if !methods.is_empty() {
            form method="post" action=(page.action("")) {
                input type="hidden" name="key" value=(key);
                div.choices {
                    @for method in methods {
                        @let (name, about) = page.method(method);
                        button.choice name="method" value=(method.as_str()) {
                            strong { (name) }
                            span.muted { (about) }
                        }
                    }
                }
            }
        }
        @for reason in reasons { p.muted { (reason) } }
        @if !methods.is_empty() {
            p.muted { (page.text(Text::Trust)) }
            (on_phone(page))
        }
    }
}

/// Why a payer who looks for a method does not find it. What the order or the server leaves out is not missed.
fn reason(page: &Page<'_>, currency: &Currency, other: &NotOffered) -> Option<String> {
    let money = |bound: &Option<Amount>| {
        let money = Money {
            amount: bound.clone()?,
            currency: currency.clone(),
        };
        Some(formats::money(page.locale, &money))
    };
    let (text, name, value) = match other.reason {
        NotOfferedReason::BelowLeast => (Text::BelowLeast, "least", money(&other.least)?),
        NotOfferedReason::AboveMost => (Text::AboveMost, "most", money(&other.most)?),
        NotOfferedReason::Currency => {
            let iso = currency.iso();
            let code = iso.as_ref().map_or(currency.as_str(), IsoCurrency::alpha);
            (Text::OtherCurrency, "currency", code.to_owned())
        }
        NotOfferedReason::Order | NotOfferedReason::Setting | NotOfferedReason::Unknown(_) => {
            return None;
        }
    };
    let (method, _) = page.method(&other.method);
    Some(page.fill(text, &[("method", &method), (name, &value)]))
}

fn last_attempt(page: &Page<'_>, last: &LastAttempt) -> Option<String> {
    let text = match last.outcome {
        Outcome::Declined | Outcome::Invalid => Text::LastDeclined,
        Outcome::Expired => Text::LastExpired,
        Outcome::Cancelled => Text::LastCancelled,
        Outcome::Paid | Outcome::Reversed => return None,
    };
    Some(page.fill(text, &[("number", &grouped(&last.number))]))
}

/// Asks before a code is cancelled for another method. The form carries the number of the code that the
/// payer saw, so that no other one is cancelled.
pub(crate) fn asking_to_replace(
    page: &Page<'_>,
    live: &PaymentMethodName,
    number: &str,
    wanted: &PaymentMethodName,
    key: &str,
) -> Markup {
    let (heading, show) = match live {
        PaymentMethodName::Qr => (Text::LiveQrHeading, Text::LiveQrShow),
        PaymentMethodName::CashCode => (Text::LiveCodeHeading, Text::LiveCodeShow),
        _ => (Text::LiveHeading, Text::LiveShow),
    };
    let lead = page.fill(Text::LiveLead, &[("pay", &page.method_in_sentence(live))]);
    let pay = page.method_in_sentence(wanted);
    html! {
        h1 { (page.text(heading)) }
        p { (lead) }
        p.muted { (page.text(Text::NumberLabel)) ": " span.number translate="no" { (grouped(number)) } }
        div.actions {
            a.button.primary href=(page.action("")) { (page.text(show)) }
            form method="post" action=(page.action("")) {
                input type="hidden" name="key" value=(key);
                input type="hidden" name="replaces" value=(number);
                button.danger name="method" value=(wanted.as_str()) {
                    (page.fill(Text::LiveReplace, &[("pay", &pay)]))
                }
            }
        }
    }
}
