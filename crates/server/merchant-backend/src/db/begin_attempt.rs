//! Claims the idempotency key of an attempt and puts its operation on disk as the only live one of its order, in one
//! transaction.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::load_order::{LoadBy, load};
use super::lock::Lock;
use super::update_order::save;
use super::{idempotency_keys, payments};
use crate::clock::{moment, now};
use crate::send_window::SendWindow;
use payment_rules::idempotency::{AuthorizationAnswer, Claim, IdempotentRequest};
use payment_rules::offer::MethodLimits;
use payment_rules::operation::OperationRecord;
use payment_rules::order::FullOrderId;
use payment_rules::payment::BeginAttemptError;
use std::time::Duration;

/// The result of an attempt's beginning.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BeginAttemptOutcome {
    /// The operation is on disk as its order's only live one.
    Begun,
    /// The key has an answer, belongs to another request, or is claimed by another process.
    KeyTaken,
    /// The number was used before; the caller makes another one.
    NumberTaken,
    /// The order takes no new attempt now.
    Refused(BeginAttemptError),
}

impl Db {
    /// The number of an operation of an order whose request never left, which another attempt may use.
    pub(crate) async fn unsent_number(
        &self,
        order: &FullOrderId,
    ) -> Result<Option<String>, DbError> {
        let number = sqlx::query_scalar(
            "SELECT merchant_operation_number FROM operations
             WHERE order_id = $1 AND merchant_code = $2 AND unsent = 1 AND phase = 'refused'
                 AND transaction_id IS NULL AND NOT EXISTS (SELECT 1 FROM transaction_hints h
                     WHERE h.merchant_code = operations.merchant_code
                         AND h.merchant_operation_number = operations.merchant_operation_number)
             ORDER BY created_at LIMIT 1",
        );
        let number = number.bind(&order.order_id).bind(&order.merchant_code);
        Ok(number.fetch_optional(&mut self.reader().await?).await?)
    }

    /// Puts a drafted operation on disk as its order's only live one, and starts the send window of its
    /// request. Claims the key of the attempt first, unless the attempt has the claim already; after an error the
    /// claim may be stored all the same.
    pub(crate) async fn begin_attempt(
        &self,
        draft: &OperationRecord,
        limits: &MethodLimits,
        request: &IdempotentRequest,
        claim: &mut Option<Claim>,
        lease: Duration,
    ) -> Result<(BeginAttemptOutcome, SendWindow), DbError> {
        let order = draft.full_order_id();
        let mut transaction = self.write(Lock::KeyAndOrder(request, &order)).await?;
        let window = SendWindow::open();
        let is_new = claim.is_none();
        match claim {
            Some(held) if idempotency_keys::holds_claim(&mut transaction, held).await? => {}
            Some(_) => return Ok((BeginAttemptOutcome::KeyTaken, window)),
            None => {
                let claimed = idempotency_keys::claim::<AuthorizationAnswer>(
                    &mut transaction,
                    request,
                    moment(),
                    lease,
                );
                match claimed.await? {
                    Ok(new) => *claim = Some(new),
                    Err(_) => return Ok((BeginAttemptOutcome::KeyTaken, window)),
                }
            }
        }
        let begun = begin(&mut transaction, draft, limits).await;
        if begun.is_err() && is_new {
            // The claim is rolled back with it.
            *claim = None;
        }
        let outcome = begun?;
        match outcome {
            BeginAttemptOutcome::Begun => {
                let committed = transaction.commit().await;
                if let Err(error) = committed
                    && !self.has(draft).await?
                {
                    return Err(error);
                }
            }
            // The key stays unused: the payer chooses another method, and limits may change.
            BeginAttemptOutcome::Refused(BeginAttemptError::NotOffered(_)) if is_new => {
                *claim = None;
            }
            // What follows may take long, and repetitions of the request wait for its end.
            BeginAttemptOutcome::Refused(_) if is_new => transaction.commit().await?,
            // Nothing is stored, not even a new claim.
            _ if is_new => *claim = None,
            _ => {}
        }
        Ok((outcome, window))
    }

    /// True when an attempt is on disk although its commit reported an error.
    async fn has(&self, draft: &OperationRecord) -> Result<bool, DbError> {
        let found = payments::find(&mut self.reader().await?, &draft.key).await?;
        Ok(found.is_some_and(|found| found.operation.is_attempt_of(draft)))
    }
}

pub(super) async fn begin(
    connection: &mut Connection,
    draft: &OperationRecord,
    limits: &MethodLimits,
) -> Result<BeginAttemptOutcome, DbError> {
    let Some(before) = load(connection, LoadBy::Order(&draft.full_order_id())).await? else {
        // It was removed meanwhile.
        let changed = BeginAttemptError::OrderChanged;
        return Ok(BeginAttemptOutcome::Refused(changed));
    };
    let mut order = before.clone();
    if let Err(refused) = order.begin_attempt(draft, limits) {
        return Ok(BeginAttemptOutcome::Refused(refused));
    }
    order.conclude(&before, now())?;
    match save(connection, &before, &order, now()).await {
        Ok(_) => Ok(BeginAttemptOutcome::Begun),
        // An operation of another order has the number.
        Err(DbError::NumberTaken) => Ok(BeginAttemptOutcome::NumberTaken),
        Err(error) => Err(error),
    }
}
