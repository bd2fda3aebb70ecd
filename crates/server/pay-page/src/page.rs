//! A page, with what its contents share: texts, amounts and times in the payer's language, and addresses.

use crate::element::Element;
use crate::formats;
use crate::state::State;
use checkout_texts::{Locale, MethodTexts, PageText, Text, fill};
use jiff::tz::TimeZone;
use maud::{Markup, html};
use payment_model::{Money, PaymentMethodName, Timestamp};

/// Stands before and after a value in a text. No text has this control character.
const MARK: &str = "\u{1}";

/// A page about one order, or about none if it is not found.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// The payer's language.
    pub locale: Locale,
    /// The merchant's time zone.
    pub zone: &'a TimeZone,
    /// The name of the store that sells.
    pub merchant_name: &'a str,
    /// The order's short name, or its id.
    pub order_name: &'a str,
    /// What the order costs; `None` for a page without an order.
    pub money: Option<&'a Money>,
    /// The path of the page, to which its forms are sent.
    pub path: &'a str,
    /// The address of the page, if its own QR is shown to those who sit at a computer.
    pub url: Option<&'a str>,
    /// What the page shows.
    pub state: &'a State,
    /// The element, on a server that has its files.
    pub element: Option<Element<'a>>,
}

impl Page<'_> {
    pub(crate) fn path_in(&self, locale: Locale) -> String {
        format!("{}?lang={}", self.path, locale.tag())
    }

    /// The path of the page, or of an act at it, in the language of the page.
    pub(crate) fn action(&self, act: &str) -> String {
        format!("{}{act}?lang={}", self.path, self.locale.tag())
    }

    pub(crate) fn text(&self, text: Text) -> &'static str {
        self.locale.text(text)
    }

    pub(crate) fn own(&self, text: PageText) -> &'static str {
        self.locale.page_text(text)
    }

    pub(crate) fn fill(&self, text: Text, values: &[(&str, &str)]) -> String {
        fill(self.text(text), values)
    }

    /// A text with values that a payer compares with those of an app: no translator may change them.
    pub(crate) fn compared(&self, text: Text, values: &[(&str, &str)]) -> Markup {
        let marked = values
            .iter()
            .map(|(name, value)| (*name, [MARK, value, MARK].concat()));
        let marked: Vec<_> = marked.collect();
        let values: Vec<_> = marked
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        html! {
            @for (at, piece) in self.fill(text, &values).split(MARK).enumerate() {
                @if at % 2 == 0 { (piece) } @else { span translate="no" { (piece) } }
            }
        }
    }

    pub(crate) fn amount(&self) -> String {
        self.money
            .map(|money| formats::money(self.locale, money))
            .unwrap_or_default()
    }

    pub(crate) fn time(&self, at: Timestamp) -> String {
        formats::instant(self.locale, self.zone, at)
    }

    /// The name of a method in the choice, and what it is about.
    pub(crate) fn method(&self, method: &PaymentMethodName) -> (String, &'static str) {
        let MethodTexts { name, about, .. } = MethodTexts::of(method.as_str());
        let name = self.fill(name, &[("method", method.as_str())]);
        (name, self.text(about))
    }

    /// A method within a sentence: "by QR".
    pub(crate) fn method_in_sentence(&self, method: &PaymentMethodName) -> String {
        let (name, _) = self.method(method);
        let mut letters = name.chars();
        let first = letters.next().map(char::to_lowercase);
        first.into_iter().flatten().chain(letters).collect()
    }
}
