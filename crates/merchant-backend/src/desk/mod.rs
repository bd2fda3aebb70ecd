//! What staff look for: rules without input or output.

mod cursor;
mod search;
mod sheet;

pub(crate) use cursor::Cursor;
pub(crate) use search::Search;
pub(crate) use sheet::{HEADINGS, Sheet};
