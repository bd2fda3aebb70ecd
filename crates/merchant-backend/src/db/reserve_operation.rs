//! Reserves an operation: decides which operation of an order is live.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::fence;
use super::operation_row::{COLUMNS, add, read};
use super::scope::Scope;
use super::{idempotency_keys, operations};
use crate::send_window::SendWindow;
use payment_rules::idempotent_request::Claim;
use payment_rules::operation::OperationRecord;
use payment_rules::order::{MOST_DOUBTS, MOST_OPERATIONS};
use sqlx::AssertSqlSafe;

/// The result of a reservation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reservation {
    /// The operation is on disk as its order's only live one.
    Reserved,
    /// Another process has claimed the attempt's key.
    ClaimLost,
    /// The number was used before; the caller makes another one.
    NumberTaken,
    /// The order has a live operation already.
    Live(Box<OperationRecord>),
    /// The order is paid by this operation.
    Paid(Box<OperationRecord>),
    /// The order has as many operations as an order may have.
    TooMany,
    /// Whether earlier operations of the order exist at the service is being found out; another one
    /// would only add a doubt.
    DoubtsOpen,
    /// The attempt has made a code before that may reach the payer by another way.
    Doubt(Box<OperationRecord>),
    /// The order is older than the last restore, and may have been paid since the backup.
    Fenced,
    /// The shop told other facts of the order since the caller read them.
    OrderChanged,
    /// A payment of the order was given back while the payer asked for another code, and the payer
    /// does not know yet.
    GivenBack(Box<OperationRecord>),
}

impl Db {
    /// The number of an operation of an order whose request never left: it is good for another one.
    pub(crate) async fn unsent_number(
        &self,
        order_id: &str,
        merchant_code: &str,
    ) -> Result<Option<String>, DbError> {
        let number = sqlx::query_scalar(
            "SELECT merchant_operation_number FROM operations
             WHERE order_id = $1 AND merchant_code = $2 AND unsent = 1 AND phase = 'refused'
                 AND transaction_id IS NULL
             ORDER BY created_at LIMIT 1",
        );
        let number = number.bind(order_id).bind(merchant_code);
        Ok(number.fetch_optional(&mut *self.reader().await?).await?)
    }

    /// Puts a new operation on disk as its order's only live one, and opens the time for its request.
    pub(crate) async fn reserve(
        &self,
        record: &OperationRecord,
        claim: &Claim,
    ) -> Result<(Reservation, SendWindow), DbError> {
        let mut transaction = self.write(Scope::Order(&record.order_id)).await?;
        let window = SendWindow::open();
        let reservation = if idempotency_keys::stands(&mut transaction, claim).await? {
            reserve(&mut transaction, record).await?
        } else {
            Reservation::ClaimLost
        };
        let committed = transaction.commit().await;
        if let Err(error) = committed
            && !(reservation == Reservation::Reserved && self.has(record).await?)
        {
            return Err(error);
        }
        Ok((reservation, window))
    }

    /// True when a reservation is on disk although its commit reported an error.
    async fn has(&self, record: &OperationRecord) -> Result<bool, DbError> {
        let found = operations::find(&mut *self.reader().await?, &record.key).await?;
        // Its number may be another attempt's; the token in its address is its own.
        Ok(found.is_some_and(|found| found.callback_hash == record.callback_hash))
    }
}

pub(super) async fn reserve(
    connection: &mut Connection,
    record: &OperationRecord,
) -> Result<Reservation, DbError> {
    if let Some(other) = paid_or_live(&mut *connection, &record.order_id).await? {
        let other = Box::new(other);
        return Ok(if other.is_paid() {
            Reservation::Paid(other)
        } else {
            Reservation::Live(other)
        });
    }
    if fence::holds_order(&mut *connection, &record.order_id).await? {
        return Ok(Reservation::Fenced);
    }
    if !has_facts(&mut *connection, record).await? {
        return Ok(Reservation::OrderChanged);
    }
    if let Some(given_back) = reversal_to_show(&mut *connection, &record.order_id).await? {
        return Ok(Reservation::GivenBack(Box::new(given_back)));
    }
    let doubts = doubts(&mut *connection, &record.order_id).await?;
    let own = |doubt: &&OperationRecord| {
        !doubt.is_shown_by_us() && doubt.attempt_hash == record.attempt_hash
    };
    if let Some(own) = doubts.iter().find(own) {
        return Ok(Reservation::Doubt(Box::new(own.clone())));
    }
    let settling = doubts
        .iter()
        .filter(|doubt| doubt.is_being_settled(record.created_at));
    if settling.count() >= MOST_DOUBTS {
        return Ok(Reservation::DoubtsOpen);
    }
    if count(&mut *connection, record).await? >= MOST_OPERATIONS {
        let settled = doubts.is_empty();
        return Ok(if settled {
            Reservation::TooMany
        } else {
            Reservation::DoubtsOpen
        });
    }
    // Another order may want the same number at the same time, so that only the row itself tells.
    Ok(if add(connection, record).await? {
        Reservation::Reserved
    } else {
        Reservation::NumberTaken
    })
}

/// True when the order still has the amount and the currency of the operation, and the store if a
/// shop told it.
async fn has_facts(connection: &mut Connection, record: &OperationRecord) -> Result<bool, DbError> {
    let same = sqlx::query_scalar::<_, i64>(
        "SELECT count(*) FROM orders WHERE order_id = $1 AND amount = $2 AND currency = $3
             AND (told_at IS NULL OR merchant_code = $4)",
    );
    let same = same
        .bind(&record.order_id)
        .bind(record.amount.cast_signed())
        .bind(&record.currency)
        .bind(record.key.merchant_code.as_str());
    Ok(same.fetch_one(connection).await? > 0)
}

/// The operation that paid an order, or else the one that may pay it now.
async fn paid_or_live(
    connection: &mut Connection,
    order_id: &str,
) -> Result<Option<OperationRecord>, DbError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM operations WHERE order_id = $1 AND (outcome = 'paid' OR live = 1)
         ORDER BY CASE WHEN outcome = 'paid' THEN 0 ELSE 1 END, changed_at LIMIT 1"
    );
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(order_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// A payment that a withdrawal gave back, if the payer does not know yet.
async fn reversal_to_show(
    connection: &mut Connection,
    order_id: &str,
) -> Result<Option<OperationRecord>, DbError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM operations WHERE order_id = $1 AND outcome = 'reversed'
             AND blocked_since IS NOT NULL ORDER BY changed_at LIMIT 1"
    );
    let row = sqlx::query(AssertSqlSafe(sql)).bind(order_id);
    let row = row.fetch_optional(connection).await?;
    row.as_ref().map(read).transpose()
}

/// The operations of an order that are in doubt: the service may or may not have them.
async fn doubts(
    connection: &mut Connection,
    order_id: &str,
) -> Result<Vec<OperationRecord>, DbError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM operations WHERE order_id = $1 AND phase = 'in_doubt'
         ORDER BY created_at"
    );
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(order_id);
    let rows = rows.fetch_all(connection).await?;
    rows.iter().map(read).collect()
}

/// How many operations an order has besides this one.
async fn count(connection: &mut Connection, record: &OperationRecord) -> Result<i64, DbError> {
    let count = sqlx::query_scalar(
        "SELECT count(*) FROM operations
         WHERE order_id = $1 AND merchant_operation_number <> $2",
    );
    let count = count
        .bind(&record.order_id)
        .bind(record.key.number.as_str());
    Ok(count.fetch_one(connection).await?)
}
