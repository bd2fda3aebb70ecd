//! The payer's texts, shared by the element in the browser and the server's own page.
//!
//! ```text
//! keys            every text of the element, with the key under which a page overrides it
//! method_texts    which texts are about which payment method
//! outside_texts   texts of the server's own page, and the failure messages of the element
//! locale          the languages, and in a file each the wordings of one: a missing text does not compile
//! keys_macro      the macro that declares such a list; the staff's element uses it too
//! template        sentences with places for values
//! time_of_day     the one form of a time of day, in the element, on the page and at the staff's desk
//! grouped_number  operation numbers and cash codes, grouped, as they are written and spoken
//! untrusted_text  texts of shops, payers and processors, made safe to show
//! ```

mod grouped_number;
mod keys;
mod keys_macro;
mod locale;
mod method_texts;
mod outside_texts;
mod template;
mod time_of_day;
mod untrusted_text;

pub use grouped_number::{grouped, groups, spelled};
pub use keys::Text;
pub use locale::{Locale, language, spanish};
pub use method_texts::MethodTexts;
pub use outside_texts::{Failures, PageText};
pub use template::{fill, places};
pub use time_of_day::unbroken;
pub use untrusted_text::sanitized;
