//! Asks about an operation in doubt by transaction ids that others named: an answer that was not
//! accepted, a notification, the payer's browser.
//!
//! Nothing that they say is believed. An id is only a way to ask, and only an answer of the service
//! about our own operation, with its amount and currency, counts.

use super::Charges;
use crate::clock::{now, reading};
use crate::db::DbError;
use crate::payment_service::{ServiceError, Urgency, note_failure};
use crate::wakeups::Topic;
use payment_model::{Operation, QueryResponse, TransactionId};
use payment_rules::operation::{Asked, DOUBT, OperationKey, OperationRecord, can_be_asked};

/// What the questions brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AskedByHint {
    /// No id is left to ask by.
    NoHint,
    /// An answer is stored.
    Known,
    /// The service does not know the transaction yet, or did not answer, so that it has to be asked
    /// again; true when its answer was not accepted.
    Open(bool),
}

impl Charges {
    /// Keeps a transaction id that may be that of an operation in doubt, and has the background ask.
    pub(crate) async fn take_transaction_hint(
        &self,
        key: &OperationKey,
        id: &TransactionId,
    ) -> Result<(), DbError> {
        if can_be_asked(id) && self.db.note_transaction_hint(key, id, now()).await? {
            self.wakeups.wake(&Topic::Background);
        }
        Ok(())
    }

    /// Asks by each id until an answer counts.
    pub(super) async fn ask_by_hint(
        &self,
        record: &OperationRecord,
    ) -> Result<AskedByHint, DbError> {
        let key = &record.key;
        let (mut silent, mut unaccepted, mut unknown) = (false, false, false);
        for id in self.db.transaction_hints(key).await? {
            self.service.turn(key, Urgency::Background).await;
            self.wait_for_turn(key).await?;
            let cancellation = self.db.pending_cancellation(key).await?;
            let asked = Asked::query(record, cancellation, reading());
            match self.service.query(key, &id).await {
                Ok(response) => {
                    if let Some(operation) = self.counts(record, &response, &id) {
                        let answer = (&response.merchant_code, &operation);
                        self.record_answer(key, answer, &asked, None).await?;
                        return Ok(AskedByHint::Known);
                    }
                    self.db.refute_transaction_hint(key, &id).await?;
                }
                Err(error @ ServiceError::Refused { .. }) => {
                    note_failure(key, &error);
                    // A service may answer queries before it knows of a transaction.
                    if reading().proven_since(record.created_at) > DOUBT {
                        self.db.refute_transaction_hint(key, &id).await?;
                    } else {
                        unknown = true;
                    }
                }
                Err(error) => {
                    note_failure(key, &error);
                    silent = true;
                    unaccepted |= matches!(error, ServiceError::NotAccepted { .. });
                }
            }
        }
        // Where a cancellation can settle the doubt, a refused question is answer enough.
        Ok(if silent || (unknown && !record.is_shown_by_us()) {
            AskedByHint::Open(unaccepted)
        } else {
            AskedByHint::NoHint
        })
    }

    /// The operation of an answer, with the one transaction that was asked for, if it is ours.
    fn counts(
        &self,
        record: &OperationRecord,
        response: &QueryResponse,
        id: &TransactionId,
    ) -> Option<Operation> {
        let mut operation = response.operation.clone();
        operation
            .transactions
            .retain(|one| one.transaction_id == *id);
        let units = self.settings.amount_units;
        record
            .is_ours(&response.merchant_code, &operation, units)
            .then_some(operation)
    }
}
