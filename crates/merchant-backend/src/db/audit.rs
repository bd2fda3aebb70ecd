//! `audit`: the acts of staff; rows are added and never changed.

use super::columns::instant;
use super::connections::Db;
use super::engine::{Connection, Row};
use super::error::DbError;
use super::scope::Scope;
use crate::clock::now;
use crate::domain::operation::OperationKey;
use sqlx::Row as _;
use staff_model::{AuditAction, AuditEntry};

/// The most entries of one operation in an answer; only a program would make more.
const MOST: i64 = 500;

/// An act of a member of staff; no person and no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AuditRecord {
    pub(crate) staff: String,
    pub(crate) action: AuditAction,
    /// The operation of the act, if it has one.
    pub(crate) key: Option<OperationKey>,
    pub(crate) detail: String,
}

impl Db {
    /// Stores an act before it is done, or its result.
    pub(crate) async fn audit(&self, record: &AuditRecord) -> Result<(), DbError> {
        let mut transaction = self.write(Scope::Rows).await?;
        add(&mut transaction, record).await?;
        transaction.commit().await
    }

    /// The acts on an operation, the newest first.
    pub(crate) async fn audit_entries(
        &self,
        key: &OperationKey,
    ) -> Result<Vec<AuditEntry>, DbError> {
        let rows = sqlx::query(
            "SELECT at, staff, action, detail FROM audit
             WHERE merchant_code = $1 AND merchant_operation_number = $2
             ORDER BY id DESC LIMIT $3",
        )
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .bind(MOST)
        .fetch_all(&mut *self.reader().await?)
        .await?;
        rows.iter().map(read).collect()
    }
}

fn read(row: &Row) -> Result<AuditEntry, DbError> {
    Ok(AuditEntry {
        at: instant(row, "at")?,
        staff: row.try_get("staff")?,
        action: row.try_get::<&str, _>("action")?.into(),
        detail: row.try_get("detail")?,
    })
}

pub(super) async fn add(connection: &mut Connection, record: &AuditRecord) -> Result<(), DbError> {
    let key = record.key.as_ref();
    sqlx::query(
        "INSERT INTO audit (at, staff, action, merchant_code, merchant_operation_number, detail)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(now().as_millis())
    .bind(&record.staff)
    .bind(record.action.as_str())
    .bind(key.map(|key| key.merchant_code.as_str()))
    .bind(key.map(|key| key.number.as_str()))
    .bind(&record.detail)
    .execute(connection)
    .await?;
    Ok(())
}
