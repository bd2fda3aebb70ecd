//! The searches of staff: what is searched for (`criteria`), and where the next page begins
//! (`cursor`). Rules without input or output; `db/search` has the statements.

mod criteria;
mod cursor;

pub(crate) use criteria::{Search, Sort, SortBy};
pub(crate) use cursor::Cursor;
