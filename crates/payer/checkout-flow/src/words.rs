/// Declares an enum with a word for each variant. Events and documentation use the words; the documentation
/// also quotes the comments. `as non_exhaustive` is for a list that will grow and that no match has to hold
/// complete.
macro_rules! words {
    (
        $(#[doc = $doc:literal])+
        pub enum $name:ident $(as $attribute:ident)? { $($(#[doc = $about:literal])+ $variant:ident = $word:literal,)+ }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $(#[$attribute])?
        pub enum $name { $($(#[doc = $about])+ $variant,)+ }

        impl $name {
            /// Every one, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The word for it.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// What it means, in a sentence.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($about),+).trim_ascii(),)+ }
            }
        }
    };
}

pub(crate) use words;
