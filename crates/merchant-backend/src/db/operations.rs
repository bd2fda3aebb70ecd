use super::operation_row::{read, write};
use super::{DbError, Reservation, orders};
use crate::clock::Millis;
use crate::domain::forget::forgotten;
use crate::domain::operation::{OperationKey, OperationRecord};
use sqlx::{Row, SqliteConnection};

pub(super) async fn find(
    connection: &mut SqliteConnection,
    key: &OperationKey,
) -> Result<Option<OperationRecord>, DbError> {
    let row = sqlx::query(
        "SELECT * FROM operations WHERE merchant_code = ? AND merchant_operation_number = ?",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .fetch_optional(connection)
    .await?;
    row.map(|row| read(&row)).transpose()
}

pub(super) async fn of_order(
    connection: &mut SqliteConnection,
    order_id: &str,
) -> Result<Vec<OperationRecord>, DbError> {
    let rows =
        sqlx::query("SELECT * FROM operations WHERE order_id = ? ORDER BY created_at, rowid")
            .bind(order_id)
            .fetch_all(connection)
            .await?;
    rows.iter().map(read).collect()
}

pub(super) async fn by_callback(
    connection: &mut SqliteConnection,
    hash: &str,
) -> Result<Option<OperationKey>, DbError> {
    let row = sqlx::query(
        "SELECT merchant_code, merchant_operation_number FROM operations WHERE callback_hash = ?",
    )
    .bind(hash)
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        Ok(OperationKey::new(
            row.try_get::<String, _>(0)?,
            row.try_get::<String, _>(1)?,
        ))
    })
    .transpose()
}

/// See [`super::Db::reserve`].
pub(super) async fn reserve(
    connection: &mut SqliteConnection,
    record: &OperationRecord,
) -> Result<Reservation, DbError> {
    let row = sqlx::query(
        "SELECT * FROM operations WHERE order_id = ? AND (outcome = 'paid' OR live = 1)
         ORDER BY outcome = 'paid' DESC, changed_at LIMIT 1",
    )
    .bind(&record.order_id)
    .fetch_optional(&mut *connection)
    .await?;
    match row {
        Some(row) => {
            let other = Box::new(read(&row)?);
            Ok(if other.is_paid() {
                Reservation::Paid(other)
            } else {
                Reservation::Live(other)
            })
        }
        None if find(&mut *connection, &record.key).await?.is_some() => {
            Ok(Reservation::NumberTaken)
        }
        None if let Some(given_back) = untold(&mut *connection, &record.order_id).await? => {
            Ok(Reservation::GivenBack(Box::new(given_back)))
        }
        None if count(&mut *connection, &record.order_id).await? >= MOST_OF_AN_ORDER => {
            Ok(Reservation::TooMany)
        }
        None => {
            write(connection, record).await?;
            Ok(Reservation::Reserved)
        }
    }
}

/// The most operations of one order: far more than any payer needs.
const MOST_OF_AN_ORDER: i64 = 20;

/// A payment that was given back by a withdrawal whose payer has not heard of it.
async fn untold(
    connection: &mut SqliteConnection,
    order_id: &str,
) -> Result<Option<OperationRecord>, DbError> {
    let row = sqlx::query(
        "SELECT * FROM operations WHERE order_id = ? AND outcome = 'reversed'
             AND blocked_since IS NOT NULL ORDER BY changed_at LIMIT 1",
    );
    let row = row.bind(order_id).fetch_optional(connection).await?;
    row.as_ref().map(read).transpose()
}

async fn count(connection: &mut SqliteConnection, order_id: &str) -> Result<i64, DbError> {
    let count = sqlx::query_scalar("SELECT count(*) FROM operations WHERE order_id = ?");
    Ok(count.bind(order_id).fetch_one(connection).await?)
}

/// An operation before a change and after it, with the change's own result.
pub(super) struct Changed<R> {
    pub(super) before: OperationRecord,
    pub(super) record: OperationRecord,
    pub(super) result: R,
}

/// The operation as it is, and as a change makes it; nothing is written.
pub(super) async fn changed<R>(
    connection: &mut SqliteConnection,
    key: &OperationKey,
    change: impl Fn(&mut OperationRecord) -> R,
) -> Result<Changed<R>, DbError> {
    let found = find(&mut *connection, key).await?;
    let before = found.ok_or_else(|| DbError("the operation is gone".to_owned()))?;
    let mut record = before.clone();
    let result = change(&mut record);
    // The service tells it again when it is asked again.
    if orders::is_purged(&mut *connection, &record.order_id).await? {
        record.operation = record.operation.as_ref().map(forgotten).transpose()?;
        record.answer = record.answer.as_ref().map(forgotten).transpose()?;
    }
    Ok(Changed {
        before,
        record,
        result,
    })
}

/// See [`super::Db::doubt_abandoned`].
pub(super) async fn doubt_abandoned(
    connection: &mut SqliteConnection,
    sent_before: Millis,
    now: Millis,
) -> Result<u64, DbError> {
    let done = sqlx::query(
        "UPDATE operations SET phase = 'in_doubt', live = 0, due_at = ?1, planned_at = ?1,
             leased_until = NULL, changed_at = ?1,
             trouble = 'the server stopped before the answer came'
         WHERE phase = 'sending' AND created_at < ?2",
    )
    .bind(now)
    .bind(sent_before)
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}
