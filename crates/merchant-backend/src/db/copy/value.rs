//! A value of any table, as both engines keep it.

/// A value, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(Option<String>),
    Number(Option<i64>),
}
