/// The language of a tag: `en` of `en-US`, and of `en_US`, as some systems write it.
#[must_use]
pub fn language(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
}

/// A language of the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Locale {
    /// Spanish as in Peru.
    #[default]
    EsPe,
    /// English.
    En,
    /// Portuguese as in Brazil.
    PtBr,
}

impl Locale {
    /// All languages.
    pub const ALL: &'static [Self] = &[Self::EsPe, Self::En, Self::PtBr];

    /// The language for a tag such as `es`, `es-PE`, `en-US` or `pt`; Spanish for anything unknown.
    #[must_use]
    pub fn of_tag(tag: &str) -> Self {
        Self::known(tag).unwrap_or_default()
    }

    /// The language for a tag, if the texts are written in it.
    #[must_use]
    pub fn known(tag: &str) -> Option<Self> {
        let language = language(tag);
        let is = |known: &Self| {
            known
                .tag()
                .get(..2)
                .is_some_and(|own| own.eq_ignore_ascii_case(language))
        };
        Self::ALL.iter().copied().find(is)
    }

    /// The BCP 47 tag, for `lang` and for the browser's formatting.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::EsPe => "es-PE",
            Self::En => "en",
            Self::PtBr => "pt-BR",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Locale;

    #[test]
    fn a_tag_leads_to_its_language() {
        let check = |tag, locale| assert_eq!(Locale::of_tag(tag), locale, "{tag}");
        check("es-PE", Locale::EsPe);
        check("es", Locale::EsPe);
        check("en", Locale::En);
        check("EN_us", Locale::En);
        check("pt", Locale::PtBr);
        check("pt-BR", Locale::PtBr);
        check("pt-PT", Locale::PtBr);
        check("qu", Locale::EsPe);
        check("", Locale::EsPe);
        for &locale in Locale::ALL {
            assert_eq!(Locale::of_tag(locale.tag()), locale);
        }
    }
}
