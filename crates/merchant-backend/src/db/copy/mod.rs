//! Moves everything from a file of SQLite to a database of PostgreSQL.
//!
//! ```text
//! error   why it stopped
//! tables  the tables, in the order in which they refer to each other
//! value   a value of any table
//! rows    rows, read and added;  digest: the sum of each table
//! target  the new database
//! ```
//!
//! Each step is durable before the next one begins, and a repetition finds out where to go on. The
//! old database is given up before the new one can be used, so a server starts on one of them at
//! the most, wherever the work is interrupted; see `moves`.

mod digest;
mod error;
mod rows;
mod tables;
mod target;
mod value;

pub(crate) use digest::TableDigest;
pub(crate) use error::CopyError;

use super::connections::Db;
use super::moves::{self, Move, Stage};
use super::open::OwnFile;
use super::scope::Scope;
use super::write_transaction::Writing;
use crate::database_address::ServerAddress;
use crate::random;
use digest::whole;
use std::path::Path;
use target::Target;

/// The rows that were copied, table by table.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Copied {
    pub(crate) tables: Vec<TableDigest>,
    /// Of all of them.
    pub(crate) digest: String,
}

impl Copied {
    fn of(tables: Vec<TableDigest>) -> Self {
        let digest = whole(&tables);
        Self { tables, digest }
    }
}

/// A move on its way. Its steps are to be taken in the order in which they stand here.
pub(crate) struct Copying<'a> {
    source: Source<'a>,
    target: Target,
    /// As the old database knows it.
    known: Move,
}

/// The old database, which belongs to this process until the end.
enum Source<'a> {
    Used(Db, Option<Writing>),
    Left(OwnFile<'a>),
}

impl<'a> Copying<'a> {
    /// Opens both, and changes neither.
    pub(crate) async fn open(from: &'a Path, to: &ServerAddress) -> Result<Self, CopyError> {
        if !from.exists() {
            return Err(CopyError::NoSource(from.display().to_string()));
        }
        let own = OwnFile::take(from).await.map_err(CopyError::From)?;
        let mut connection = own.synced.acquire().await?;
        let known = moves::find(&mut connection).await?;
        drop(connection);
        let left = known.as_ref().is_some_and(|one| one.stage == Stage::Left);
        let known = known.map_or_else(|| begun(to), Ok)?;
        let target = Target::open(to).await?;
        if left {
            target.must_await(&known, &own.name)?;
            let source = Source::Left(own);
            return Ok(Self {
                source,
                target,
                known,
            });
        }
        target.must_be_free(&known)?;
        let db = own.open().await.map_err(CopyError::From)?;
        Ok(Self {
            source: Source::Used(db, None),
            target,
            known,
        })
    }

    /// Writes into both that everything is about to move. From now on no server starts on the new
    /// one.
    pub(crate) async fn announce(&mut self, from: &Path) -> Result<(), CopyError> {
        let Source::Used(db, _) = &self.source else {
            return Ok(());
        };
        self.known.other = self.target.name.clone();
        let mut transaction = db.write(Scope::Rows).await?;
        moves::write(&mut transaction, &self.known).await?;
        transaction.commit().await?;
        let from = std::path::absolute(from).unwrap_or_else(|_| from.to_owned());
        let arriving = Move {
            stage: Stage::Arriving,
            other: from.display().to_string(),
            ..self.known.clone()
        };
        self.target.announce(arriving).await
    }

    /// Copies all rows, reads them again, and compares. Nobody writes into the old database until
    /// the end of the next step.
    pub(crate) async fn copy_rows(&mut self) -> Result<Copied, CopyError> {
        let tables = match &mut self.source {
            Source::Left(own) => {
                let mut connection = own.synced.acquire().await?;
                let tables = self.target.digests(&mut connection).await?;
                if self.known.digest.as_deref() != Some(whole(&tables).as_str()) {
                    return Err(CopyError::Changed(own.name.clone()));
                }
                tables
            }
            Source::Used(db, held) => {
                let mut transaction = db.write(Scope::Rows).await?;
                let tables = self.target.fill(&mut transaction).await?;
                *held = Some(transaction);
                tables
            }
        };
        let copied = Copied::of(tables);
        self.known.digest = Some(copied.digest.clone());
        Ok(copied)
    }

    /// Gives the old database up: no server starts on it any more.
    pub(crate) async fn leave(&mut self) -> Result<(), CopyError> {
        self.known.stage = Stage::Left;
        if let Source::Used(_, held) = &mut self.source {
            let mut transaction = held.take().ok_or(CopyError::OutOfTurn)?;
            moves::write(&mut transaction, &self.known).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    /// Lets servers start on the new one.
    pub(crate) async fn arrive(&mut self) -> Result<(), CopyError> {
        if self.known.stage != Stage::Left {
            return Err(CopyError::OutOfTurn);
        }
        self.target.arrive(&self.known).await
    }

    /// Lets go of both.
    pub(crate) async fn close(self) {
        match self.source {
            Source::Used(db, held) => {
                drop(held);
                db.close().await;
            }
            Source::Left(own) => own.synced.close().await,
        }
        self.target.close().await;
    }
}

fn begun(to: &ServerAddress) -> Result<Move, CopyError> {
    Ok(Move {
        id: random::token().map_err(|error| CopyError::Stopped(error.to_string()))?,
        stage: Stage::Leaving,
        other: to.to_string(),
        digest: None,
    })
}
