//! The payer's texts, for the element in the browser and for the server's own page, so that both say the
//! same.
//!
//! ```text
//! keys            every text, with the key under which a page overrides it
//! en, es_pe, pt_br
//!                 the wordings of a language, in one exhaustive match: a missing text does not compile
//! list            declares such a list; the staff's element has one of its own
//! locale          the languages
//! template        sentences with places for values
//! grouped_number, outside_text
//!                 numbers and names from outside, as they are shown
//! ```

mod en;
mod es_pe;
mod grouped_number;
mod keys;
mod list;
mod locale;
mod outside_text;
mod pt_br;
mod template;

pub use en::text as english;
pub use es_pe::text as spanish;
pub use grouped_number::{grouped, groups, spelled};
pub use keys::Text;
pub use locale::Locale;
pub use outside_text::outside;
pub use pt_br::text as portuguese;
pub use template::{fill, places};
