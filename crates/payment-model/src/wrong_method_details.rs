use std::fmt;

/// Why the details of a method in a request cannot be used; names the field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongMethodDetails {
    /// The field's path in the request.
    pub field: &'static str,
    /// The requirement that it breaks, such as `a text`.
    pub expected: &'static str,
}

impl fmt::Display for WrongMethodDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} must be {}", self.field, self.expected)
    }
}

impl std::error::Error for WrongMethodDetails {}
