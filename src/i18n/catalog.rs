use super::{Locale, Text};
use yew::AttrValue;

/// Texts of the page in place of ours, by key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overrides(pub Vec<(String, String)>);

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
        AttrValue::Static(text.key())
    }
}
