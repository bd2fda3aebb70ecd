//! A request of the payer that was not carried out.

use crate::page::Page;
use crate::state::Message;
use checkout_texts::{PageText, Text, fill, sanitized};
use maud::{Markup, html};

pub(crate) fn message(page: &Page<'_>, message: &Message) -> Markup {
    let (heading, lead) = match message {
        Message::TooManyAttempts => (Text::RefusedHeading, page.own(PageText::TooManyAttempts)),
        Message::NotOffered(_) => (Text::RefusedHeading, ""),
        Message::CodeRefused => (Text::RefusedHeading, page.own(PageText::CodeRefused)),
        Message::TryAgain => (Text::ServerHeading, page.own(PageText::TryAgainLead)),
        Message::MayBePaid => (Text::MayBePaidHeading, page.text(Text::MayBePaidLead)),
        Message::Refused(_) => (Text::RefusedHeading, page.text(Text::RefusedUnknownLead)),
        Message::NotCancelled => (Text::ConfirmingHeading, page.text(Text::CancelFailed)),
        Message::AmountMismatch => (
            Text::AmountMismatchHeading,
            page.text(Text::AmountMismatchLead),
        ),
        Message::NotFound => (Text::NotFoundHeading, page.own(PageText::NotFoundLead)),
        Message::OrderRefused => (Text::RefusedHeading, page.own(PageText::OrderRefused)),
        Message::TooOften => (Text::ServerHeading, page.own(PageText::TooOften)),
    };
    let has_page = !matches!(
        message,
        Message::NotFound | Message::OrderRefused | Message::TooManyAttempts
    );
    html! {
        h1 { (page.text(heading)) }
        @if let Message::Refused(Some(reason)) = message {
            p { (fill(page.text(Text::Reason), &[("reason", &sanitized(reason))])) }
        }
        @if let Message::NotOffered(method) = message {
            p { (page.fill(Text::NotOffered, &[("method", &page.method(method).0)])) }
        } @else {
            p { (lead) }
        }
        @if has_page {
            div.actions { a.button.primary href=(page.action("")) { (page.own(PageText::Back)) } }
        }
    }
}
