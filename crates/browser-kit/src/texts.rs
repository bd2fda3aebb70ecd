//! The machinery of texts: the texts themselves belong to each element.

mod grouped_number;
mod intl;
mod list;
mod local_time;
mod locale;
mod money;
mod name_pieces;
mod outside_text;
mod spoken_time;
mod template;
mod time_zone;

pub use grouped_number::{grouped, groups, spelled};
pub use local_time::{Clock, instant};
pub use locale::Locale;
pub use money::{money, spoken_money};
pub use name_pieces::pieces;
pub use outside_text::outside;
pub use spoken_time::spoken_time;
pub use template::{fill, places};
pub use time_zone::{Zoned, wall_clock};
