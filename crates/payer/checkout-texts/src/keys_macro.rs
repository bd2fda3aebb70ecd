/// Declares the enum `Text` of an element's texts, with the keys by which a page overrides them. The `match` of
/// each language over it is exhaustive.
///
/// The first line has the visibility of the enum. Attributes before the first text are put on `ALL`.
#[macro_export]
macro_rules! texts {
    ($vis:vis enum Text; $(#[$all:meta])* $($text:ident = $key:literal,)+) => {
        /// The texts of the element.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the wordings say what each one is")]
        $vis enum Text { $(#[doc = concat!("`", $key, "`")] $text,)+ }

        impl Text {
            /// All texts, in their order.
            $(#[$all])*
            $vis const ALL: &'static [Self] = &[$(Self::$text,)+];

            /// The key of the text, by which a page can override it.
            $(#[$all])*
            #[must_use]
            $vis fn key(self) -> &'static str {
                match self { $(Self::$text => $key,)+ }
            }
        }
    };
}
