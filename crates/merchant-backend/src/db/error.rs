use crate::parse_fault;

/// A failure of the database; the message is for the log.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the database failed: {0}")]
pub(crate) struct DbError(pub(super) String);

impl DbError {
    /// A row or value that must exist is missing.
    pub(crate) fn missing(what: impl std::fmt::Display) -> Self {
        Self(format!("missing: {what}"))
    }

    /// A write took too long.
    pub(crate) fn slow() -> Self {
        Self("a write takes too long".to_owned())
    }
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<serde_json::Error> for DbError {
    fn from(error: serde_json::Error) -> Self {
        let fault = parse_fault::json(&error);
        Self(format!("a stored value {fault}"))
    }
}

#[cfg(test)]
mod tests {
    use super::DbError;

    #[test]
    fn what_a_stored_value_held_is_not_told() {
        let error = serde_json::from_str::<u64>("\"canary\"").unwrap_err();
        assert!(error.to_string().contains("canary"));
        assert_eq!(
            DbError::from(error).to_string(),
            "the database failed: a stored value has a value of another kind at line 1, column 8"
        );
    }
}
