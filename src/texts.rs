//! The payer's texts, and money and dates in the payer's language.
//!
//! The wordings come from the crate `checkout-texts`; the page can override each. The browser's `Intl` writes
//! money and dates.
//!
//! Without the feature `languages` only Spanish is compiled in: the custom element loads the other languages as
//! files, which are generated from the same sources.

mod countdown;
mod overrides;
mod spoken_text;

pub(crate) use checkout_texts::MethodTexts;
pub use checkout_texts::Text;
pub(crate) use countdown::{Mark, countdown, said, whole};
use overrides::Override;
pub use overrides::Overrides;
pub(crate) use spoken_text::SpokenText;

use browser_kit::texts::{Clock, Locale, fill, instant, money, spoken_money, spoken_time};
use checkout_flow::Money;
use payment_model::Timestamp;
use std::time::Duration;
use yew::AttrValue;

/// The component's own wording.
pub(crate) fn own(text: Text, locale: Locale) -> &'static str {
    if cfg!(feature = "languages") {
        locale.text(text)
    } else {
        checkout_texts::spanish(text)
    }
}

/// An amount as the checkout shows it in this language, as in `S/ 129.90`; `129.90 PEN` where there is no browser. One that is no
/// number of cents, or in an unknown currency, stays as it is.
#[must_use]
pub fn format_money(amount: &Money, locale: Locale) -> String {
    money(locale.tag(), amount)
}

/// The language, if its texts are compiled in. A page in another one would have Spanish words between English amounts.
pub(crate) fn compiled(locale: Locale) -> Option<Locale> {
    (cfg!(feature = "languages") || locale == Locale::EsPe).then_some(locale)
}

/// The browser's formatters that the screen of a waiting code needs. The first use of each is slow.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Formatter {
    Time,
    Date,
    SpokenTime,
}

/// The texts in one language, with the page's overrides.
#[derive(Debug, Clone, PartialEq)]
pub struct Texts {
    locale: Locale,
    overrides: Overrides,
    /// The language of the page's overrides and names, if it is not the locale's.
    page: Option<AttrValue>,
}

impl Texts {
    /// The texts of a language, with the page's overrides.
    #[must_use]
    pub fn new(locale: Locale, overrides: Overrides) -> Self {
        Self {
            locale,
            overrides,
            page: None,
        }
    }

    /// Says in which language the page and its overrides are written.
    #[must_use]
    pub fn on_page(mut self, language: Option<&AttrValue>) -> Self {
        let own = checkout_texts::language(self.tag());
        let another = |tag: &&AttrValue| !checkout_texts::language(tag).eq_ignore_ascii_case(own);
        self.page = language.filter(another).cloned();
        self
    }

    /// Every text between marks: a text on the screen without marks is not translatable.
    #[cfg(all(feature = "languages", feature = "custom-element"))]
    #[must_use]
    pub fn marked() -> Self {
        let locale = Locale::default();
        let marked = |text: &Text| Some(format!("⟦{}⟧", own(*text, locale)));
        let all = Text::ALL.iter().map(marked).collect();
        Self::new(locale, Overrides::in_order(all, vec![]))
    }

    /// The tag of the language in which the checkout speaks: that of the page's texts, if these have one.
    pub(crate) fn tag(&self) -> &str {
        self.overrides
            .locale()
            .map_or(self.locale.tag(), AttrValue::as_str)
    }

    /// The direction of that language, if the page says it.
    pub(crate) fn direction(&self) -> Option<AttrValue> {
        self.overrides.direction().cloned()
    }

    /// The language of the page, if it is not the element's.
    pub(crate) fn page(&self) -> Option<&AttrValue> {
        self.page.as_ref()
    }

    /// A text, with its placeholders as they are.
    pub(crate) fn text(&self, text: Text) -> SpokenText {
        match self.overrides.get(text) {
            None => {
                let wording = AttrValue::Static(own(text, self.locale));
                // A text that the page's language leaves out is in another one.
                let lang = self.overrides.locale().map(|_| self.locale.tag().into());
                SpokenText::new(wording, None, lang)
            }
            Some(Override { wording, of_page }) => {
                let of_page = of_page && self.overrides.locale().is_none();
                let lang = self.page.clone().filter(|_| of_page);
                SpokenText::new(wording.clone(), None, lang)
            }
        }
    }

    /// A text with its placeholders filled: `("amount", "S/ 1.00", "1.00 soles")` puts `S/ 1.00` in the
    /// place of `{amount}` for the eye, and `1.00 soles` for a screen reader.
    pub(crate) fn fill(&self, text: Text, values: &[(&str, &str, &str)]) -> SpokenText {
        let template = self.text(text);
        let seen: Vec<_> = values
            .iter()
            .map(|(name, seen, _)| (*name, *seen))
            .collect();
        let said: Vec<_> = values
            .iter()
            .map(|(name, _, said)| (*name, *said))
            .collect();
        let heard = fill(&template, &said);
        SpokenText::new(fill(&template, &seen).into(), Some(heard), template.lang())
    }

    /// Formats an amount. An amount that is not a number of cents, or whose currency is not in ISO 4217,
    /// stays as it is.
    pub(crate) fn money(&self, amount: &Money) -> SpokenText {
        let heard = spoken_money(self.tag(), amount);
        SpokenText::new(money(self.tag(), amount).into(), Some(heard), None)
    }

    /// A duration in words.
    pub(crate) fn spoken_time(&self, time: Duration) -> String {
        spoken_time(self.tag(), time)
    }

    /// Makes the browser create a formatter before it is needed.
    pub(crate) fn warm(&self, formatter: Formatter) {
        let instant = |clock| drop(self.instant(Timestamp::from_secs(0), clock));
        match formatter {
            Formatter::Time => instant(Clock::Minutes),
            Formatter::Date => instant(Clock::Dated),
            Formatter::SpokenTime => drop(self.spoken_time(Duration::from_secs(61))),
        }
    }

    /// An instant as local time. `None` when the browser cannot format it.
    pub(crate) fn instant(&self, at: Timestamp, clock: Clock) -> Option<AttrValue> {
        instant(self.tag(), at, clock, &self.text(Text::DeadlinePeru)).map(AttrValue::from)
    }
}

#[cfg(all(test, not(feature = "languages")))]
mod spanish_only {
    use super::{Locale, compiled};

    #[test]
    fn a_language_without_texts_is_none() {
        let all = Locale::ALL
            .iter()
            .copied()
            .map(compiled)
            .collect::<Vec<_>>();
        assert_eq!(all, [Some(Locale::EsPe), None, None]);
    }
}

#[cfg(all(test, feature = "languages"))]
mod tests {
    use super::{Locale, Overrides, Text, Texts, own};
    use browser_kit::texts::places;
    use std::collections::BTreeSet;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn every_language_fills_the_same_placeholders() {
        for text in Text::ALL {
            let values = |locale| places(own(*text, locale)).collect::<BTreeSet<_>>();
            for &locale in Locale::ALL {
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
            for &locale in Locale::ALL {
                assert!(!own(*text, locale).trim().is_empty(), "{}", text.key());
            }
            // In Peru it also means "paid".
            let spanish = own(*text, Locale::EsPe).to_lowercase();
            assert!(!spanish.contains("cancelad"), "{}", text.key());
        }
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn the_page_overrides_single_texts() {
        let overrides = Overrides::default().with(Text::QrHeading, "Paga {amount} ya");
        let texts = Texts::new(Locale::EsPe, overrides);
        assert_eq!(
            *texts.fill(Text::QrHeading, &[("amount", "S/ 1.00", "1.00 soles")]),
            *"Paga S/ 1.00 ya"
        );
        assert_eq!(*texts.text(Text::ActionRetry), *"Intentar de nuevo");
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn a_text_of_the_page_has_the_pages_language() {
        let overrides = Overrides::default().with(Text::QrHeading, "{amount}, bitte");
        let lang = |page: &'static str, text| {
            let texts = Texts::new(Locale::EsPe, overrides.clone());
            let texts = texts.on_page(Some(&page.into()));
            texts.text(text).lang()
        };
        assert_eq!(lang("de", Text::QrHeading).as_deref(), Some("de"));
        assert_eq!(lang("de", Text::ActionRetry), None);
        assert_eq!(lang("es-MX", Text::QrHeading), None);
        assert_eq!(lang("ES", Text::QrHeading), None);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn texts_of_a_language_that_came_as_a_file_stand_in_their_order() {
        let given = vec![None, Some("Somma".to_owned())];
        let texts = Texts::new(Locale::EsPe, Overrides::in_order(given, vec![]));
        let texts = texts.on_page(Some(&"it".into()));
        assert_eq!(*texts.text(Text::BillTotal), *"Total a pagar");
        assert_eq!(*texts.text(Text::BillAmount), *"Somma");
        assert_eq!(texts.text(Text::BillAmount).lang(), None);
        assert_eq!(*texts.text(Text::BillOrder), *"Pedido {order}");
    }
}
