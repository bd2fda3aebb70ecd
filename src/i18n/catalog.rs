use super::template::fill;
use super::{Locale, Overrides, Text, en, es_pe, money, time};
use checkout_flow::Money;
use yew::AttrValue;

/// The texts in one language, with the page's overrides.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Catalog {
    locale: Locale,
    overrides: Overrides,
}

impl Catalog {
    pub(crate) fn new(locale: Locale, overrides: Overrides) -> Self {
        Self { locale, overrides }
    }

    pub(crate) fn locale(&self) -> Locale {
        self.locale
    }

    /// A text as it stands.
    pub(crate) fn text(&self, text: Text) -> AttrValue {
        self.overrides.get(text).map_or_else(
            || AttrValue::Static(own(self.locale, text)),
            |override_| AttrValue::from(override_.to_owned()),
        )
    }

    /// A text with its placeholders filled: `("amount", "S/ 1.00")` goes where `{amount}` stands.
    pub(crate) fn fill(&self, text: Text, values: &[(&str, &str)]) -> AttrValue {
        let template = self
            .overrides
            .get(text)
            .unwrap_or_else(|| own(self.locale, text));
        AttrValue::from(fill(template, values))
    }

    /// An amount as people write it; one that is no plain number of cents, or in a currency
    /// that ISO 4217 does not know, as it came.
    pub(crate) fn money(&self, money: &Money) -> AttrValue {
        AttrValue::from(money::format(self.locale, money))
    }

    /// An instant, in milliseconds since 1970, as the local time of day; with the date and the
    /// name of the time zone when it is not soon. `None` when the browser cannot say it.
    pub(crate) fn instant(&self, millis: i64, soon: bool) -> Option<AttrValue> {
        time::format(self.locale, millis, soon).map(AttrValue::from)
    }
}

/// The text that the component brings along.
pub(super) fn own(locale: Locale, text: Text) -> &'static str {
    match locale {
        Locale::EsPe => es_pe::text(text),
        Locale::En => en::text(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{Catalog, own};
    use crate::i18n::template::placeholders;
    use crate::i18n::{Locale, Overrides, Text};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn every_language_fills_the_same_placeholders() {
        for text in Text::ALL {
            let spanish = placeholders(own(Locale::EsPe, *text));
            let english = placeholders(own(Locale::En, *text));
            assert_eq!(spanish, english, "{}", text.key());
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn no_text_is_empty_and_cancelado_is_never_said() {
        for text in Text::ALL {
            for locale in Locale::ALL {
                assert!(!own(locale, *text).trim().is_empty(), "{}", text.key());
            }
            // In Peru it also means "paid".
            let spanish = own(Locale::EsPe, *text).to_lowercase();
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
