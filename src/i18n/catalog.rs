use super::template::fill;
use super::{Clock, Locale, Overrides, Text, Wording, money, time};
use checkout_flow::Money;
use std::marker::PhantomData;
use yew::AttrValue;

/// The texts of a component in one language, with the page's overrides.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Catalog<T = Text> {
    locale: Locale,
    overrides: Overrides,
    texts: PhantomData<T>,
}

impl<T: Wording> Catalog<T> {
    pub(crate) fn new(locale: Locale, overrides: Overrides) -> Self {
        Self {
            locale,
            overrides,
            texts: PhantomData,
        }
    }

    pub(crate) fn locale(&self) -> Locale {
        self.locale
    }

    /// A text as it stands.
    pub(crate) fn text(&self, text: T) -> AttrValue {
        self.overrides.get(text).map_or_else(
            || AttrValue::Static(text.own(self.locale)),
            |override_| AttrValue::from(override_.to_owned()),
        )
    }

    /// A text with its placeholders filled: `("amount", "S/ 1.00")` goes where `{amount}` stands.
    pub(crate) fn fill(&self, text: T, values: &[(&str, &str)]) -> AttrValue {
        let template = self
            .overrides
            .get(text)
            .unwrap_or_else(|| text.own(self.locale));
        AttrValue::from(fill(template, values))
    }

    /// Returns an amount as people write it. An amount that is no plain number of cents, or in a
    /// currency that ISO 4217 does not know, stays as it came.
    pub(crate) fn money(&self, money: &Money) -> AttrValue {
        AttrValue::from(money::format(self.locale, money))
    }

    /// An instant, in milliseconds since 1970, as local time. `None` when the browser
    /// cannot say it.
    pub(crate) fn instant(&self, millis: i64, clock: Clock) -> Option<AttrValue> {
        time::format(self.locale, millis, clock).map(AttrValue::from)
    }
}

#[cfg(test)]
mod tests {
    use super::Catalog;
    use crate::i18n::template::placeholders;
    use crate::i18n::{Locale, Overrides, Text, Wording};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn every_language_fills_the_same_placeholders() {
        for text in Text::ALL {
            let spanish = placeholders(text.own(Locale::EsPe));
            for locale in Locale::ALL {
                assert_eq!(
                    placeholders(text.own(locale)),
                    spanish,
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
        let catalog = Catalog::new(Locale::EsPe, overrides);
        assert_eq!(
            catalog.fill(Text::QrHeading, &[("amount", "S/ 1.00")]),
            "Paga S/ 1.00 ya"
        );
        assert_eq!(catalog.text(Text::ActionRetry), "Intentar de nuevo");
    }
}
