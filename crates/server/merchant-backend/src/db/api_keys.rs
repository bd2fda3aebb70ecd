//! `api_keys`: the keys with which programs of the shop call the server.

use super::admin_connection::AdminDb;
use super::audit;
use super::columns::{instant, optional_instant};
use super::connections::Db;
use super::engine::{Connection, Row};
use super::error::DbError;
use payment_model::Timestamp;
use payment_rules::api_key::ApiKey;
use payment_rules::ledger::Limits;
use payment_rules::staff::AuditRecord;
use sqlx::{AssertSqlSafe, Row as _};
use staff_model::AuditAction;

/// Who makes and ends keys, in the audit record.
const KEY_COMMAND: &str = "key (command)";

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
            .fetch_optional(&mut self.reader().await?)
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
        let is_added = added.rows_affected() == 1;
        if is_added {
            let made = record(KEY_COMMAND, AuditAction::MakeKey, described(key));
            audit::add(&mut transaction, &made).await?;
        }
        transaction.commit().await?;
        Ok(is_added)
    }

    /// All keys, also those that were ended; the newest first.
    pub(crate) async fn api_keys(&self) -> Result<Vec<ApiKey>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM api_keys ORDER BY created_at DESC, name");
        let rows = sqlx::query(AssertSqlSafe(sql))
            .fetch_all(&mut self.pool.acquire().await?)
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
        let is_ended = ended.rows_affected() == 1;
        if is_ended {
            let end = record(KEY_COMMAND, AuditAction::EndKey, name.to_owned());
            audit::add(&mut transaction, &end).await?;
        }
        transaction.commit().await?;
        Ok(is_ended)
    }
}

/// Ends every key in force; returns their names, and records who did it.
pub(super) async fn end_all(
    connection: &mut Connection,
    who: &str,
    now: Timestamp,
) -> Result<Vec<String>, DbError> {
    let ended = sqlx::query_scalar::<_, String>(
        "UPDATE api_keys SET ended_at = $1 WHERE ended_at IS NULL RETURNING name",
    );
    let ended = ended.bind(now.as_millis());
    let mut names = ended.fetch_all(&mut *connection).await?;
    names.sort();
    for name in &names {
        let end = record(who, AuditAction::EndKey, name.clone());
        audit::add(connection, &end).await?;
    }
    Ok(names)
}

fn record(who: &str, action: AuditAction, detail: String) -> AuditRecord {
    AuditRecord {
        staff: who.to_owned(),
        action,
        key: None,
        detail,
    }
}

/// What a key may do, for the audit record.
fn described(key: &ApiKey) -> String {
    let may: Vec<_> = key.permissions.iter().map(|may| may.as_str()).collect();
    let limit = |cents: Option<u64>| {
        cents.map_or_else(|| "no limit".to_owned(), |cents| format!("{cents} cents"))
    };
    format!(
        "{} of the store {}, which may {}; refunds: {} at once, {} a day",
        key.name,
        key.merchant_code,
        may.join(","),
        limit(key.limits.at_once),
        limit(key.limits.a_day),
    )
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
