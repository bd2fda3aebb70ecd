//! The reasons not to use a database.

/// Why the database cannot be used; each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file, or the one beside it that marks it as taken, cannot be opened.
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
    /// Another program made its tables, or a build of this one with other migrations.
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
