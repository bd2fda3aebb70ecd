//! `merchant-backend copy`: moves everything from a file of SQLite to a database of PostgreSQL.

use crate::database_address::ServerAddress;
use crate::db::{Copied, CopyError, Copying};
use std::fmt;
use std::path::Path;

/// A move that is complete.
#[derive(Debug)]
pub(crate) struct Moved {
    copied: Copied,
    from: String,
    to: String,
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for one in &self.copied.tables {
            writeln!(f, "{:<20}{:>10} rows  {}", one.table, one.rows, one.digest)?;
        }
        let rows = self.copied.tables.iter().map(|one| one.rows);
        let rows = rows.fold(0, u64::saturating_add);
        let (all, digest) = ("all tables", &self.copied.digest);
        writeln!(f, "{all:<20}{rows:>10} rows  {digest}")?;
        let (from, to) = (&self.from, &self.to);
        writeln!(
            f,
            "{from} was moved to {to}: name that in DATABASE. No server starts on {from} any more; keep it as long as a backup."
        )
    }
}

/// Moves everything. A repetition goes on after an interruption, and says the same after the end.
///
/// # Errors
/// The remedy is in its message.
pub(crate) async fn copy(from: &Path, to: &ServerAddress) -> Result<Moved, CopyError> {
    let mut copying = Copying::open(from, to).await?;
    let copied = all_steps(&mut copying, from).await;
    copying.close().await;
    Ok(Moved {
        copied: copied?,
        from: from.display().to_string(),
        to: to.to_string(),
    })
}

async fn all_steps(copying: &mut Copying<'_>, from: &Path) -> Result<Copied, CopyError> {
    copying.announce(from).await?;
    let copied = copying.copy_rows().await?;
    copying.leave().await?;
    copying.arrive().await?;
    Ok(copied)
}
