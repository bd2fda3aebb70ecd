//! Copies everything from a file of SQLite to an empty database of PostgreSQL, which takes its place.
//!
//! ```text
//! error   why it stopped
//! file    the old database
//! target  the new database, all tables, and their rows
//! ```
//!
//! One transaction of PostgreSQL makes the tables and copies the rows. Right before its commit a mark
//! in the file is made durable (`moved`), with which no server starts on the file. A process that is
//! killed therefore leaves one of three states: a file without a mark and an empty database, a file with
//! a mark and an empty database, and a file with a mark and all its rows in the new database. A repetition
//! goes on from each of them. Only in the second one the mark may be taken away.

mod error;
mod file;
mod target;
#[cfg(test)]
mod tests;

pub(crate) use error::CopyError;

use crate::database_address::ServerAddress;
use file::OldFile;
use std::path::Path;
use target::{Counts, Target, counts};

/// Copies everything, or finds that everything is copied.
pub(crate) async fn copy(from: &Path, to: &ServerAddress) -> Result<Counts, CopyError> {
    let file = OldFile::take(from).await?;
    let mut target = Target::open(to).await?;
    let is_marked = file.is_marked_for(&target.name)?;
    if !target.is_empty() && !is_marked {
        return Err(CopyError::NotEmpty(target.name));
    }
    let name = file.name().to_owned();
    let mut file = file.hold().await?;
    if !target.is_empty() {
        let counts = counts(file.rows().driver()).await?;
        return match target.counts().await? == counts {
            true => Ok(counts),
            false => Err(CopyError::OtherRows {
                from: name,
                to: target.name,
            }),
        };
    }
    let to = target.name.clone();
    let filled = target.fill(file.rows()).await?;
    let marked = file.mark(&to).await?;
    let counts = filled.commit().await?;
    target.close().await;
    marked.close().await;
    Ok(counts)
}

/// Takes the mark away, after a copy that was interrupted before its end.
pub(crate) async fn abandon(from: &Path, to: &ServerAddress) -> Result<(), CopyError> {
    let file = OldFile::take(from).await?;
    let target = Target::open(to).await?;
    if !file.is_marked_for(&target.name)? {
        return Err(CopyError::NotMarked(file.name().to_owned()));
    }
    if !target.is_empty() {
        return Err(CopyError::MayBeInUse {
            from: file.name().to_owned(),
            to: target.name,
        });
    }
    file.unmark().await?;
    target.close().await;
    Ok(())
}
