//! The machinery of texts: the texts themselves belong to each element.

mod grouped_number;
mod intl;
mod list;
mod local_time;
mod locale;
mod money;
mod outside_text;
mod template;
mod time_zone;

pub use grouped_number::grouped;
pub use local_time::{Clock, instant};
pub use locale::Locale;
pub use money::money;
pub use outside_text::outside;
pub use template::{fill, places};
pub use time_zone::{Zoned, wall_clock};
