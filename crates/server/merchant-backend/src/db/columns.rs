//! Columns that several tables share, and values that each engine stores in its own way.

use super::engine::{Row, list};
use super::error::DbError;
use payment_model::Timestamp;
use payment_rules::operation::OperationKey;
use payment_rules::order::FullOrderId;
use sqlx::Row as _;
use std::time::Duration;

/// The columns that [`key`] reads.
pub(super) const KEY: &str = "merchant_code, merchant_operation_number";

pub(super) fn key(row: &Row) -> Result<OperationKey, DbError> {
    Ok(OperationKey::new(
        row.try_get::<String, _>("merchant_code")?,
        row.try_get::<String, _>("merchant_operation_number")?,
    ))
}

pub(super) fn full_order_id(row: &Row) -> Result<FullOrderId, DbError> {
    Ok(FullOrderId::new(
        row.try_get::<String, _>("merchant_code")?,
        row.try_get::<String, _>("order_id")?,
    ))
}

/// Orders as one parameter, for [`Engine::pairs`](super::engine::Engine::pairs) beside `(order_id, merchant_code)`.
pub(super) fn order_list(orders: &[FullOrderId]) -> Result<String, DbError> {
    let pair = |order: &FullOrderId| [order.order_id.clone(), order.merchant_code.clone()];
    list(&orders.iter().map(pair).collect::<Vec<_>>())
}

/// An instant, kept in milliseconds since 1970; it is bound as [`Timestamp::as_millis`].
pub(super) fn instant(row: &Row, column: &str) -> Result<Timestamp, DbError> {
    Ok(Timestamp::from_millis(row.try_get(column)?))
}

/// An instant, or `None` for NULL.
pub(super) fn optional_instant(row: &Row, column: &str) -> Result<Option<Timestamp>, DbError> {
    let millis: Option<i64> = row.try_get(column)?;
    Ok(millis.map(Timestamp::from_millis))
}

/// A duration in milliseconds, to add to an instant.
pub(super) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// An amount in cents.
pub(super) fn amount(row: &Row) -> Result<u64, DbError> {
    Ok(row.try_get::<i64, _>("amount")?.cast_unsigned())
}

/// Reads a flag, stored as 0 or 1; `i64::from(flag)` binds it.
pub(super) fn flag(row: &Row, column: &str) -> Result<bool, DbError> {
    Ok(row.try_get::<i64, _>(column)? != 0)
}

/// Reads a number that is narrower than its column.
pub(super) fn number<T: TryFrom<i64>>(row: &Row, column: &str) -> Result<T, DbError> {
    optional_number(row, column)?.ok_or_else(|| DbError::missing(column))
}

/// Reads a number that is narrower than its column, or `None` for NULL.
pub(super) fn optional_number<T: TryFrom<i64>>(
    row: &Row,
    column: &str,
) -> Result<Option<T>, DbError> {
    let wide: Option<i64> = row.try_get(column)?;
    let narrow = wide.map(|wide| {
        T::try_from(wide).map_err(|_| DbError::Failed(format!("{column} is out of range: {wide}")))
    });
    narrow.transpose()
}
