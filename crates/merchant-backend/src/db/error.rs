use crate::parse_fault;

/// A failure of the database; the message is for the log.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum DbError {
    /// It cannot be reached now, or has no place for another caller. A repetition may succeed.
    #[error("the database does not answer: {0}")]
    Away(String),
    /// It refused a statement, or a value in it cannot be read.
    #[error("the database failed: {0}")]
    Failed(String),
}

impl DbError {
    /// A row or value that must exist is missing.
    pub(crate) fn missing(what: impl std::fmt::Display) -> Self {
        Self::Failed(format!("missing: {what}"))
    }

    /// A write took too long.
    pub(crate) fn slow() -> Self {
        Self::Away("a write takes too long".to_owned())
    }

    pub(crate) fn is_away(&self) -> bool {
        matches!(self, Self::Away(_))
    }
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        let text = error.to_string();
        if is_away(&error) {
            Self::Away(text)
        } else {
            Self::Failed(text)
        }
    }
}

fn is_away(error: &sqlx::Error) -> bool {
    use sqlx::Error;
    match error {
        Error::Io(_) | Error::Tls(_) | Error::PoolTimedOut | Error::PoolClosed => true,
        Error::Database(told) => told.code().is_some_and(|code| is_passing(&code)),
        _ => false,
    }
}

/// True when a server's refusal is about this moment and not about the statement.
fn is_passing(code: &str) -> bool {
    match code {
        // It takes no more connections; it is shut down, crashed or starts; a lock or a statement
        // took too long; it became a standby.
        "53300" | "57P01" | "57P02" | "57P03" | "55P03" | "57014" | "25006" => true,
        // The connection failed.
        _ => code.len() == 5 && code.starts_with("08"),
    }
}

impl From<serde_json::Error> for DbError {
    fn from(error: serde_json::Error) -> Self {
        let fault = parse_fault::json(&error);
        Self::Failed(format!("a stored value {fault}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{DbError, is_passing};

    #[test]
    fn what_a_stored_value_held_is_not_told() {
        let error = serde_json::from_str::<u64>("\"canary\"").unwrap_err();
        assert!(error.to_string().contains("canary"));
        assert_eq!(
            DbError::from(error).to_string(),
            "the database failed: a stored value has a value of another kind at line 1, column 8"
        );
    }

    #[test]
    fn a_database_that_cannot_be_reached_is_not_one_that_failed() {
        assert!(DbError::from(sqlx::Error::PoolTimedOut).is_away());
        let broken = std::io::Error::other("broken");
        assert!(DbError::from(sqlx::Error::Io(broken)).is_away());
        assert!(!DbError::from(sqlx::Error::RowNotFound).is_away());
        for (code, passing) in [
            ("08006", true),
            ("57P01", true),
            ("55P03", true),
            ("23505", false),
            // Those of SQLite are numbers.
            ("8", false),
            ("13", false),
        ] {
            assert_eq!(is_passing(code), passing, "{code}");
        }
    }
}
