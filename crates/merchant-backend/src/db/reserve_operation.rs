//! Puts a new operation on disk, as the only live one of its order.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::ledger_entries::Of;
use super::operation_row::add;
use super::scope::Scope;
use super::{idempotency_keys, load_order, operations};
use crate::send_window::SendWindow;
use payment_rules::idempotent_request::Claim;
use payment_rules::operation::OperationRecord;
use payment_rules::payment::BeginAttemptError;

/// The result of a reservation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reservation {
    /// The operation is on disk as its order's only live one.
    Reserved,
    /// Another process has claimed the attempt's key.
    ClaimLost,
    /// The number was used before; the caller makes another one.
    NumberTaken,
    /// The order takes no new attempt now.
    Refused(BeginAttemptError),
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
        Ok(found.is_some_and(|found| found.is_attempt_of(record)))
    }
}

pub(super) async fn reserve(
    connection: &mut Connection,
    record: &OperationRecord,
) -> Result<Reservation, DbError> {
    let order = load_order::load(&mut *connection, Of::Order(&record.order_id)).await?;
    // An order that was removed meanwhile.
    let order = order.ok_or(BeginAttemptError::OrderChanged);
    if let Err(refused) = order.and_then(|order| order.begin_attempt(record)) {
        return Ok(Reservation::Refused(refused));
    }
    // Another order may want the same number at the same time, so that only the row itself tells.
    Ok(if add(connection, record).await? {
        Reservation::Reserved
    } else {
        Reservation::NumberTaken
    })
}
