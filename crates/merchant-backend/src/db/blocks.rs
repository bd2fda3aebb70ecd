//! Giving an order free whose live operation blocks it: one person asks, another one does it.

use super::{AuditRecord, DbError, audit, operation_row, operations};
use crate::clock::Millis;
use crate::domain::operation::{BLOCK_LISTED, OperationKey};
use sqlx::SqliteConnection;

/// What became of somebody's wish to give an order free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BlockRelease {
    /// It is on record, and waits for a second person.
    Asked,
    /// A second person did it; the old code stays watched.
    Released,
    /// The one who asked cannot do it too.
    SamePerson,
    /// It blocks nobody, or not for long enough.
    NotBlocked,
}

/// See [`super::Db::release_block`].
pub(super) async fn release(
    connection: &mut SqliteConnection,
    key: &OperationKey,
    staff: &str,
    reason: &str,
    now: Millis,
) -> Result<BlockRelease, DbError> {
    let found = operations::find(&mut *connection, key).await?;
    let listed = |since: &Millis| now.saturating_sub(*since) >= BLOCK_LISTED;
    let blocking = found.filter(|record| record.live);
    let blocking = blocking.and_then(|record| Some((record.blocked_since.filter(listed)?, record)));
    let Some((since, mut record)) = blocking else {
        return Ok(BlockRelease::NotBlocked);
    };
    let asked = sqlx::query_scalar::<_, String>(
        "SELECT asked_by FROM block_releases
         WHERE merchant_code = ? AND merchant_operation_number = ? AND blocked_since = ?",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(since)
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
                "UPDATE block_releases SET released_by = ?, released_at = ?
                 WHERE merchant_code = ? AND merchant_operation_number = ? AND blocked_since = ?",
            )
            .bind(staff)
            .bind(now)
            .bind(key.merchant_code.as_str())
            .bind(key.number.as_str())
            .bind(since)
            .execute(&mut *connection)
            .await?;
            record.release();
            operation_row::write(&mut *connection, &record).await?;
            audit::add(connection, &audit_record("release-order")).await?;
            Ok(BlockRelease::Released)
        }
        None => {
            sqlx::query(
                "INSERT INTO block_releases (merchant_code, merchant_operation_number,
                     blocked_since, asked_by, asked_at, reason) VALUES (?, ?, ?, ?, ?, ?)",
            )
            .bind(key.merchant_code.as_str())
            .bind(key.number.as_str())
            .bind(since)
            .bind(staff)
            .bind(now)
            .bind(reason)
            .execute(&mut *connection)
            .await?;
            audit::add(connection, &audit_record("ask-release-order")).await?;
            Ok(BlockRelease::Asked)
        }
    }
}
