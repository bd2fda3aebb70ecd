//! The payer's texts, shared by the element in the browser and the server's own page.
//!
//! ```text
//! keys            every text, with the key under which a page overrides it
//! en, es_pe, pt_br
//!                 the wordings of a language, in one exhaustive match: a missing text does not compile
//! keys_macro      the macro that declares such a list; the staff's element uses it too
//! locale          the languages
//! template        sentences with places for values
//! time_of_day     the one form of a time of day, in the element, on the page and at the staff's desk
//! grouped_number  operation numbers and cash codes, grouped, as they are written and spoken
//! untrusted_text  texts of shops, payers and processors, made safe to show
//! ```

mod en;
mod es_pe;
mod grouped_number;
mod keys;
mod keys_macro;
mod locale;
mod pt_br;
mod template;
mod time_of_day;
mod untrusted_text;

pub use en::text as english;
pub use es_pe::text as spanish;
pub use grouped_number::{grouped, groups, spelled};
pub use keys::Text;
pub use locale::{Locale, language};
pub use pt_br::text as portuguese;
pub use template::{fill, places};
pub use time_of_day::unbroken;
pub use untrusted_text::sanitized;
