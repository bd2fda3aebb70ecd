//! Templates, numbers, money and dates for the texts of both elements, which bring their own texts.

mod intl;
mod local_time;
mod money;
mod name_pieces;
mod spoken_time;
mod time_zone;

pub use checkout_texts::{Locale, fill, grouped, groups, places, sanitized, spelled};
pub use local_time::{Clock, instant};
pub use money::{money, spoken_money};
pub use name_pieces::pieces;
pub use spoken_time::spoken_time;
pub use time_zone::{ZoneFormatter, local_time_in};
