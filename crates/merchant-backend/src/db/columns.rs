//! Columns that several tables share, and values that each engine stores in its own way.

use super::engine::{Connection, Row, list};
use super::error::DbError;
use payment_model::{IdempotencyKey, Timestamp};
use payment_rules::ledger::{Asker, Release};
use payment_rules::operation::OperationKey;
use payment_rules::order::FullOrderId;
use sqlx::{AssertSqlSafe, Row as _};
use std::time::Duration;

/// The values of a row, by the names of their columns.
pub(super) trait Columns {
    fn optional_text(&self, column: &str) -> Result<Option<String>, DbError>;

    fn optional_integer(&self, column: &str) -> Result<Option<i64>, DbError>;

    fn text(&self, column: &str) -> Result<String, DbError> {
        self.optional_text(column)?
            .ok_or_else(|| DbError::missing(column))
    }

    fn integer(&self, column: &str) -> Result<i64, DbError> {
        self.optional_integer(column)?
            .ok_or_else(|| DbError::missing(column))
    }
}

impl Columns for Row {
    fn optional_text(&self, column: &str) -> Result<Option<String>, DbError> {
        Ok(self.try_get(column)?)
    }

    fn optional_integer(&self, column: &str) -> Result<Option<i64>, DbError> {
        Ok(self.try_get(column)?)
    }
}

/// The columns that [`key`] reads.
pub(super) const KEY: &str = "merchant_code, merchant_operation_number";

pub(super) fn key(row: &impl Columns) -> Result<OperationKey, DbError> {
    Ok(OperationKey::new(
        row.text("merchant_code")?,
        row.text("merchant_operation_number")?,
    ))
}

pub(super) fn full_order_id(row: &Row) -> Result<FullOrderId, DbError> {
    Ok(FullOrderId::new(
        row.text("merchant_code")?,
        row.text("order_id")?,
    ))
}

/// Orders as one parameter, for [`Engine::pairs`](super::engine::Engine::pairs) beside `(order_id, merchant_code)`.
pub(super) fn order_list(orders: &[FullOrderId]) -> Result<String, DbError> {
    let pair = |order: &FullOrderId| [order.order_id.clone(), order.merchant_code.clone()];
    list(&orders.iter().map(pair).collect::<Vec<_>>())
}

pub(super) fn asker(row: &impl Columns) -> Result<Asker, DbError> {
    let key = IdempotencyKey::new(row.text("idempotency_key")?);
    Ok(Asker {
        staff: row.text("staff")?,
        key: key.map_err(|wrong| DbError::Failed(format!("a stored idempotency key {wrong}")))?,
    })
}

pub(super) fn release(row: &impl Columns) -> Result<Option<Release>, DbError> {
    let Some(by) = row.optional_text("released_by")? else {
        return Ok(None);
    };
    Ok(Some(Release {
        by,
        at: instant(row, "released_at")?,
        reason: row.text("release_reason")?,
    }))
}

/// An instant, kept in milliseconds since 1970; it is bound as [`Timestamp::as_millis`].
pub(super) fn instant(row: &impl Columns, column: &str) -> Result<Timestamp, DbError> {
    Ok(Timestamp::from_millis(row.integer(column)?))
}

/// An instant, or `None` for NULL.
pub(super) fn optional_instant(
    row: &impl Columns,
    column: &str,
) -> Result<Option<Timestamp>, DbError> {
    Ok(row.optional_integer(column)?.map(Timestamp::from_millis))
}

/// A duration in milliseconds, to add to an instant.
pub(super) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// An amount in cents.
pub(super) fn amount(row: &impl Columns) -> Result<u64, DbError> {
    Ok(row.integer("amount")?.cast_unsigned())
}

/// Reads a flag, stored as 0 or 1; `i64::from(flag)` binds it.
pub(super) fn flag(row: &impl Columns, column: &str) -> Result<bool, DbError> {
    Ok(row.integer(column)? != 0)
}

/// Reads a number that is narrower than its column.
pub(super) fn number<T: TryFrom<i64>>(row: &impl Columns, column: &str) -> Result<T, DbError> {
    optional_number(row, column)?.ok_or_else(|| DbError::missing(column))
}

/// Reads a number that is narrower than its column, or `None` for NULL.
pub(super) fn optional_number<T: TryFrom<i64>>(
    row: &impl Columns,
    column: &str,
) -> Result<Option<T>, DbError> {
    let wide = row.optional_integer(column)?;
    let narrow = wide.map(|wide| {
        T::try_from(wide).map_err(|_| DbError::Failed(format!("{column} is out of range: {wide}")))
    });
    narrow.transpose()
}

/// The operation of the row whose `column` holds this id.
pub(super) async fn operation_with(
    connection: &mut Connection,
    table: &'static str,
    column: &'static str,
    id: &str,
) -> Result<Option<OperationKey>, DbError> {
    let sql =
        format!("SELECT merchant_code, merchant_operation_number FROM {table} WHERE {column} = $1");
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(key).transpose()
}
