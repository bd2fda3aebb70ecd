//! Texts, money and dates in the payer's language.
//!
//! The language's sentences stand in a file each, in one exhaustive match: a missing text does
//! not compile. Money and dates are written by the browser's own `Intl`.

mod catalog;
mod en;
mod es_pe;
mod intl;
mod locale;
mod money;
mod number;
mod outside;
mod overrides;
mod pt_br;
mod template;
mod text;
mod time;
#[cfg(feature = "operations")]
mod zoned;

pub(crate) use catalog::Catalog;
pub use locale::Locale;
pub(crate) use number::grouped;
pub(crate) use outside::outside;
pub use overrides::Overrides;
pub(crate) use template::fill;
#[cfg(all(test, feature = "operations"))]
pub(crate) use template::placeholders;
#[cfg(feature = "operations")]
pub(crate) use text::texts;
pub(crate) use text::{Text, Wording};
pub(crate) use time::{Clock, Mark, countdown};
#[cfg(feature = "operations")]
pub(crate) use zoned::{Zoned, wall_clock};
