//! Who did what: rows that are added and never changed.

use super::DbError;
use crate::clock::now;
use crate::domain::operation::OperationKey;
use sqlx::{Row, SqliteConnection};
use staff_model::AuditEntry;

/// The most that one operation shows; more would be a program's doing.
const MOST: u32 = 500;

/// What a member of staff did; no person and no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AuditRecord {
    pub(crate) staff: String,
    pub(crate) action: &'static str,
    /// The operation that it was done to, if it was one.
    pub(crate) key: Option<OperationKey>,
    pub(crate) detail: String,
}

pub(super) async fn add(
    connection: &mut SqliteConnection,
    record: &AuditRecord,
) -> Result<(), DbError> {
    let key = record.key.as_ref();
    sqlx::query(
        "INSERT INTO audit (at, staff, action, merchant_code, merchant_operation_number, detail)
         VALUES (?, ?, ?, ?, ?, ?)",
    )
    .bind(now())
    .bind(&record.staff)
    .bind(record.action)
    .bind(key.map(|key| key.merchant_code.as_str()))
    .bind(key.map(|key| key.number.as_str()))
    .bind(&record.detail)
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn of_operation(
    connection: &mut SqliteConnection,
    key: &OperationKey,
) -> Result<Vec<AuditEntry>, DbError> {
    let rows = sqlx::query(
        "SELECT at, staff, action, detail FROM audit
         WHERE merchant_code = ? AND merchant_operation_number = ? ORDER BY id DESC LIMIT ?",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(MOST)
    .fetch_all(connection)
    .await?;
    let entry = |row: &sqlx::sqlite::SqliteRow| {
        Ok(AuditEntry {
            at: row.try_get("at")?,
            staff: row.try_get("staff")?,
            action: row.try_get("action")?,
            detail: row.try_get("detail")?,
        })
    };
    rows.iter().map(entry).collect()
}
