//! `block_releases`: releasing an order that its live operation blocks. One member of staff asks
//! for it, and another one does it.

use super::audit::{self, AuditRecord};
use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::scope::Scope;
use super::{operation_row, operations};
use payment_model::Timestamp;
use payment_rules::operation::OperationKey;
use staff_model::AuditAction;

/// The result of a request to release an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BlockRelease {
    /// The request is stored and waits for a second person.
    Asked,
    /// A second person released it; the old code stays watched.
    Released,
    /// The person who asked cannot release it too.
    SamePerson,
    /// The operation blocks no order, or not for long enough.
    NotBlocked,
}

impl Db {
    /// Releases the order of an operation that has blocked it for long, if another person asked for
    /// it before; writes the audit record.
    pub(crate) async fn release_block(
        &self,
        key: &OperationKey,
        staff: &str,
        reason: &str,
        now: Timestamp,
    ) -> Result<BlockRelease, DbError> {
        let mut transaction = self.write(Scope::Operation(key)).await?;
        let release = release(&mut transaction, key, staff, reason, now).await?;
        transaction.commit().await?;
        Ok(release)
    }
}

async fn release(
    connection: &mut Connection,
    key: &OperationKey,
    staff: &str,
    reason: &str,
    now: Timestamp,
) -> Result<BlockRelease, DbError> {
    let found = operations::find(&mut *connection, key).await?;
    let blocking = found.and_then(|record| Some((record.long_blocked_since(now)?, record)));
    let Some((since, mut record)) = blocking else {
        return Ok(BlockRelease::NotBlocked);
    };
    let asked = sqlx::query_scalar::<_, String>(
        "SELECT asked_by FROM block_releases
         WHERE merchant_code = $1 AND merchant_operation_number = $2 AND blocked_since = $3",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(since.as_millis())
    .fetch_optional(&mut *connection)
    .await?;
    let audit_record = |action| AuditRecord {
        staff: staff.to_owned(),
        action,
        key: Some(key.clone()),
        detail: reason.to_owned(),
    };
    match asked {
        Some(by) if by == staff => Ok(BlockRelease::SamePerson),
        Some(_) => {
            sqlx::query(
                "UPDATE block_releases SET released_by = $1, released_at = $2
                 WHERE merchant_code = $3 AND merchant_operation_number = $4 AND blocked_since = $5",
            )
            .bind(staff)
            .bind(now.as_millis())
            .bind(key.merchant_code.as_str())
            .bind(key.number.as_str())
            .bind(since.as_millis())
            .execute(&mut *connection)
            .await?;
            record.release_block();
            operation_row::write(&mut *connection, &record).await?;
            audit::add(connection, &audit_record(AuditAction::ReleaseOrder)).await?;
            Ok(BlockRelease::Released)
        }
        None => {
            sqlx::query(
                "INSERT INTO block_releases (merchant_code, merchant_operation_number,
                     blocked_since, asked_by, asked_at, reason) VALUES ($1, $2, $3, $4, $5, $6)",
            )
            .bind(key.merchant_code.as_str())
            .bind(key.number.as_str())
            .bind(since.as_millis())
            .bind(staff)
            .bind(now.as_millis())
            .bind(reason)
            .execute(&mut *connection)
            .await?;
            audit::add(connection, &audit_record(AuditAction::AskReleaseOrder)).await?;
            Ok(BlockRelease::Asked)
        }
    }
}
