use crate::db::error::{DatabaseError, DbError};

/// Why a database was not moved; each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CopyError {
    #[error("--from: {0} is not there; name the file that DATABASE names")]
    NoSource(String),
    /// The old one cannot be used.
    #[error("--from: {}", without_setting(.0))]
    From(DatabaseError),
    /// The new one cannot be used.
    #[error("--to: {}", without_setting(.0))]
    To(DatabaseError),
    #[error("--to: {0} is not empty; make a new database, and name that one")]
    NotEmpty(String),
    #[error("--to: {from} was moved to {to}; name that one")]
    Elsewhere { from: String, to: String },
    #[error(
        "{to} has other rows than {from}. If a server has run on it since the copy, the copy is complete: name it in DATABASE. If a server was started on it before the copy was complete, make it anew, and run the copy again"
    )]
    OtherRows { from: String, to: String },
    #[error("--from: {0} was not moved, so that servers start on it; there is nothing to abandon")]
    NotMarked(String),
    #[error(
        "{to} is not empty, so that a server may run on it, and {from} stays unusable; run the copy again without --abandon, which says whether it is complete"
    )]
    MayBeInUse { from: String, to: String },
    #[error(
        "PostgreSQL does not take a row of the table {table} whose rowid is above {after} and not above {last} ({cause}); nothing was moved. Mend that row, and run the copy again"
    )]
    NotTaken {
        table: &'static str,
        after: i64,
        last: i64,
        cause: String,
    },
    #[error("the numbers of rows differ between the two databases; nothing was moved")]
    Differs,
    #[error(
        "the copy stopped ({0}); run it again, or go back to the old database with copy --abandon"
    )]
    Stopped(String),
}

/// The message of a start names the setting; the message of a copy names its argument.
fn without_setting(error: &DatabaseError) -> String {
    let text = error.to_string();
    text.strip_prefix("DATABASE: ").unwrap_or(&text).to_owned()
}

impl From<DbError> for CopyError {
    fn from(error: DbError) -> Self {
        Self::Stopped(error.to_string())
    }
}

impl From<sqlx::Error> for CopyError {
    fn from(error: sqlx::Error) -> Self {
        Self::from(DbError::from(error))
    }
}
