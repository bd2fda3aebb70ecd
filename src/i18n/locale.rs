/// A language that the texts are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Locale {
    /// Spanish as in Peru.
    #[default]
    EsPe,
    /// English.
    En,
}

impl Locale {
    /// The language for a tag such as `es`, `es-PE` or `en-US`; Spanish for anything unknown.
    #[must_use]
    pub fn of_tag(tag: &str) -> Self {
        let language = tag.split(['-', '_']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("en") { Self::En } else { Self::EsPe }
    }

    /// The BCP 47 tag, for `lang` and for the browser's formatting.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::EsPe => "es-PE",
            Self::En => "en",
        }
    }
}
