//! Forgets payers in the database of a running server.

use super::admin_connection::{AdminDb, AdminDbError};
use super::audit;
use super::columns::{full_order_id, key, order_list};
use super::engine::sqlite::empty_log;
use super::engine::{Connection, Engine};
use super::error::DbError;
use super::load_order::{LoadBy, load};
use super::lock::Lock;
use super::restore_point::REMOVABLE;
use super::staff_links;
use crate::clock::now;
use crate::database_address::DatabaseAddress;
use payment_model::Timestamp;
use payment_rules::forget_payer::forget;
use payment_rules::operation::OperationKey;
use payment_rules::order::FullOrderId;
use payment_rules::staff::AuditRecord;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Row as _};
use staff_model::AuditAction;

/// The name in the audit record.
const WHO: &str = "purge (command)";

/// Finished orders; see [`payment_rules::payment::Payment::is_finished`].
const FINISHED: &str = "
    created_at < $1 AND purged_at IS NULL AND {removable}
    AND NOT EXISTS (SELECT 1 FROM operations o WHERE o.order_id = orders.order_id
        AND o.merchant_code = orders.merchant_code AND o.finished = 0)
    AND NOT EXISTS (SELECT 1 FROM deliveries d
        WHERE d.order_id = orders.order_id AND d.merchant_code = orders.merchant_code
            AND d.delivered_at IS NULL)";

/// The database of a server that may be running.
pub(crate) struct PurgeFile(AdminDb);

impl PurgeFile {
    pub(crate) async fn open(address: &DatabaseAddress) -> Result<Self, AdminDbError> {
        Ok(Self(AdminDb::open(address).await?))
    }

    /// Forgets the payers of some orders; returns their number. Orders that cannot be read stay.
    pub(crate) async fn batch(
        &self,
        before: Timestamp,
        days: u32,
        limit: u32,
    ) -> Result<u64, DbError> {
        let mut transaction = self.0.write().await?;
        let finished = FINISHED.replace("{removable}", REMOVABLE);
        let find = format!(
            "SELECT order_id, merchant_code FROM orders WHERE {finished} ORDER BY created_at LIMIT $2"
        );
        let found = sqlx::query(AssertSqlSafe(find))
            .bind(before.as_millis())
            .bind(i64::from(limit))
            .fetch_all(&mut *transaction)
            .await?;
        let found = found
            .iter()
            .map(full_order_id)
            .collect::<Result<Vec<_>, _>>()?;
        // A server may have changed an order before it was locked.
        Lock::Orders(&found).take(&mut transaction).await?;
        let among = self.0.engine.pairs(2);
        let again = format!(
            "SELECT order_id, merchant_code FROM orders
             WHERE {finished} AND (order_id, merchant_code) IN {among}"
        );
        let orders = sqlx::query(AssertSqlSafe(again))
            .bind(before.as_millis())
            .bind(order_list(&found)?)
            .fetch_all(&mut *transaction)
            .await?;
        let mut purged: u64 = 0;
        for order in &orders {
            let order = full_order_id(order)?;
            match load(&mut transaction, LoadBy::Order(&order)).await {
                // This version would empty members that it does not understand.
                Err(DbError::Later(_) | DbError::Failed(_)) => {}
                Err(error) => return Err(error),
                Ok(_) => {
                    purge_order(&mut transaction, &order, days).await?;
                    purged = purged.saturating_add(1);
                }
            }
        }
        if purged > 0 {
            let detail = format!("the payers of {purged} orders older than {days} days");
            audit::add(&mut transaction, &audit_record(None, detail)).await?;
        }
        transaction.commit().await?;
        Ok(purged)
    }

    /// Removes the keys and codes of the second factors of accounts that are not among these.
    pub(crate) async fn forget_second_factors(&self, existing: &[String]) -> Result<(), DbError> {
        self.0.forget_second_factors(existing).await
    }

    /// How many orders are old enough but unfinished.
    pub(crate) async fn left(&self, before: Timestamp) -> Result<u64, DbError> {
        let count = sqlx::query_scalar(
            "SELECT count(*) FROM orders WHERE created_at < $1 AND purged_at IS NULL",
        );
        let count: i64 = count
            .bind(before.as_millis())
            .fetch_one(&mut self.0.pool.acquire().await?)
            .await?;
        Ok(count.unsigned_abs())
    }

    /// Removes old versions of rows from the log of a file; `false` while a reader needs one of them.
    /// PostgreSQL removes old versions and its log by itself.
    pub(crate) async fn empty_log(&self) -> Result<bool, DbError> {
        match self.0.engine {
            Engine::Sqlite => empty_log(&self.0.pool).await,
            Engine::Postgres => Ok(true),
        }
    }

    pub(crate) async fn close(&self) {
        self.0.close().await;
    }
}

fn audit_record(key: Option<OperationKey>, detail: String) -> AuditRecord {
    AuditRecord {
        staff: WHO.to_owned(),
        action: AuditAction::Purge,
        key,
        detail,
    }
}

async fn purge_order(
    connection: &mut Connection,
    order: &FullOrderId,
    days: u32,
) -> Result<(), DbError> {
    let purged = sqlx::query(
        "UPDATE orders SET customer = '{}', purged_at = $1
         WHERE order_id = $2 AND merchant_code = $3",
    );
    let purged = purged.bind(now().as_millis());
    let purged = purged.bind(&order.order_id).bind(&order.merchant_code);
    purged.execute(&mut *connection).await?;
    staff_links::forget_request(connection, order).await?;
    let operations = sqlx::query(
        "SELECT merchant_code, merchant_operation_number, document FROM operations
         WHERE order_id = $1 AND merchant_code = $2",
    );
    let operations = operations.bind(&order.order_id).bind(&order.merchant_code);
    let operations = operations.fetch_all(&mut *connection);
    for row in operations.await? {
        let key = key(&row)?;
        sqlx::query(
            "UPDATE operations SET document = $1, version = version + 1
             WHERE merchant_code = $2 AND merchant_operation_number = $3",
        )
        .bind(without_payer(row.try_get("document")?)?)
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .execute(&mut *connection)
        .await?;
        let details = sqlx::query(
            "UPDATE exceptions SET detail = ''
             WHERE merchant_code = $1 AND merchant_operation_number = $2",
        );
        let details = details.bind(key.merchant_code.as_str());
        let details = details.bind(key.number.as_str());
        details.execute(&mut *connection).await?;
        purge_answers(&mut *connection, &key).await?;
        let detail = format!("the payer of an order older than {days} days");
        audit::add(&mut *connection, &audit_record(Some(key), detail)).await?;
    }
    Ok(())
}

/// Removes the payer's data from the stored answers to staff about refunds of an operation.
async fn purge_answers(connection: &mut Connection, key: &OperationKey) -> Result<(), DbError> {
    let rows = sqlx::query(
        "SELECT k.sender, k.key, k.answer FROM idempotency_keys k WHERE k.sender_kind = 'staff'
             AND EXISTS (SELECT 1 FROM requests r WHERE r.staff = k.sender
                 AND r.idempotency_key = k.key AND r.kind = 'refund'
                 AND r.merchant_code = $1 AND r.merchant_operation_number = $2)",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .fetch_all(&mut *connection)
    .await?;
    for row in rows {
        sqlx::query(
            "UPDATE idempotency_keys SET answer = $1
             WHERE sender_kind = 'staff' AND sender = $2 AND key = $3",
        )
        .bind(without_payer(row.try_get("answer")?)?)
        .bind(row.try_get::<String, _>("sender")?)
        .bind(row.try_get::<String, _>("key")?)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

fn without_payer(json: Option<String>) -> Result<Option<String>, DbError> {
    let Some(json) = json else { return Ok(None) };
    let mut value: Value = serde_json::from_str(&json)?;
    forget(&mut value);
    Ok(Some(value.to_string()))
}
