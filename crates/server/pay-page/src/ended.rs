//! The receipt, and an order that cannot be paid any more.

use crate::formats;
use crate::page::Page;
use crate::state::End;
use checkout_texts::{MethodTexts, PageText, Text, fill, grouped};
use maud::{Markup, html};
use payment_model::{Amount, Money, PaymentMethodName};

/// The present state of a payment that was made: whoever shows this page cannot show a payment that was
/// given back as one that was made.
pub(crate) fn ended(page: &Page<'_>, end: &End) -> Markup {
    let (heading, lead, class) = if end.is_reversed {
        let lead = page.text(Text::ReversedLead).to_owned();
        (Text::ReversedHeading, lead, "bad")
    } else if end.paid_twice {
        let lead = page.text(Text::PaidTwiceLead).to_owned();
        (Text::PaidTwiceHeading, lead, "good")
    } else {
        let values = [
            ("amount", page.amount()),
            ("merchant", page.merchant_name.to_owned()),
        ];
        let values = values
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        let text = match page.merchant_name {
            "" => Text::PaidLead,
            _ => Text::PaidLeadMerchant,
        };
        let lead = page.fill(text, &values);
        (Text::PaidHeading, lead, "good")
    };
    let codes: Vec<String> = end.other_codes.iter().map(|code| grouped(code)).collect();
    html! {
        h1 class=(class) { (page.text(heading)) }
        p { (lead) }
        @if !codes.is_empty() {
            p { (page.fill(Text::PaidOthers, &[("numbers", &codes.join(", "))])) }
        }
        @if end.given_back_cents > 0 {
            p { (given_back(page, end.given_back_cents)) }
        }
        dl.facts aria-label=(page.text(Text::ReceiptTitle)) {
            @if let Some(at) = end.at {
                div { dt { (page.text(Text::ReceiptDate)) } dd { (page.time(at)) } }
            }
            div { dt { (page.text(Text::ReceiptMethod)) } dd { (method(page, &end.method)) } }
            div { dt { (page.text(Text::NumberLabel)) } dd { span.number translate="no" { (grouped(&end.number)) } } }
        }
        p.muted.no-print { (page.own(PageText::Keep)) }
    }
}

fn given_back(page: &Page<'_>, cents: u64) -> String {
    let amount = page.money.map(|money| {
        let part = Money {
            amount: Amount::from_cents(cents),
            currency: money.currency.clone(),
        };
        formats::money(page.locale, &part)
    });
    fill(
        page.own(PageText::GivenBack),
        &[("amount", &amount.unwrap_or_default())],
    )
}

fn method(page: &Page<'_>, method: &PaymentMethodName) -> String {
    let text = MethodTexts::of(method.as_str()).receipt;
    text.map_or(method.as_str(), |text| page.text(text))
        .to_owned()
}

pub(crate) fn closed(page: &Page<'_>) -> Markup {
    html! {
        h1 { (page.own(PageText::ClosedHeading)) }
        p { (page.own(PageText::ClosedLead)) }
    }
}
