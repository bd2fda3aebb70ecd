//! The failures of a statement, and the reasons not to use a database.

use crate::random::NoRandomness;
use crate::redacted_parse_error;
use payment_rules::payment::DocumentError;

/// A failure of the database; the message is for the log.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum DbError {
    /// It cannot be reached, or cannot do this now. A repetition may succeed.
    #[error("the database cannot do it now: {0}")]
    Away(String),
    /// It refused a statement, or a value in it cannot be read. A repetition would fail too.
    #[error("the database failed: {0}")]
    Failed(String),
    /// A later version of the program wrote a payment, which a server of that version can change.
    #[error("{0}")]
    Later(String),
    /// A payment changed in each try to plan its next query, or beside a change that had not locked it. A repetition may
    /// succeed.
    #[error("a payment changed while it was written")]
    Changing,
    /// A new operation has the number of an existing one.
    #[error("the operation number is taken")]
    NumberTaken,
    /// Another run has claimed the request's idempotency key, or has ended it.
    #[error("another run of the request has its idempotency key")]
    ClaimLost,
    /// An id or a token of a new row could not be made.
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
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

    /// True when a repetition may succeed.
    pub(crate) fn is_away(&self) -> bool {
        matches!(self, Self::Away(_) | Self::Changing)
    }
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        let text = error.to_string();
        if is_final(&error) {
            Self::Failed(text)
        } else {
            Self::Away(text)
        }
    }
}

/// True when a retry would fail too. An error of an unknown kind is retried, because giving up would
/// throw away an answer that a retry might store.
fn is_final(error: &sqlx::Error) -> bool {
    use sqlx::Error;
    match error {
        Error::Database(cause) => cause.code().is_some_and(|code| is_final_code(&code)),
        Error::Configuration(_)
        | Error::InvalidArgument(_)
        | Error::RowNotFound
        | Error::TypeNotFound { .. }
        | Error::ColumnIndexOutOfBounds { .. }
        | Error::ColumnNotFound(_)
        | Error::ColumnDecode { .. }
        | Error::Encode(_)
        | Error::Decode(_)
        | Error::AnyDriverError(_) => true,
        _ => false,
    }
}

/// True for a code that is about the statement, its values, the schema or damaged data, and not
/// about this moment.
fn is_final_code(code: &str) -> bool {
    // PostgreSQL has five characters, the first two of them a class; SQLite has a number, whose low
    // byte is the kind of the error.
    if code.len() == 5 {
        let class = code.get(..2).unwrap_or_default();
        return matches!(class, "0A" | "21" | "22" | "23" | "42" | "44" | "54" | "P0")
            || matches!(code, "40002" | "XX001" | "XX002");
    }
    // A wrong statement, damage, an unknown word, too big a value, a constraint, a wrong type,
    // misuse, a wrong parameter, no database at all.
    let kind = code.parse::<u32>().map(|code| code & 0xff);
    matches!(kind, Ok(1 | 11 | 12 | 18 | 19 | 20 | 21 | 25 | 26))
}

impl From<serde_json::Error> for DbError {
    fn from(error: serde_json::Error) -> Self {
        let fault = redacted_parse_error::json(&error);
        Self::Failed(format!("a stored value {fault}"))
    }
}

impl From<DocumentError> for DbError {
    fn from(error: DocumentError) -> Self {
        match error {
            DocumentError::Damaged(cause) => cause.into(),
            DocumentError::Later(_) => Self::Later(error.to_string()),
        }
    }
}

/// Why the database cannot be used; each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file, or its lock file, cannot be opened.
    #[error(
        "DATABASE: {path} cannot be opened ({cause}); name a file in a directory that exists and may be written"
    )]
    Unreadable {
        /// The file.
        path: String,
        /// The cause, in the system's words.
        cause: String,
    },
    /// Another process uses it.
    #[error(
        "DATABASE: {0} is in use by another merchant-backend; stop that one or name another file"
    )]
    InUse(String),
    /// A newer program wrote it.
    #[error("DATABASE: {0} was written by a newer version; run that version, or name another file")]
    Newer(String),
    /// A build of this program from before the first release made its tables, most likely.
    #[error(
        "DATABASE: another build of this program made the tables of {0}, most likely one from before the first release, and this one cannot take them over; name an empty database, or run that build"
    )]
    OtherBuild(String),
    /// Another program made its tables.
    #[error(
        "DATABASE: {0} has tables that this program did not make; name an empty database, or the one that this program made"
    )]
    Foreign(String),
    /// The schema could not be brought up to date.
    #[error("DATABASE: the schema of {0} cannot be brought up to date: {1}")]
    Schema(String, String),
    /// A setting did not take effect.
    #[error(
        "DATABASE: {path} does not keep {wanted} (it answered {found}); use a local file system"
    )]
    Careless {
        /// The file.
        path: String,
        /// The setting.
        wanted: &'static str,
        /// The value when it was read back.
        found: String,
    },
    /// The server does not answer, or does not take this user.
    #[error(
        "DATABASE: {name} cannot be used ({cause}); check that PostgreSQL runs there, that the database exists, and that its user may use it"
    )]
    Unreachable {
        /// The server and the database, without a user or a password.
        name: String,
        /// The cause, in the words of the system or the server.
        cause: String,
    },
    /// The server follows another one.
    #[error("DATABASE: {0} is a standby; name the server that it follows")]
    Standby(String),
    /// The server loses what it committed when the power fails.
    #[error("DATABASE: {name} runs with {setting}=off, and may lose payments; set {setting}=on")]
    Loses {
        /// The server and the database.
        name: String,
        /// The setting.
        setting: &'static str,
    },
    /// Everything in it was copied to another database, which took its place, or is about to be.
    #[error(
        "DATABASE: {name} was moved to {to}; name that one. If the copy was interrupted, run `merchant-backend copy` again, or take the file back with `copy --abandon`"
    )]
    Moved {
        /// The file.
        name: String,
        /// The database in its place, without a user or a password.
        to: String,
    },
}

#[cfg(test)]
mod tests {
    use super::{DbError, is_final_code};

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
    }

    #[test]
    fn only_what_a_repetition_cannot_cure_is_final() {
        for (code, is_final) in [
            // SQLite: constraints (a unique index, a trigger), a wrong statement, damage.
            ("2067", true),
            ("1811", true),
            ("1", true),
            ("11", true),
            // Busy, locked, out of memory, read-only, an error of the disk (also of a write), a full
            // disk, too many open files, a code of a later version.
            ("5", false),
            ("517", false),
            ("6", false),
            ("7", false),
            ("8", false),
            ("10", false),
            ("778", false),
            ("13", false),
            ("14", false),
            ("99", false),
            // PostgreSQL: constraints, our triggers, values, statements, damage.
            ("23505", true),
            ("40002", true),
            ("P0001", true),
            ("22003", true),
            ("42P01", true),
            ("XX001", true),
            // The connection, locks and time limits, a transaction that stood still, a standby.
            ("08006", false),
            ("55P03", false),
            ("57014", false),
            ("57P01", false),
            ("25P03", false),
            ("25006", false),
            // A deadlock, a change beside this one, a full disk, memory, connections, the disk.
            ("40P01", false),
            ("40001", false),
            ("53100", false),
            ("53200", false),
            ("53300", false),
            ("58030", false),
            // Codes of a later version.
            ("XX000", false),
            ("ZZ123", false),
        ] {
            assert_eq!(is_final_code(code), is_final, "{code}");
        }
    }
}
