//! Texts, money and dates in the payer's language.

mod catalog;
mod locale;
mod text;

pub(crate) use catalog::Catalog;
pub use catalog::Overrides;
pub use locale::Locale;
pub(crate) use text::Text;
