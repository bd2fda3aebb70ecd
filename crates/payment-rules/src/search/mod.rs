//! The searches of staff: what is searched for (`criteria`), and where the next page begins
//! (`cursor`). Rules without input or output; `db/search` has the statements.

mod criteria;
mod cursor;

pub use criteria::{Search, Sort, SortBy};
pub use cursor::Cursor;
