//! The machinery of texts: the texts themselves belong to each element.

mod intl;
mod local_time;
mod money;
mod name_pieces;
mod spoken_time;
mod time_zone;

pub use checkout_texts::{Locale, fill, grouped, groups, outside, places, spelled};
pub use local_time::{Clock, instant};
pub use money::{money, spoken_money};
pub use name_pieces::pieces;
pub use spoken_time::spoken_time;
pub use time_zone::{Zoned, wall_clock};
