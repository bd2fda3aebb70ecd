//! The exceptions that a payment's own facts decide: each save of a payment writes them anew
//! (`payment_rules::payment::Order::exceptions_of`), and staff resolve them. [`super::exception_list`] reads them.

use super::audit;
use super::columns::key;
use super::connections::Db;
use super::due::unreadable;
use super::engine::Connection;
use super::error::DbError;
use super::load_order::{LoadBy, load};
use super::lock::Lock;
use super::refused_codes;
use payment_model::Timestamp;
use payment_rules::operation::OperationKey;
use payment_rules::payment::{EXCEPTIONS_VERSION, FoundException, Order};
use payment_rules::staff::AuditRecord;
use staff_model::{ExceptionKind, ResolveException};

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
    // By the rules of a later version a change may matter that matters not by these: it finds these rows again.
    sqlx::query(
        "UPDATE operations SET exceptions_version = $3
         WHERE order_id = $1 AND merchant_code = $2 AND exceptions_version > $3",
    )
    .bind(&after.facts.order_id)
    .bind(&after.facts.merchant_code)
    .bind(i64::from(EXCEPTIONS_VERSION))
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes the exceptions of a payment, without those that staff have resolved: that covers what the list showed then.
pub(super) async fn replace(
    connection: &mut Connection,
    key: &OperationKey,
    found: &[FoundException],
) -> Result<(), DbError> {
    let (code, number) = (key.merchant_code.as_str(), key.number.as_str());
    let earlier =
        "DELETE FROM exceptions WHERE merchant_code = $1 AND merchant_operation_number = $2";
    let earlier = sqlx::query(earlier).bind(code).bind(number);
    earlier.execute(&mut *connection).await?;
    sqlx::query(
        "UPDATE operations SET exceptions_version = $3
         WHERE merchant_code = $1 AND merchant_operation_number = $2 AND exceptions_version <> $3",
    )
    .bind(code)
    .bind(number)
    .bind(i64::from(EXCEPTIONS_VERSION))
    .execute(&mut *connection)
    .await?;
    for (place, one) in (0_i64..).zip(found) {
        sqlx::query(
            "INSERT INTO exceptions (merchant_code, merchant_operation_number, place, kind, since,
                 listed_from, detail)
             SELECT $1, $2, $3, $4, $5, $6, $7 WHERE NOT EXISTS (SELECT 1 FROM resolved_exceptions
                 WHERE merchant_code = $1 AND merchant_operation_number = $2 AND kind = $4
                     AND since >= $5 AND (at >= $6 OR CAST($6 AS BIGINT) IS NULL))",
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

/// How far a renewal came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Renewed {
    /// How many payments there were.
    pub(crate) count: usize,
    /// The last of them.
    pub(crate) last: OperationKey,
}

impl Db {
    /// Finds the exceptions of some payments anew that an earlier version of the rules found, after those up to this one;
    /// `None` if there are no more. What cannot be read is left out.
    pub(crate) async fn renew_exceptions(
        &self,
        after: &OperationKey,
        limit: u32,
    ) -> Result<Option<Renewed>, DbError> {
        let mut reader = self.reader().await?;
        // An index answers that, and usually there is nothing more to do.
        let oldest = sqlx::query_scalar("SELECT min(exceptions_version) FROM operations");
        let oldest: Option<i64> = oldest.fetch_one(&mut reader).await?;
        let version = i64::from(EXCEPTIONS_VERSION);
        if oldest.is_none_or(|oldest| oldest >= version) {
            return Ok(None);
        }
        let old = sqlx::query(
            "SELECT merchant_code, merchant_operation_number FROM operations
             WHERE exceptions_version < $1 AND (merchant_code, merchant_operation_number) > ($2, $3)
             ORDER BY merchant_code, merchant_operation_number LIMIT $4",
        );
        let rows = old
            .bind(version)
            .bind(after.merchant_code.as_str())
            .bind(after.number.as_str())
            .bind(i64::from(limit))
            .fetch_all(&mut reader)
            .await?;
        drop(reader);
        let keys = rows.iter().map(key).collect::<Result<Vec<_>, _>>()?;
        for key in &keys {
            match self.renew_exceptions_of(key).await {
                Err(error) if !error.is_away() => unreadable(&error),
                renewed => renewed?,
            }
        }
        let count = keys.len();
        Ok(keys.into_iter().last().map(|last| Renewed { count, last }))
    }

    async fn renew_exceptions_of(&self, key: &OperationKey) -> Result<(), DbError> {
        let mut transaction = self.write(Lock::Operation(key)).await?;
        if let Some(order) = load(&mut transaction, LoadBy::Operation(key)).await? {
            for payment in &order.payments {
                let found = order.exceptions_of(payment);
                replace(&mut transaction, &payment.operation.key, &found).await?;
            }
        }
        transaction.commit().await
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
             AND kind = $3 AND since <= $4 AND (listed_from IS NULL OR listed_from <= $5)",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(wanted.kind.as_str())
    .bind(since.as_millis())
    .bind(now.as_millis())
    .execute(&mut *connection)
    .await?;
    if wanted.kind == ExceptionKind::WrongCode {
        refused_codes::reset(connection, key.merchant_code.as_str(), since).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
