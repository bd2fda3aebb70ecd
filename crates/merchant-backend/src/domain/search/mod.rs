//! The searches of staff: rules without input or output.

mod criteria;
mod cursor;

pub(crate) use criteria::Search;
pub(crate) use cursor::Cursor;
