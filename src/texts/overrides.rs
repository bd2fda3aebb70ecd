use super::Text;
use std::rc::Rc;
use yew::AttrValue;

/// Wordings in place of the component's own, in the order of [`Text`]. The list may end early.
type Wordings = Rc<[Option<AttrValue>]>;

/// Texts of your page in place of the component's own.
///
/// They replace ours in every language, so write them in the language of your page. The places in braces are filled
/// in; keep those of our text.
///
/// ```
/// use payment_checkout::{CheckoutText, Overrides};
///
/// let messages = Overrides::default()
///     .with(CheckoutText::ChooseHeading, "Elige")
///     .with(CheckoutText::QrVerifyStep, "Confirma {amount} y avísanos.");
/// assert!(messages.mistakes().is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overrides {
    // Shared, since properties are cloned.
    page: Wordings,
    language: Wordings,
    locale: Option<AttrValue>,
    direction: Option<AttrValue>,
}

/// A wording in place of the component's own.
pub(super) struct Override<'a> {
    pub(super) wording: &'a AttrValue,
    /// True when the page wrote it, so it is in the page's language.
    pub(super) of_page: bool,
}

impl Overrides {
    /// Replaces a text.
    #[must_use]
    pub fn with(mut self, text: Text, wording: impl Into<AttrValue>) -> Self {
        if self.page.is_empty() {
            self.page = vec![None; Text::ALL.len()].into();
        }
        if let Some(place) = Rc::make_mut(&mut self.page).get_mut(text as usize) {
            *place = Some(wording.into());
        }
        self
    }

    /// Says in which language the texts are written, as a tag such as `qu`, for a language that the component does not
    /// have. The browser formats amounts and dates for it.
    #[must_use]
    pub fn in_locale(mut self, tag: impl Into<AttrValue>) -> Self {
        self.locale = Some(tag.into());
        self
    }

    /// Says in which direction that language is written: `rtl` or `ltr`.
    #[must_use]
    pub fn in_direction(mut self, direction: impl Into<AttrValue>) -> Self {
        self.direction = Some(direction.into());
        self
    }

    /// Texts of a language that the component does not have, and texts of the page, each in the order of all texts.
    #[cfg(any(test, feature = "custom-element"))]
    #[doc(hidden)]
    #[must_use]
    pub fn in_order(language: Vec<Option<String>>, page: Vec<Option<String>>) -> Self {
        let shared = |texts: Vec<Option<String>>| {
            let texts = texts.into_iter().map(|text| text.map(AttrValue::from));
            texts.collect()
        };
        Self {
            page: shared(page),
            language: shared(language),
            ..Self::default()
        }
    }

    pub(super) fn locale(&self) -> Option<&AttrValue> {
        self.locale.as_ref()
    }

    pub(super) fn direction(&self) -> Option<&AttrValue> {
        self.direction.as_ref()
    }

    /// The override of a text.
    pub(super) fn get(&self, text: Text) -> Option<Override<'_>> {
        let page = self.page.get(text as usize).and_then(Option::as_ref);
        let language = || self.language.get(text as usize)?.as_ref();
        Some(Override {
            of_page: page.is_some(),
            wording: page.or_else(language)?,
        })
    }

    /// A sentence about each mistake in the page's texts, for the developer of the page: a place in braces that has no
    /// value, or a value that the text leaves out. The component logs them in the console.
    #[cfg(feature = "languages")]
    #[must_use]
    pub fn mistakes(&self) -> Vec<String> {
        let texts = Text::ALL.iter().zip(self.page.iter());
        let given = texts.filter_map(|(text, wording)| Some((*text, wording.as_ref()?)));
        given
            .flat_map(|(text, wording)| mistakes(text, wording))
            .collect()
    }
}

#[cfg(feature = "languages")]
fn mistakes(text: Text, wording: &str) -> Vec<String> {
    use checkout_texts::places;
    // Every language has the same places.
    let own = super::own(text, browser_kit::texts::Locale::default());
    let key = text.key();
    let sentence = |what: &'static str| move |name: &str| format!("{key}{what}{{{name}}}");
    let unknown = places(wording).filter(|name| places(own).all(|known| known != *name));
    let missing = places(own).filter(|name| places(wording).all(|said| said != *name));
    unknown
        .map(sentence(" has no value for "))
        .chain(missing.map(sentence(" leaves out ")))
        .collect()
}

#[cfg(all(test, feature = "languages"))]
mod tests {
    use super::{Overrides, Text};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn places_that_are_unknown_or_left_out_are_named() {
        let mistakes =
            |text, wording: &'static str| Overrides::default().with(text, wording).mistakes();
        assert!(mistakes(Text::QrVerifyPayeeStep, "{amount}: {payee}").is_empty());
        assert_eq!(
            mistakes(Text::QrReady, "Paga {amuont}"),
            [
                "qr.ready has no value for {amuont}",
                "qr.ready leaves out {amount}"
            ]
        );
    }
}
