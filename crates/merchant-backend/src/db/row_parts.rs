//! Columns that several tables of the ledger share.

use super::DbError;
use crate::domain::ledger::{Asker, Release};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

pub(super) fn asker(row: &SqliteRow) -> Result<Asker, DbError> {
    Ok(Asker {
        staff: row.try_get("staff")?,
        key: row.try_get("idempotency_key")?,
    })
}

pub(super) fn release(row: &SqliteRow) -> Result<Option<Release>, DbError> {
    let Some(by) = row.try_get("released_by")? else {
        return Ok(None);
    };
    Ok(Some(Release {
        by,
        at: row.try_get("released_at")?,
        reason: row.try_get("release_reason")?,
    }))
}
