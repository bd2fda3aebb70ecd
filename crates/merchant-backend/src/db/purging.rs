//! The file of a running server, opened beside it to forget payers.

use super::{AuditRecord, DbError, audit, schema};
use crate::clock::{Millis, now};
use crate::domain::forget::forget;
use crate::domain::operation::OperationKey;
use crate::purge::PurgeError;
use serde_json::Value;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Row, SqliteConnection, SqlitePool};
use std::path::Path;
use std::time::Duration;

/// Who stands in the audit record.
const WHO: &str = "purge (command)";

/// An order about which nothing is unfinished: what is would need its payer, or be told again.
const FINISHED: &str = "
    created_at < ?1 AND purged_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM operations o WHERE o.order_id = orders.order_id
        AND (o.live = 1 OR o.phase IN ('sending', 'in_doubt')))
    AND NOT EXISTS (SELECT 1 FROM operations o JOIN refund_attempts a
        ON a.merchant_code = o.merchant_code
            AND a.merchant_operation_number = o.merchant_operation_number
        WHERE o.order_id = orders.order_id AND (a.state IN ('sending', 'in_doubt')
            OR (a.state = 'registered' AND NOT EXISTS (SELECT 1 FROM refunds r
                WHERE r.merchant_code = a.merchant_code
                    AND r.merchant_operation_number = a.merchant_operation_number
                    AND r.refund_id = a.refund_id))))
    AND NOT EXISTS (SELECT 1 FROM operations o JOIN refunds r
        ON r.merchant_code = o.merchant_code
            AND r.merchant_operation_number = o.merchant_operation_number
        WHERE o.order_id = orders.order_id AND r.state NOT IN ('RESOLVED', 'REJECTED'))
    AND NOT EXISTS (SELECT 1 FROM operations o JOIN manual_returns m
        ON m.merchant_code = o.merchant_code
            AND m.merchant_operation_number = o.merchant_operation_number
        WHERE o.order_id = orders.order_id AND m.state = 'open')
    AND NOT EXISTS (SELECT 1 FROM operations o JOIN reversals v
        ON v.merchant_code = o.merchant_code
            AND v.merchant_operation_number = o.merchant_operation_number
        WHERE o.order_id = orders.order_id AND v.state IN ('sending', 'in_doubt'))
    AND NOT EXISTS (SELECT 1 FROM events e
        WHERE e.order_id = orders.order_id AND e.delivered_at IS NULL)";

/// The columns that hold what the service told, by the operation's rowid or key.
const OPERATIONS: &str = "SELECT rowid, merchant_code, merchant_operation_number, operation, answer
    FROM operations WHERE order_id = ?";
const REFUNDS: &str = "SELECT rowid, refund FROM refunds
    WHERE merchant_code = ? AND merchant_operation_number = ?";
const REQUESTS: &str =
    "SELECT s.rowid, s.answer FROM idempotency_keys s WHERE s.sender_kind = 'staff'
    AND EXISTS (SELECT 1 FROM refund_attempts a WHERE a.staff = s.sender
        AND a.idempotency_key = s.key
        AND a.merchant_code = ? AND a.merchant_operation_number = ?)";

/// The file, without the lock that says whose server it is.
pub(crate) struct PurgeFile {
    pool: SqlitePool,
}

impl PurgeFile {
    pub(crate) async fn open(path: &Path) -> Result<Self, PurgeError> {
        let name = path.display().to_string();
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(false)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(30))
            // What is removed is overwritten.
            .pragma("secure_delete", "ON");
        let pool = SqlitePoolOptions::new().max_connections(1);
        let pool = pool
            .connect_with(options)
            .await
            .map_err(|error| PurgeError::Unreadable(name.clone(), error.to_string()))?;
        let version = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations WHERE success");
        let version: Option<i64> = version
            .fetch_one(&pool)
            .await
            .map_err(|error| PurgeError::Unreadable(name.clone(), error.to_string()))?;
        if version != schema::newest() {
            return Err(PurgeError::OtherVersion(name));
        }
        Ok(Self { pool })
    }

    /// Forgets the payers of some orders; answers with how many.
    pub(crate) async fn batch(
        &self,
        before: Millis,
        days: u32,
        limit: u32,
    ) -> Result<u64, DbError> {
        let mut transaction = super::writing::Writing::begin(&self.pool).await?;
        let find =
            format!("SELECT order_id FROM orders WHERE {FINISHED} ORDER BY created_at LIMIT ?2");
        let orders: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(find))
            .bind(before)
            .bind(limit)
            .fetch_all(&mut *transaction)
            .await?;
        for order_id in &orders {
            purge_order(&mut transaction, order_id, days).await?;
        }
        if !orders.is_empty() {
            let detail = format!(
                "the payers of {} orders older than {days} days",
                orders.len()
            );
            audit::add(&mut transaction, &record(None, detail)).await?;
        }
        transaction.commit().await?;
        Ok(u64::try_from(orders.len()).unwrap_or(u64::MAX))
    }

    /// How many orders are old enough and were left.
    pub(crate) async fn left(&self, before: Millis) -> Result<u64, DbError> {
        let count = sqlx::query_scalar(
            "SELECT count(*) FROM orders WHERE created_at < ? AND purged_at IS NULL",
        );
        let count: i64 = count.bind(before).fetch_one(&self.pool).await?;
        Ok(count.unsigned_abs())
    }

    /// Moves the write-ahead log into the file and empties it; `false` when somebody reads an
    /// old state all the while.
    pub(crate) async fn empty_log(&self) -> Result<bool, DbError> {
        let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)");
        let row = row.fetch_one(&self.pool).await?;
        Ok(row.try_get::<i64, _>(0)? == 0)
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }
}

fn record(key: Option<OperationKey>, detail: String) -> AuditRecord {
    AuditRecord {
        staff: WHO.to_owned(),
        action: "purge",
        key,
        detail,
    }
}

async fn purge_order(
    connection: &mut SqliteConnection,
    order_id: &str,
    days: u32,
) -> Result<(), DbError> {
    sqlx::query("UPDATE orders SET customer = '{}', purged_at = ? WHERE order_id = ?")
        .bind(now())
        .bind(order_id)
        .execute(&mut *connection)
        .await?;
    let operations = sqlx::query(OPERATIONS).bind(order_id);
    for row in operations.fetch_all(&mut *connection).await? {
        let (code, number): (String, String) = (row.try_get(1)?, row.try_get(2)?);
        sqlx::query("UPDATE operations SET operation = ?, answer = ? WHERE rowid = ?")
            .bind(without_payer(row.try_get("operation")?)?)
            .bind(without_payer(row.try_get("answer")?)?)
            .bind(row.try_get::<i64, _>(0)?)
            .execute(&mut *connection)
            .await?;
        for (find, update) in [
            (REFUNDS, "UPDATE refunds SET refund = ? WHERE rowid = ?"),
            (
                REQUESTS,
                "UPDATE idempotency_keys SET answer = ? WHERE rowid = ?",
            ),
        ] {
            let rows = sqlx::query(find).bind(&code).bind(&number);
            for row in rows.fetch_all(&mut *connection).await? {
                sqlx::query(update)
                    .bind(without_payer(row.try_get(1)?)?)
                    .bind(row.try_get::<i64, _>(0)?)
                    .execute(&mut *connection)
                    .await?;
            }
        }
        let detail = format!("the payer of an order older than {days} days");
        let key = OperationKey::new(code, number);
        audit::add(&mut *connection, &record(Some(key), detail)).await?;
    }
    Ok(())
}

fn without_payer(json: Option<String>) -> Result<Option<String>, DbError> {
    let Some(json) = json else { return Ok(None) };
    let mut value: Value = serde_json::from_str(&json)?;
    forget(&mut value);
    Ok(Some(value.to_string()))
}
