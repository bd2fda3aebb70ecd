/// Declares a closed list of words that travel as text, plus `Unknown` for a word of a newer
/// server.
macro_rules! words {
    (
        $(#[$doc:meta])*
        pub enum $name:ident {
            $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+
            /// A word that this version does not know.
            #[serde(other, rename = "unknown")]
            Unknown,
        }

        impl $name {
            /// Every word once, without `Unknown`.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word as it travels.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Unknown => "unknown",
                }
            }

            /// Reads the word; `None` when it is not in the list.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.as_str() == word)
            }
        }
    };
}

pub(crate) use words;
