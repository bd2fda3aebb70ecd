//! Sends one request to the service for one attempt, at most once.

use super::Refunds;
use super::look_up_answer::LookUpError;
use super::refund_request::ItemWanted;
use crate::clock::now;
use crate::db::{DbError, Notes};
use crate::payment_service::{ServiceError, note_failure};
use crate::send_window::SendWindow;
use crate::shared_query::Freshness;
use payment_model::{Amount, Meta, Refund, RefundItem, RefundRequest, RefundResponse};
use payment_rules::ledger::{ATTEMPT_ID, AttemptRecord, Ending, Ledger};
use payment_rules::operation::OperationKey;
use serde_json::Value;
use staff_model::AttemptState;

/// How often the server looks at once for a refund whose answer was lost; the background goes on.
const LOOKS: u32 = 3;

/// How a request ended.
pub(super) enum Sent {
    /// With a refund, or with a doubt and a working look-up.
    Answered(Meta),
    /// The service refused this refund, or somebody decided not to send it.
    Refused,
    /// The service does not accept the access token.
    Locked,
    /// The service does not answer.
    Silent,
}

impl Refunds {
    /// Sends an attempt once and stores the result.
    pub(super) async fn send_refund(&self, item: &ItemWanted, id: &str) -> Result<Sent, DbError> {
        let Some((ledger, attempt, window)) = self.begin_attempt(&item.key, id).await? else {
            return Ok(Sent::Refused);
        };
        let mut fields = item.fields.clone();
        fields.insert(ATTEMPT_ID.to_owned(), Value::String(id.to_owned()));
        let request = RefundRequest {
            merchant_code: item.key.merchant_code.clone(),
            operations: vec![RefundItem {
                kind: attempt.kind.clone(),
                merchant_operation_number: item.key.number.clone(),
                transaction_id: ledger.transaction_id,
                refund_amount: Amount::from_cents(attempt.amount),
                additional_fields: Some(fields),
            }],
        };
        let number = item.key.number.as_str();
        tracing::info!(
            merchant_operation_number = number,
            attempt_id = id,
            "a refund is sent"
        );
        let error = match self.service.refund(&request, window).await {
            Ok(response) => match own(&response, &item.key, &attempt) {
                Some(refund) => {
                    self.registered(&item.key, id, refund).await?;
                    return Ok(Sent::Answered(response.meta));
                }
                None => ServiceError::Unreadable("without the refund".to_owned()),
            },
            Err(error) => error,
        };
        note_failure(&item.key, &error);
        let (ending, sent) = match &error {
            // Most likely the service did nothing; only a whole list proves that.
            ServiceError::Unauthorized => {
                self.end_attempt(&item.key, id, Ending::LockedOut).await?;
                self.settle(&item.key, id).await?;
                return Ok(Sent::Locked);
            }
            // The service reports that it has it already: it may be this refund.
            ServiceError::Refused { status: 409, .. } => {
                return self.look_for_lost(item, id, &error).await;
            }
            ServiceError::Refused { status, messages } => (
                Ending::Refused(
                    format!("the payment service refused it with status {status}"),
                    messages.clone(),
                ),
                Sent::Refused,
            ),
            error if error.leaves_doubt() => return self.look_for_lost(item, id, error).await,
            error => (Ending::NotSent(format!("it was {error}")), Sent::Silent),
        };
        self.end_attempt(&item.key, id, ending).await?;
        Ok(sent)
    }

    async fn look_for_lost(
        &self,
        item: &ItemWanted,
        id: &str,
        error: &ServiceError,
    ) -> Result<Sent, DbError> {
        let detail = format!("the payment service may have it: {error}");
        self.end_attempt(&item.key, id, Ending::InDoubt(detail))
            .await?;
        Ok(if self.settle(&item.key, id).await? {
            Sent::Answered(Meta::default())
        } else {
            Sent::Silent
        })
    }

    /// Looks for an attempt of unknown outcome; `true` when the service answered.
    pub(super) async fn settle(&self, key: &OperationKey, id: &str) -> Result<bool, DbError> {
        let mut answered = false;
        for _ in 0..LOOKS {
            match self.look_up(key, Freshness::New).await {
                Ok(looked) => {
                    answered = true;
                    let state = looked.ledger.attempt(id).map(|attempt| attempt.state);
                    if state != Some(AttemptState::InDoubt) {
                        break;
                    }
                }
                Err(LookUpError::Database(error)) => return Err(error),
                Err(LookUpError::Service(_) | LookUpError::Foreign | LookUpError::GivenUp) => {}
            }
        }
        Ok(answered)
    }

    /// Ends an attempt that was never sent.
    pub(super) async fn give_up(
        &self,
        key: &OperationKey,
        id: &str,
        why: &str,
    ) -> Result<(), DbError> {
        let detail = format!("it was not sent: {why}");
        self.end_attempt(key, id, Ending::NotSent(detail)).await
    }

    /// Takes the attempt's only turn; an attempt that is not on disk is not sent.
    async fn begin_attempt(
        &self,
        key: &OperationKey,
        id: &str,
    ) -> Result<Option<(Ledger, AttemptRecord, SendWindow)>, DbError> {
        let change = |ledger: &mut Ledger| {
            let window = SendWindow::open();
            let begun = ledger.begin(id, now());
            (begun.then_some(window), Notes::default())
        };
        let (ledger, begun) = self.change_one(key, change).await?;
        let attempt = ledger.attempt(id).cloned();
        Ok(attempt
            .zip(begun)
            .map(|(attempt, window)| (ledger, attempt, window)))
    }

    async fn end_attempt(
        &self,
        key: &OperationKey,
        id: &str,
        ending: Ending,
    ) -> Result<(), DbError> {
        let change = |ledger: &mut Ledger| {
            ledger.end(id, ending.clone(), now());
            ((), Notes::default())
        };
        self.change_one(key, change).await.map(|_| ())
    }

    async fn registered(
        &self,
        key: &OperationKey,
        id: &str,
        refund: Refund,
    ) -> Result<(), DbError> {
        let change = |ledger: &mut Ledger| {
            ledger.register(id, refund.refund_id.clone(), now());
            let notes = Notes {
                ends: ledger.take(std::slice::from_ref(&refund), self.amount_units, now()),
                audit: Vec::new(),
            };
            ((), notes)
        };
        self.change_one(key, change).await.map(|_| ())
    }
}

/// The refund in an answer to our request: the one with our id, or the only one, if the service
/// echoes no id and the refund is the requested one.
fn own(response: &RefundResponse, key: &OperationKey, attempt: &AttemptRecord) -> Option<Refund> {
    if response.merchant_code != key.merchant_code {
        return None;
    }
    let echo = |refund: &Refund| -> Option<Value> {
        refund.additional_fields.as_ref()?.get(ATTEMPT_ID).cloned()
    };
    let of_operation = |refund: &&Refund| {
        refund.merchant_operation_number == key.number && !refund.refund_id.as_str().is_empty()
    };
    let mut refunds = response.operations.iter().filter(of_operation);
    let named = refunds
        .clone()
        .find(|refund| echo(refund).as_ref().and_then(Value::as_str) == Some(&attempt.id));
    let only = || match (refunds.next(), refunds.next()) {
        (Some(refund), None) => {
            let silent = echo(refund).is_none() && response.operations.len() == 1;
            (silent && refund.kind == attempt.kind).then_some(refund)
        }
        _ => None,
    };
    named.or_else(only).cloned()
}
