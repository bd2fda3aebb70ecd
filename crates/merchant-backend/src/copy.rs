//! `merchant-backend copy`: moves a server from a SQLite file to a PostgreSQL database.

use crate::database_address::ServerAddress;
use crate::db::{self, CopyError};
use std::fmt::Write as _;
use std::path::Path;

/// Copies all rows, and returns the report to print. After an interruption a second call continues; after
/// a complete copy it returns the same report.
///
/// # Errors
/// The copy failed; the message names the remedy.
pub(crate) async fn copy(from: &Path, to: &ServerAddress) -> Result<String, CopyError> {
    let counts = db::copy(from, to).await?;
    let mut report = String::new();
    for (table, rows) in counts {
        // Writing to a string cannot fail.
        let _ = writeln!(report, "{table:<20}{rows:>10} rows");
    }
    let from = from.display();
    let _ = writeln!(
        report,
        "Everything in {from} was copied to {to}: name that in DATABASE. No server starts on {from} any more; keep it as long as a backup."
    );
    Ok(report)
}

/// Abandons an interrupted copy, so that servers start on the old database again. Returns the report to
/// print.
///
/// # Errors
/// The copy cannot be abandoned; the message names the remedy.
pub(crate) async fn abandon(from: &Path, to: &ServerAddress) -> Result<String, CopyError> {
    db::abandon(from, to).await?;
    let from = from.display();
    Ok(format!(
        "The copy was abandoned: {to} is empty, and servers start on {from} again.\n"
    ))
}
