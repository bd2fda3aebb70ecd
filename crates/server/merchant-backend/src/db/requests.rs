//! `requests`: the requests that give money back, as the documents of their payments have them: by their ids and keys, for
//! the limits of an account, and those on their way.

use super::columns::key;
use super::connections::Db;
use super::engine::{Connection, Engine};
use super::error::DbError;
use crate::clock::{moment, now};
use payment_model::{IdempotencyKey, Timestamp};
use payment_rules::ledger::{GivenBack, Requester};
use payment_rules::operation::OperationKey;
use payment_rules::payment::{Counted, Payment, RequestKind, RequestRow};
use sqlx::AssertSqlSafe;
use std::time::Duration;

/// Writes the requests that a change made others.
pub(super) async fn save(
    connection: &mut Connection,
    earlier: Option<&Payment>,
    payment: &Payment,
) -> Result<(), DbError> {
    let known = earlier.map(Payment::requests).unwrap_or_default();
    for request in payment.requests() {
        if !known.contains(&request) {
            write(connection, &payment.operation.key, &request).await?;
        }
    }
    Ok(())
}

async fn write(
    connection: &mut Connection,
    key: &OperationKey,
    request: &RequestRow,
) -> Result<(), DbError> {
    let counted = match request.counted {
        Counted::No => 0_i64,
        Counted::Yes => 1,
        Counted::UnlessRepeated => 2,
    };
    let written = sqlx::query(
        "INSERT INTO requests (request_id, kind, merchant_code, merchant_operation_number, staff,
             idempotency_key, at, begun_at, amount, state, counted)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (request_id) DO UPDATE SET staff = excluded.staff,
             idempotency_key = excluded.idempotency_key, at = excluded.at,
             begun_at = excluded.begun_at, state = excluded.state, counted = excluded.counted
         WHERE requests.kind = excluded.kind AND requests.merchant_code = excluded.merchant_code
             AND requests.merchant_operation_number = excluded.merchant_operation_number",
    )
    .bind(&request.id)
    .bind(request.kind.as_str())
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(&request.staff)
    .bind(request.key.as_ref().map(IdempotencyKey::as_str))
    .bind(request.at.as_millis())
    .bind(request.begun_at.map(Timestamp::as_millis))
    .bind(request.amount.cast_signed())
    .bind(request.state)
    .bind(counted)
    .execute(connection)
    .await?;
    match written.rows_affected() {
        0 => Err(DbError::Failed(
            "a request has the id of another one".to_owned(),
        )),
        _ => Ok(()),
    }
}

impl Db {
    /// The operation of the request of this kind with this id.
    pub(crate) async fn operation_of_request(
        &self,
        kind: RequestKind,
        id: &str,
    ) -> Result<Option<OperationKey>, DbError> {
        let row = sqlx::query(
            "SELECT merchant_code, merchant_operation_number FROM requests
             WHERE request_id = $1 AND kind = $2",
        )
        .bind(id)
        .bind(kind.as_str())
        .fetch_optional(&mut self.reader().await?)
        .await?;
        row.as_ref().map(key).transpose()
    }

    /// The operations of the requests of this kind under an idempotency key, in no order.
    pub(crate) async fn operations_of_key(
        &self,
        kind: RequestKind,
        requester: &Requester,
    ) -> Result<Vec<OperationKey>, DbError> {
        let rows = sqlx::query(
            "SELECT DISTINCT merchant_code, merchant_operation_number FROM requests
             WHERE staff = $1 AND idempotency_key = $2 AND kind = $3",
        )
        .bind(&requester.staff)
        .bind(requester.key.as_str())
        .bind(kind.as_str())
        .fetch_all(&mut self.reader().await?)
        .await?;
        rows.iter().map(key).collect()
    }

    /// When the request to cancel an operation left that is on its way or in doubt.
    pub(crate) async fn pending_cancellation(
        &self,
        key: &OperationKey,
    ) -> Result<Option<Timestamp>, DbError> {
        let pending = sqlx::query_scalar::<_, i64>(
            "SELECT begun_at FROM requests WHERE merchant_code = $1
                 AND merchant_operation_number = $2 AND kind = 'reversal'
                 AND state IN ('sending', 'in_doubt')",
        )
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .fetch_optional(&mut self.reader().await?)
        .await?;
        Ok(pending.map(Timestamp::from_millis))
    }

    /// What an account has given back of an operation, and in the last 24 hours, without a reversal of the
    /// operation, which a repeated request would count twice.
    pub(crate) async fn given_back_by(
        &self,
        staff: &str,
        key: &OperationKey,
    ) -> Result<GivenBack, DbError> {
        given_back_by(&mut *self.read().await?, staff, key).await
    }
}

/// The condition of the index `requests_open`, which SQLite uses only for a statement that repeats it.
pub(super) const OPEN: &str = "r.state IN ('sending', 'in_doubt', 'open')";

/// The operations with refunds or reversals that have been on their way for too long.
pub(super) async fn on_their_way(
    connection: &mut Connection,
    begun_before: Timestamp,
    asked_before: Timestamp,
) -> Result<Vec<OperationKey>, DbError> {
    let steady = Engine::of(connection).steady(3);
    let rows = sqlx::query(AssertSqlSafe(format!(
        "SELECT DISTINCT r.merchant_code, r.merchant_operation_number FROM requests r
         WHERE {OPEN} AND r.state = 'sending' AND (r.begun_at < $1 OR (r.begun_at IS NULL
             AND r.at < $2 AND NOT EXISTS (SELECT 1 FROM idempotency_keys k
                 WHERE k.sender_kind = 'staff' AND k.sender = r.staff
                     AND k.key = r.idempotency_key AND k.running_until > {steady})))"
    )))
    .bind(begun_before.as_millis())
    .bind(asked_before.as_millis())
    .bind(moment().steady.as_millis())
    .fetch_all(connection)
    .await?;
    rows.iter().map(key).collect()
}

/// The period of a daily limit.
const DAILY_LIMIT_PERIOD: Duration = Duration::from_hours(24);

pub(super) const GIVEN_BACK_OF_OPERATION: &str = "SELECT amount FROM requests
    WHERE staff = $1 AND merchant_code = $2 AND merchant_operation_number = $3 AND counted = 1";

pub(super) const GIVEN_BACK_IN_A_DAY: &str = "SELECT amount FROM requests
    WHERE staff = $1 AND at > $2 AND counted > 0
        AND NOT (counted = 2 AND merchant_code = $3 AND merchant_operation_number = $4)";

/// See [`Db::given_back_by`]. After the clock was set back an instant may be in the future; it counts as
/// within the last 24 hours.
pub(super) async fn given_back_by(
    connection: &mut Connection,
    staff: &str,
    key: &OperationKey,
) -> Result<GivenBack, DbError> {
    let of_operation: Vec<i64> = sqlx::query_scalar(GIVEN_BACK_OF_OPERATION)
        .bind(staff)
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .fetch_all(&mut *connection)
        .await?;
    let in_a_day: Vec<i64> = sqlx::query_scalar(GIVEN_BACK_IN_A_DAY)
        .bind(staff)
        .bind(now().saturating_sub(DAILY_LIMIT_PERIOD).as_millis())
        .bind(key.merchant_code.as_str())
        .bind(key.number.as_str())
        .fetch_all(connection)
        .await?;
    Ok(GivenBack {
        of_operation: sum(&of_operation),
        in_a_day: sum(&in_a_day),
    })
}

fn sum(amounts: &[i64]) -> u64 {
    let amounts = amounts.iter().map(|amount| amount.cast_unsigned());
    amounts.fold(0, u64::saturating_add)
}
