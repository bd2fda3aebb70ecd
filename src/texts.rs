//! The payer's texts, and money and dates in the payer's language.
//!
//! The language's sentences stand in a file each, in one exhaustive match: a missing text does
//! not compile. Money and dates are written by the browser's own `Intl`.

mod countdown;
mod en;
mod es_pe;
mod keys;
mod overrides;
mod pt_br;

pub(crate) use countdown::{Mark, countdown};
pub(crate) use keys::Text;
pub use overrides::Overrides;

use browser_kit::texts::{Clock, Locale, fill, instant, money};
use checkout_flow::Money;
use payment_model::Timestamp;
use yew::AttrValue;

impl Text {
    /// The text that the component brings along.
    pub(crate) fn own(self, locale: Locale) -> &'static str {
        match locale {
            Locale::EsPe => es_pe::text(self),
            Locale::En => en::text(self),
            Locale::PtBr => pt_br::text(self),
        }
    }
}

/// The texts in one language, with the page's overrides.
#[derive(Debug, Clone, PartialEq)]
pub struct Texts {
    locale: Locale,
    overrides: Overrides,
}

impl Texts {
    /// The texts of this language, but for those that the page overrides.
    #[must_use]
    pub fn new(locale: Locale, overrides: Overrides) -> Self {
        Self { locale, overrides }
    }

    /// Every text between marks, so that a text without them was never given to a translator.
    #[must_use]
    pub fn marked() -> Self {
        let locale = Locale::default();
        let marked = |text: &Text| {
            let words = ["⟦", text.own(locale), "⟧"].concat();
            (text.key().to_owned(), words)
        };
        Self::new(locale, Overrides(Text::ALL.iter().map(marked).collect()))
    }

    pub(crate) fn locale(&self) -> Locale {
        self.locale
    }

    /// A text as it stands.
    pub(crate) fn text(&self, text: Text) -> AttrValue {
        self.overrides.get(text).map_or_else(
            || AttrValue::Static(text.own(self.locale)),
            |override_| AttrValue::from(override_.to_owned()),
        )
    }

    /// A text with its placeholders filled: `("amount", "S/ 1.00")` goes where `{amount}` stands.
    pub(crate) fn fill(&self, text: Text, values: &[(&str, &str)]) -> AttrValue {
        let template = self
            .overrides
            .get(text)
            .unwrap_or_else(|| text.own(self.locale));
        AttrValue::from(fill(template, values))
    }

    /// Returns an amount as people write it. An amount that is no plain number of cents, or in a
    /// currency that ISO 4217 does not know, stays as it came.
    pub(crate) fn money(&self, amount: &Money) -> AttrValue {
        AttrValue::from(money(self.locale, amount))
    }

    /// An instant as local time. `None` when the browser cannot say it.
    pub(crate) fn instant(&self, at: Timestamp, clock: Clock) -> Option<AttrValue> {
        instant(self.locale, at, clock).map(AttrValue::from)
    }
}

#[cfg(test)]
mod tests {
    use super::{Locale, Overrides, Text, Texts};
    use browser_kit::texts::places;
    use std::collections::BTreeSet;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn every_language_fills_the_same_placeholders() {
        for text in Text::ALL {
            let values = |locale| places(text.own(locale)).collect::<BTreeSet<_>>();
            for locale in Locale::ALL {
                assert_eq!(
                    values(locale),
                    values(Locale::EsPe),
                    "{} {}",
                    locale.tag(),
                    text.key()
                );
            }
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn no_text_is_empty_and_cancelado_is_never_said() {
        for text in Text::ALL {
            for locale in Locale::ALL {
                assert!(!text.own(locale).trim().is_empty(), "{}", text.key());
            }
            // In Peru it also means "paid".
            let spanish = text.own(Locale::EsPe).to_lowercase();
            assert!(!spanish.contains("cancelad"), "{}", text.key());
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn the_page_overrides_single_texts() {
        let overrides = Overrides(vec![("qr.heading".into(), "Paga {amount} ya".into())]);
        let texts = Texts::new(Locale::EsPe, overrides);
        assert_eq!(
            texts.fill(Text::QrHeading, &[("amount", "S/ 1.00")]),
            "Paga S/ 1.00 ya"
        );
        assert_eq!(texts.text(Text::ActionRetry), "Intentar de nuevo");
    }
}
