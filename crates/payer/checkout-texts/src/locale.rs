//! The languages. A new one is a file of texts beside the others, a row here, and a row of money and dates in `pay-page`.

mod en;
mod es_pe;
mod pt_br;

use crate::keys::Text;
use crate::outside_texts::{Failures, PageText};

pub use es_pe::text as spanish;

/// Declares [`Locale`] from one list: a language with its tag, its own name for itself, and its file.
macro_rules! languages {
    ($($(#[$about:meta])+ $variant:ident = $tag:literal, $name:literal, $file:ident;)+) => {
        /// A language of the texts.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub enum Locale { $($(#[$about])+ $variant,)+ }

        impl Locale {
            /// All languages.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The BCP 47 tags of all languages.
            pub const TAGS: &'static [&'static str] = &[$($tag,)+];

            /// The BCP 47 tag, for `lang` and for the browser's formatting.
            #[must_use]
            pub fn tag(self) -> &'static str {
                match self { $(Self::$variant => $tag,)+ }
            }

            /// The name by which its speakers call it.
            #[must_use]
            pub fn own_name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The wording of a text.
            #[must_use]
            pub fn text(self, text: Text) -> &'static str {
                match self { $(Self::$variant => $file::text(text),)+ }
            }

            /// The wording of a text of the server's own page.
            #[must_use]
            pub fn page_text(self, text: PageText) -> &'static str {
                match self { $(Self::$variant => $file::page_text(text),)+ }
            }

            /// The failure messages of the element, shown when its wasm does not run.
            #[must_use]
            pub fn failures(self) -> Failures {
                match self { $(Self::$variant => $file::FAILURES,)+ }
            }
        }
    };
}

languages! {
    /// Spanish as in Peru.
    #[default]
    EsPe = "es-PE", "Español", es_pe;
    /// English.
    En = "en", "English", en;
    /// Portuguese as in Brazil.
    PtBr = "pt-BR", "Português", pt_br;
}

/// The language of a tag: `en` of `en-US`, and of `en_US`, as some systems write it.
#[must_use]
pub fn language(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
}

impl Locale {
    /// The language for a tag such as `es`, `es-PE`, `en-US` or `pt`; Spanish for anything unknown.
    #[must_use]
    pub fn of_tag(tag: &str) -> Self {
        Self::known(tag).unwrap_or_default()
    }

    /// The language for a tag, if the texts are written in it.
    #[must_use]
    pub fn known(tag: &str) -> Option<Self> {
        let wanted = language(tag);
        let is = |known: &Self| known.language().eq_ignore_ascii_case(wanted);
        Self::ALL.iter().copied().find(is)
    }

    /// The language without its country: `pt` of `pt-BR`.
    #[must_use]
    pub fn language(self) -> &'static str {
        language(self.tag())
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
