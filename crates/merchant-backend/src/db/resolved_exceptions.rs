//! `resolved_exceptions`: exceptions that staff have resolved.

use super::audit;
use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::scope::Scope;
use payment_model::Timestamp;
use payment_rules::operation::OperationKey;
use payment_rules::staff::AuditRecord;
use staff_model::ResolveException;

impl Db {
    /// Takes an exception with this beginning off the list, and writes the audit record, in one
    /// transaction.
    pub(crate) async fn resolve(
        &self,
        key: &OperationKey,
        wanted: &ResolveException,
        since: Timestamp,
        record: &AuditRecord,
        now: Timestamp,
    ) -> Result<(), DbError> {
        let mut transaction = self.write(Scope::Operation(key)).await?;
        resolve(&mut transaction, key, wanted, since, &record.staff, now).await?;
        audit::add(&mut transaction, record).await?;
        transaction.commit().await
    }
}

async fn resolve(
    connection: &mut Connection,
    key: &OperationKey,
    wanted: &ResolveException,
    since: Timestamp,
    staff: &str,
    now: Timestamp,
) -> Result<(), DbError> {
    sqlx::query(
        "INSERT INTO resolved_exceptions (merchant_code, merchant_operation_number, kind, since,
             staff, at, reason) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (merchant_code, merchant_operation_number, kind) DO UPDATE SET
             since = excluded.since, staff = excluded.staff, at = excluded.at, reason = excluded.reason",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(wanted.kind.as_str())
    .bind(since.as_millis())
    .bind(staff)
    .bind(now.as_millis())
    .bind(wanted.reason.trim())
    .execute(connection)
    .await?;
    Ok(())
}
