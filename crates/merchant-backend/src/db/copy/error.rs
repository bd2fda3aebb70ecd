use crate::db::database_error::DatabaseError;
use crate::db::error::DbError;

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
    #[error(
        "--to: {name} holds an unfinished copy of {from}; finish that one, or make a new database and name it"
    )]
    OfAnother { name: String, from: String },
    #[error(
        "--from: {from} was moved to {to}, and {name} holds no copy of it; name the database that it was moved to"
    )]
    Elsewhere {
        from: String,
        to: String,
        name: String,
    },
    #[error("--from: {from} was moved to {to} already; name that one in DATABASE")]
    Already { from: String, to: String },
    /// The text itself may be a person's.
    #[error(
        "row {row} of the table {table} has the character U+0000 in {column}, which PostgreSQL cannot keep; nothing was moved. Remove the character from that row, and run the copy again"
    )]
    NoText {
        table: &'static str,
        column: String,
        row: i64,
    },
    #[error(
        "row {row} of the table {table} cannot be read in {column} ({cause}); nothing was moved. Mend that row, and run the copy again"
    )]
    Unreadable {
        table: &'static str,
        column: String,
        row: i64,
        cause: String,
    },
    #[error(
        "PostgreSQL does not take the rows of the table {table} ({cause}); nothing was moved, and the old database can be used"
    )]
    NotTaken { table: &'static str, cause: String },
    #[error(
        "the rows of the table {0} are not the same in both databases; nothing was moved, and the old database can be used"
    )]
    Differs(&'static str),
    #[error(
        "the copy of {0} was changed before it was finished; make a new database from a backup of the old one, or ask who changed it"
    )]
    Changed(String),
    #[error("the copy stopped ({0}); run it again, and it goes on")]
    Stopped(String),
    /// A mistake of this program.
    #[error("the steps of the copy were not taken in their order")]
    OutOfTurn,
}

/// The setting's name stands in the message of a start.
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
