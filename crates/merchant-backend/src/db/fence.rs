//! `fence`: the instant of the last restore, or of the last takeover by a server that lacks commits.
//! What is older may have changed at the payment service without this database knowing: nothing of
//! it is removed, cancelled without a fresh state, or given back before staff confirm it. They confirm an operation by resolving its exception, and
//! everything by the command `restored --compared`.

use super::audit;
use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::scope::Scope;
use payment_model::Timestamp;
use payment_rules::operation::OperationKey;
use payment_rules::staff::AuditRecord;
use staff_model::{AuditAction, ExceptionKind};

/// The name in the audit record.
const WHO: &str = "restored (command)";

/// True for a row of `orders` or `events` that may be removed; with a fence, only what is newer.
pub(super) const REMOVABLE: &str = "created_at >= coalesce((SELECT at FROM fence), created_at)";

impl Db {
    /// Sets the fence, behind everything that is known, and ends the sessions of staff, some of
    /// whom may have signed out since the backup.
    pub(crate) async fn set_fence(&self, now: Timestamp) -> Result<(), DbError> {
        let mut transaction = self.write(Scope::Rows).await?;
        let detail = "the database was restored from a backup";
        set(&mut transaction, now, &record(detail)).await?;
        transaction.commit().await
    }

    /// Takes the fence away; `false` when there was none.
    pub(crate) async fn end_fence(&self) -> Result<bool, DbError> {
        let mut transaction = self.write(Scope::Rows).await?;
        let ended = sqlx::query("DELETE FROM fence").execute(&mut *transaction);
        let ended = ended.await?.rows_affected() > 0;
        if ended {
            let detail = "all that is older than the restore was compared with the service";
            audit::add(&mut transaction, &record(detail)).await?;
        }
        transaction.commit().await?;
        Ok(ended)
    }

    /// The fence, while there is one.
    pub(crate) async fn fence(&self) -> Result<Option<Timestamp>, DbError> {
        find(&mut *self.reader().await?).await
    }

    /// True for an operation from before the fence that nobody has confirmed.
    pub(crate) async fn is_fenced(&self, key: &OperationKey) -> Result<bool, DbError> {
        let fenced = sqlx::query_scalar::<_, i64>(
            "SELECT count(*) FROM operations o JOIN fence f ON o.created_at < f.at
             WHERE o.merchant_code = $1 AND o.merchant_operation_number = $2
                 AND NOT EXISTS (SELECT 1 FROM resolved_exceptions x
                     WHERE x.merchant_code = o.merchant_code
                         AND x.merchant_operation_number = o.merchant_operation_number
                         AND x.kind = $3 AND x.since >= f.at)",
        )
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .bind(ExceptionKind::Restored.as_str())
        .fetch_one(&mut *self.reader().await?)
        .await?;
        Ok(fenced > 0)
    }
}

/// See [`Db::set_fence`]; the record says who sets it, and why.
pub(super) async fn set(
    connection: &mut Connection,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<(), DbError> {
    let newest = sqlx::query_scalar::<_, i64>(
        "SELECT max(at) FROM (SELECT coalesce(max(created_at), 0) AS at FROM orders
            UNION ALL SELECT coalesce(max(created_at), 0) FROM operations) AS known",
    );
    let newest = newest.fetch_one(&mut *connection).await?;
    let at = now.max(Timestamp::from_millis(newest.saturating_add(1)));
    sqlx::query(
        "INSERT INTO fence (one, at) VALUES (1, $1)
         ON CONFLICT (one) DO UPDATE SET at = excluded.at",
    )
    .bind(at.as_millis())
    .execute(&mut *connection)
    .await?;
    // Their numbers may have been used since the backup.
    sqlx::query("UPDATE operations SET unsent = 0, version = version + 1 WHERE unsent = 1")
        .execute(&mut *connection)
        .await?;
    // Their answers may have come since the backup, and with them their codes to payers.
    sqlx::query(
        "UPDATE operations SET code_may_be_out = 1, due_at = NULL, planned_at = NULL,
             leased_until = NULL, version = version + 1
         WHERE phase IN ('sending', 'in_doubt')",
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query("DELETE FROM staff_sessions")
        .execute(&mut *connection)
        .await?;
    audit::add(connection, record).await
}

pub(super) async fn find(connection: &mut Connection) -> Result<Option<Timestamp>, DbError> {
    let at = sqlx::query_scalar::<_, i64>("SELECT at FROM fence");
    let at = at.fetch_optional(connection).await?;
    Ok(at.map(Timestamp::from_millis))
}

fn record(detail: &str) -> AuditRecord {
    AuditRecord {
        staff: WHO.to_owned(),
        action: AuditAction::Restore,
        key: None,
        detail: detail.to_owned(),
    }
}
