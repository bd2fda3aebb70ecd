//! The exceptions that a payment's own facts decide: each save of a payment writes them anew
//! (`payment_rules::payment::Order::exceptions_of`), and staff resolve them. [`super::exception_list`] reads them.

use super::audit;
use super::columns::key;
use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::load_order::{LoadBy, load};
use super::lock::Lock;
use payment_model::Timestamp;
use payment_rules::operation::OperationKey;
use payment_rules::payment::{EXCEPTIONS_VERSION, FoundException, Order};
use payment_rules::staff::AuditRecord;
use staff_model::ResolveException;

/// Writes the exceptions of the payments whose exceptions a change made others.
pub(super) async fn save(
    connection: &mut Connection,
    before: &Order,
    after: &Order,
) -> Result<(), DbError> {
    for payment in &after.payments {
        let key = &payment.operation.key;
        let known = before.payment(key).map(|one| before.exceptions_of(one));
        let found = after.exceptions_of(payment);
        if known.unwrap_or_default() != found {
            replace(connection, key, &found).await?;
        }
    }
    Ok(())
}

/// Writes the exceptions of a payment, without those that staff have resolved.
pub(super) async fn replace(
    connection: &mut Connection,
    key: &OperationKey,
    found: &[FoundException],
) -> Result<(), DbError> {
    let (code, number) = (key.merchant_code.as_str(), key.number.as_str());
    for sql in [
        "DELETE FROM exceptions WHERE merchant_code = $1 AND merchant_operation_number = $2",
        "UPDATE operations SET exceptions_version = $3
         WHERE merchant_code = $1 AND merchant_operation_number = $2 AND exceptions_version <> $3",
    ] {
        let statement = sqlx::query(sql).bind(code).bind(number);
        let statement = statement.bind(i64::from(EXCEPTIONS_VERSION));
        statement.execute(&mut *connection).await?;
    }
    for (place, one) in (0_i64..).zip(found) {
        sqlx::query(
            "INSERT INTO exceptions (merchant_code, merchant_operation_number, place, kind, since,
                 listed_from, detail)
             SELECT $1, $2, $3, $4, $5, $6, $7 WHERE NOT EXISTS (SELECT 1 FROM resolved_exceptions
                 WHERE merchant_code = $1 AND merchant_operation_number = $2 AND kind = $4
                     AND since >= $5)",
        )
        .bind(code)
        .bind(number)
        .bind(place)
        .bind(one.kind.as_str())
        .bind(one.since.as_millis())
        .bind(one.listed_from.map(Timestamp::as_millis))
        .bind(&one.detail)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// How many payments have exceptions that an earlier version of the rules found.
pub(super) async fn count_old(connection: &mut Connection) -> Result<i64, DbError> {
    let old = sqlx::query_scalar("SELECT count(*) FROM operations WHERE exceptions_version < $1");
    let old = old.bind(i64::from(EXCEPTIONS_VERSION));
    Ok(old.fetch_one(connection).await?)
}

impl Db {
    /// Finds the exceptions of some payments anew that an earlier version of the rules found; returns how many payments
    /// there were.
    pub(crate) async fn renew_exceptions(&self, limit: u32) -> Result<usize, DbError> {
        let old = sqlx::query(
            "SELECT merchant_code, merchant_operation_number FROM operations
             WHERE exceptions_version < $1 LIMIT $2",
        );
        let rows = old
            .bind(i64::from(EXCEPTIONS_VERSION))
            .bind(i64::from(limit))
            .fetch_all(&mut self.reader().await?)
            .await?;
        for row in &rows {
            let key = key(row)?;
            let mut transaction = self.write(Lock::Operation(&key)).await?;
            if let Some(order) = load(&mut transaction, LoadBy::Operation(&key)).await? {
                for payment in &order.payments {
                    let found = order.exceptions_of(payment);
                    replace(&mut transaction, &payment.operation.key, &found).await?;
                }
            }
            transaction.commit().await?;
        }
        Ok(rows.len())
    }
}

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
        let mut transaction = self.write(Lock::Operation(key)).await?;
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
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "DELETE FROM exceptions WHERE merchant_code = $1 AND merchant_operation_number = $2
             AND kind = $3 AND since <= $4",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(wanted.kind.as_str())
    .bind(since.as_millis())
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests;
