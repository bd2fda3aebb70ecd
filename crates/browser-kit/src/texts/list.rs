/// Declares the texts of an element with their keys, under which a page can override them: a closed
/// list, which a `match` for each language has to hold complete.
///
/// Attributes before the first one stand on the list of all of them.
#[macro_export]
macro_rules! texts {
    ($(#[$all:meta])* $($text:ident = $key:literal,)+) => {
        /// Every text of the element, by what it says.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Text { $($text,)+ }

        impl Text {
            /// Every text once.
            $(#[$all])*
            pub(crate) const ALL: &'static [Self] = &[$(Self::$text,)+];

            /// The name of the text, under which a page can override it.
            pub(crate) fn key(self) -> &'static str {
                match self { $(Self::$text => $key,)+ }
            }
        }
    };
}
