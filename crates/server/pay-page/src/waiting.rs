//! A code or a link that the payer can pay now, and what is not known yet.

use crate::own_qr::on_phone;
use crate::page::Page;
use crate::state::Waiting;
use checkout_texts::{Text, grouped};
use maud::{Markup, html};
use payment_model::PaymentMethodName;

pub(crate) fn waiting(page: &Page<'_>, waiting: &Waiting) -> Markup {
    html! {
        @match (&waiting.qr_uri, &waiting.cash_code, &waiting.continue_url) {
            (Some(uri), _, _) => (qr(page, uri, waiting.payee_name.as_deref())),
            (None, Some(code), _) => (cash_code(page, waiting, code)),
            (None, None, Some(url)) => (lender(page, waiting, url)),
            (None, None, None) => {
                h1 { (page.text(Text::WaitingHeading)) }
                p { (page.text(Text::WaitingLead)) }
            }
        }
        // The sentence of a cash code has its deadline.
        @if let Some(at) = waiting.expires_at.filter(|_| waiting.cash_code.is_none()) {
            p { (page.fill(Text::DeadlineAt, &[("date", &page.time(at))])) }
        }
        @if waiting.is_stale {
            p.muted { (page.text(Text::NoticeTroubled)) }
        }
        p.muted { (page.text(Text::NumberLabel)) ": " span.number translate="no" { (grouped(&waiting.number)) } }
        div.actions.no-print {
            (check_again(page, "button"))
            @if !waiting.is_last {
                a.button href=(page.action("/cancel")) { (page.text(Text::ActionAnother)) }
            }
        }
        // The QR is scanned with a phone, and a second one would be mistaken for it.
        @if waiting.qr_uri.is_none() { (on_phone(page)) }
    }
}

fn qr(page: &Page<'_>, uri: &str, payee: Option<&str>) -> Markup {
    let amount = page.amount();
    let payee = payee.unwrap_or(page.merchant_name);
    let values = [("amount", amount.as_str()), ("payee", payee)];
    let (alt, verify) = match payee {
        "" => (Text::QrAlt, Text::QrVerifyStep),
        _ => (Text::QrAltPayee, Text::QrVerifyPayeeStep),
    };
    html! {
        // A style sheet chooses, since the server does not know what the payer holds.
        h1 {
            span.at-desk { (page.text(Text::QrHeading)) }
            span.on-hand { (page.text(Text::QrPhoneHeading)) }
        }
        img.qr src=(uri) alt=(page.fill(alt, &values));
        p.no-print {
            a.button.save href=(page.action("/qr.png")) { (page.text(Text::QrSave)) }
        }
        ol {
            li.at-desk { (page.text(Text::QrOpenStep)) }
            li.at-desk { (page.text(Text::QrScanStep)) }
            li.on-hand { (page.text(Text::QrUploadStep)) }
            li { (page.compared(verify, &values)) }
            li { (page.text(Text::QrReturnStep)) }
        }
    }
}

fn cash_code(page: &Page<'_>, waiting: &Waiting, code: &str) -> Markup {
    html! {
        h1 { (page.text(Text::CashHeading)) }
        p {
            @match waiting.expires_at {
                Some(at) => (page.fill(Text::CashLeadDate, &[("date", &page.time(at))])),
                None => (page.text(Text::CashLead)),
            }
        }
        p.muted { (page.text(Text::CashLabel)) }
        p.code translate="no" { (grouped(code)) }
    }
}

fn lender(page: &Page<'_>, waiting: &Waiting, url: &str) -> Markup {
    let (heading, lead, link) = match waiting.method {
        PaymentMethodName::Installment => (Text::LenderHeading, Text::LenderLead, Text::LenderLink),
        PaymentMethodName::BankTransfer => {
            (Text::ContinueHeading, Text::ContinueLead, Text::BankLink)
        }
        _ => (
            Text::ContinueHeading,
            Text::ContinueLead,
            Text::ContinueLink,
        ),
    };
    html! {
        h1 { (page.text(heading)) }
        p { (page.text(lead)) }
        @if let Some(host) = host(url) {
            p.muted { (page.compared(Text::ContinueHost, &[("host", host)])) }
        }
        p { a.button.primary rel="noreferrer" href=(url) { (page.text(link)) } }
    }
}

/// The host of an `https` address.
fn host(url: &str) -> Option<&str> {
    let rest = url.split_once("://")?.1;
    rest.split(['/', '?', '#']).next()
}

pub(crate) fn confirming(page: &Page<'_>) -> Markup {
    html! {
        h1 { (page.text(Text::ConfirmingHeading)) }
        p { (page.text(Text::ConfirmingLead)) }
        div.actions { (check_again(page, "button primary")) }
    }
}

fn check_again(page: &Page<'_>, class: &str) -> Markup {
    html! { a class=(class) href=(page.action("")) { (page.text(Text::ActionCheck)) } }
}

pub(crate) fn asking_to_cancel(page: &Page<'_>, number: &str) -> Markup {
    html! {
        h1 { (page.text(Text::AskAnotherHeading)) }
        p { (page.text(Text::AskAnotherLead)) }
        p.muted { (page.text(Text::NumberLabel)) ": " span.number translate="no" { (grouped(number)) } }
        div.actions {
            a.button.primary href=(page.action("")) { (page.text(Text::AskKeep)) }
            form method="post" action=(page.action("/cancel")) {
                input type="hidden" name="number" value=(number);
                button.danger { (page.text(Text::AskAnother)) }
            }
        }
    }
}
