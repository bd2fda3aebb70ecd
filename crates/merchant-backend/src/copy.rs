//! `merchant-backend copy`: copies everything from a file of SQLite to a database of PostgreSQL, which
//! takes its place.

use crate::database_address::ServerAddress;
use crate::db::{self, CopyError};
use std::fmt::Write as _;
use std::path::Path;

/// Copies everything, and returns what to tell. A repetition goes on after an interruption, and tells
/// the same after the end.
///
/// # Errors
/// The remedy is in its message.
pub(crate) async fn copy(from: &Path, to: &ServerAddress) -> Result<String, CopyError> {
    let counts = db::copy(from, to).await?;
    let mut told = String::new();
    for (table, rows) in counts {
        // A string takes everything.
        let _ = writeln!(told, "{table:<20}{rows:>10} rows");
    }
    let from = from.display();
    let _ = writeln!(
        told,
        "Everything in {from} was copied to {to}: name that in DATABASE. No server starts on {from} any more; keep it as long as a backup."
    );
    Ok(told)
}

/// Lets servers start on the old database again, after a copy that was interrupted before its end.
///
/// # Errors
/// The remedy is in its message.
pub(crate) async fn abandon(from: &Path, to: &ServerAddress) -> Result<String, CopyError> {
    db::abandon(from, to).await?;
    let from = from.display();
    Ok(format!(
        "The copy was abandoned: {to} is empty, and servers start on {from} again.\n"
    ))
}
