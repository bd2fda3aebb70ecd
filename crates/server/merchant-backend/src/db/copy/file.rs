//! The old database.

use super::error::CopyError;
use crate::db::connections::Db;
use crate::db::engine::Connection;
use crate::db::lock::Lock;
use crate::db::open::OwnFile;
use crate::db::preconditions;
use crate::db::write_transaction::WriteTx;
use std::path::Path;

/// A file that this process has locked.
pub(super) struct OldFile<'a> {
    own: OwnFile<'a>,
    /// The new database, if the file is marked.
    target: Option<String>,
}

impl<'a> OldFile<'a> {
    pub(super) async fn take(path: &'a Path) -> Result<Self, CopyError> {
        if !path.exists() {
            return Err(CopyError::NoSource(path.display().to_string()));
        }
        let own = OwnFile::take(path).await.map_err(CopyError::From)?;
        let target = preconditions::moved_to(&mut own.synced.acquire().await?).await?;
        Ok(Self { own, target })
    }

    pub(super) fn name(&self) -> &str {
        &self.own.name
    }

    /// True when the file is marked as moved to this database. A mark of another one is an error.
    pub(super) fn is_marked_for(&self, name: &str) -> Result<bool, CopyError> {
        match &self.target {
            Some(target) if target != name => Err(CopyError::Elsewhere {
                from: self.own.name.clone(),
                to: target.clone(),
            }),
            target => Ok(target.is_some()),
        }
    }

    pub(super) async fn unmark(self) -> Result<(), CopyError> {
        preconditions::unmark(&mut self.own.synced.acquire().await?).await?;
        self.own.synced.close().await;
        Ok(())
    }

    /// Ends the requests that a stopped server left in flight, as every start does, and locks out writers.
    pub(super) async fn hold(self) -> Result<HeldFile, CopyError> {
        let db = self.own.open().await.map_err(CopyError::From)?;
        let rows = db.write(Lock::None).await?;
        Ok(HeldFile { db, rows })
    }
}

/// The old file under the lock of its only writer.
pub(super) struct HeldFile {
    db: Db,
    rows: WriteTx,
}

impl HeldFile {
    pub(super) fn rows(&mut self) -> &mut Connection {
        &mut self.rows
    }

    /// Marks the file durably, so that no server starts on it. This process keeps the file until the
    /// returned database is closed.
    pub(super) async fn mark(mut self, target: &str) -> Result<Db, CopyError> {
        preconditions::mark_as_moved(&mut self.rows, target).await?;
        self.rows.commit().await?;
        Ok(self.db)
    }
}
