/// Declares the texts of an element with their keys, under which a page can override them: a closed
/// list, which a `match` for each language has to hold complete.
///
/// The first line gives the visibility of the enum; attributes before the first text are put on `ALL`.
#[macro_export]
macro_rules! texts {
    ($vis:vis enum Text; $(#[$all:meta])* $($text:ident = $key:literal,)+) => {
        /// Every text of the element, by what it says.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the wordings say what each one is")]
        $vis enum Text { $(#[doc = concat!("`", $key, "`")] $text,)+ }

        impl Text {
            /// Every text once.
            $(#[$all])*
            $vis const ALL: &'static [Self] = &[$(Self::$text,)+];

            /// The name of the text, under which a page can override it.
            #[must_use]
            $vis fn key(self) -> &'static str {
                match self { $(Self::$text => $key,)+ }
            }
        }
    };
}
