//! `api_keys`: the keys with which programs of the shop call the server.

use super::admin_connection::AdminDb;
use super::columns::{instant, optional_instant};
use super::connections::Db;
use super::engine::Row;
use super::error::DbError;
use payment_model::Timestamp;
use payment_rules::api_key::ApiKey;
use payment_rules::ledger::Limits;
use sqlx::{AssertSqlSafe, Row as _};

/// The columns that [`read`] reads.
const COLUMNS: &str = "name, merchant_code, permissions, refund_limit, refund_limit_a_day,
    created_at, ended_at";

impl Db {
    /// The key in force with this hash of its secret.
    pub(crate) async fn api_key(&self, secret_hash: &str) -> Result<Option<ApiKey>, DbError> {
        let sql =
            format!("SELECT {COLUMNS} FROM api_keys WHERE secret_hash = $1 AND ended_at IS NULL");
        let row = sqlx::query(AssertSqlSafe(sql))
            .bind(secret_hash)
            .fetch_optional(&mut *self.reader().await?)
            .await?;
        row.as_ref().map(read).transpose()
    }
}

impl AdminDb {
    /// Adds a key; `false` if its name is taken.
    pub(crate) async fn add_api_key(
        &self,
        key: &ApiKey,
        secret_hash: &str,
    ) -> Result<bool, DbError> {
        let cents =
            |limit: Option<u64>| limit.map(|cents| i64::try_from(cents).unwrap_or(i64::MAX));
        let permissions = serde_json::to_string(&key.permissions)?;
        let mut transaction = self.write().await?;
        let added = sqlx::query(
            "INSERT INTO api_keys (name, secret_hash, merchant_code, permissions, refund_limit,
                 refund_limit_a_day, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (name) DO NOTHING",
        )
        .bind(&key.name)
        .bind(secret_hash)
        .bind(&key.merchant_code)
        .bind(permissions)
        .bind(cents(key.limits.at_once))
        .bind(cents(key.limits.a_day))
        .bind(key.created_at.as_millis())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(added.rows_affected() == 1)
    }

    /// All keys, also those that were ended; the newest first.
    pub(crate) async fn api_keys(&self) -> Result<Vec<ApiKey>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM api_keys ORDER BY created_at DESC, name");
        let rows = sqlx::query(AssertSqlSafe(sql))
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(read).collect()
    }

    /// Ends a key; `false` if no key of this name is in force.
    pub(crate) async fn end_api_key(&self, name: &str, now: Timestamp) -> Result<bool, DbError> {
        let mut transaction = self.write().await?;
        let ended =
            sqlx::query("UPDATE api_keys SET ended_at = $1 WHERE name = $2 AND ended_at IS NULL")
                .bind(now.as_millis())
                .bind(name)
                .execute(&mut *transaction)
                .await?;
        transaction.commit().await?;
        Ok(ended.rows_affected() == 1)
    }
}

fn read(row: &Row) -> Result<ApiKey, DbError> {
    let limit = |column| {
        let cents = row.try_get::<Option<i64>, _>(column)?;
        Ok::<_, DbError>(cents.map(i64::cast_unsigned))
    };
    Ok(ApiKey {
        name: row.try_get("name")?,
        merchant_code: row.try_get("merchant_code")?,
        permissions: serde_json::from_str(row.try_get("permissions")?)?,
        limits: Limits {
            at_once: limit("refund_limit")?,
            a_day: limit("refund_limit_a_day")?,
        },
        created_at: instant(row, "created_at")?,
        ended_at: optional_instant(row, "ended_at")?,
    })
}
