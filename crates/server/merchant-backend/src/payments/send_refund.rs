//! Sends the request of one refund attempt, at most once, and stores how it ended.

use super::Payments;
use super::refund_list::RefundListError;
use crate::clock::now;
use crate::db::DbError;
use crate::payment_service::{ServiceError, note_failure};
use crate::send_window::SendWindow;
use crate::single_flight::Freshness;
use payment_model::{Amount, Fields, Meta, Refund, RefundItem, RefundRequest, RefundResponse};
use payment_rules::ledger::{ATTEMPT_ID_FIELD, AttemptRecord, NewAttempt, NewRefund};
use payment_rules::operation::OperationKey;
use payment_rules::outgoing::{Failed, Progress, SendFailure};
use payment_rules::payment::Payment;
use payment_rules::planted_mistakes::{Mistake, planted};
use serde_json::Value;
use staff_model::AttemptState;

/// How often the server polls at once for a refund whose answer was lost; the background goes on.
const MAX_POLLS: u32 = 3;

/// How a request ended. Every end is on disk.
pub(super) enum RefundSendOutcome {
    /// The service registered it; or the outcome is unknown, but the service can be asked.
    Answered(Meta),
    /// The service refused this refund, or the attempt had ended before it was sent.
    Refused,
    /// The service does not accept the access token.
    TokenRejected,
    /// The service does not answer.
    NoAnswer,
}

impl Payments {
    /// Sends an attempt that was begun, and stores the result.
    pub(super) async fn send_refund(
        &self,
        refund: &NewRefund,
        fields: &Fields,
        window: SendWindow,
    ) -> Result<RefundSendOutcome, DbError> {
        let (key, attempt) = (&refund.key, &refund.attempt);
        let id = attempt.id.as_str();
        let mut fields = fields.clone();
        fields.insert(ATTEMPT_ID_FIELD.to_owned(), Value::String(id.to_owned()));
        let request = RefundRequest {
            merchant_code: key.merchant_code.clone(),
            operations: vec![RefundItem {
                kind: attempt.kind.clone(),
                merchant_operation_number: key.number.clone(),
                transaction_id: Some(refund.transaction_id.clone()),
                refund_amount: Amount::from_cents(attempt.amount),
                additional_fields: Some(fields),
            }],
        };
        let number = key.number.as_str();
        tracing::info!(
            merchant_operation_number = number,
            attempt_id = id,
            "a refund is sent"
        );
        let error = match self.service.refund(&request, window).await {
            Ok(response) => match own(&response, key, attempt) {
                Some(refund) => {
                    self.registered(key, id, refund).await?;
                    return Ok(RefundSendOutcome::Answered(response.meta));
                }
                None => ServiceError::Unreadable("without the refund".to_owned()),
            },
            Err(error) => error,
        };
        note_failure(key, &error);
        if planted(Mistake::SearchSendsAgain) && error.leaves_doubt() {
            let _ = self.service.refund(&request, SendWindow::open()).await;
        }
        let failure = error.send_failure();
        let progress = self.end_attempt(key, id, failed(&error)).await?;
        let answered = match (&failure, progress) {
            (SendFailure::NotSent, _) => false,
            (_, Progress::Unknown) => self.settle_attempt(key, id).await?,
            (_, progress) => progress == Progress::Done,
        };
        Ok(match failure {
            SendFailure::TokenRejected => RefundSendOutcome::TokenRejected,
            SendFailure::Refused { status, .. } if status != 409 => RefundSendOutcome::Refused,
            _ if answered => RefundSendOutcome::Answered(Meta::default()),
            _ => RefundSendOutcome::NoAnswer,
        })
    }

    /// Polls the service for an attempt of unknown outcome; `true` when the service answered.
    pub(super) async fn settle_attempt(
        &self,
        key: &OperationKey,
        id: &str,
    ) -> Result<bool, DbError> {
        let mut answered = false;
        for _ in 0..MAX_POLLS {
            match self.query_refunds(key, Freshness::New).await {
                Ok(list) => {
                    answered = true;
                    let state = list.ledger.attempt(id).map(|attempt| attempt.state);
                    if state != Some(AttemptState::InDoubt) {
                        break;
                    }
                }
                Err(RefundListError::Database(error)) => return Err(error),
                Err(
                    RefundListError::Service(_)
                    | RefundListError::Foreign
                    | RefundListError::GivenUp,
                ) => {}
            }
        }
        Ok(answered)
    }

    /// Ends an attempt that was never sent.
    pub(super) async fn give_attempt_up(
        &self,
        key: &OperationKey,
        id: &str,
        why: &str,
    ) -> Result<(), DbError> {
        let unsent = SendFailure::NotSent.because(format!("it was not sent: {why}"));
        self.end_attempt(key, id, unsent).await.map(drop)
    }

    /// Begins an attempt, which is sent once; `None` if it had begun or ended before.
    pub(super) async fn begin_refund(
        &self,
        key: &OperationKey,
        id: &str,
    ) -> Result<Option<SendWindow>, DbError> {
        let begin = |payment: &mut Payment| {
            let window = SendWindow::open();
            let begun = payment.ledger.begin(id, now());
            payment.ledger.plan(now());
            begun.then_some(window)
        };
        Ok(self.update_payment(key, begin).await?.1)
    }

    /// Stores how the sending failed; returns how far the attempt is.
    async fn end_attempt(
        &self,
        key: &OperationKey,
        id: &str,
        failed: Failed,
    ) -> Result<Progress, DbError> {
        let end = |payment: &mut Payment| {
            payment.ledger.end(id, failed.clone(), now());
            payment.ledger.plan(now());
            payment.ledger.attempt(id).map(AttemptRecord::progress)
        };
        let (_, progress) = self.update_payment(key, end).await?;
        progress.ok_or_else(|| DbError::missing("an attempt to refund"))
    }

    async fn registered(
        &self,
        key: &OperationKey,
        id: &str,
        refund: Refund,
    ) -> Result<(), DbError> {
        let units = self.settings.amount_units;
        self.update_payment(key, |payment| {
            let ledger = &mut payment.ledger;
            ledger.register(id, refund.refund_id.clone(), now());
            ledger.merge_refunds(std::slice::from_ref(&refund), units, now());
            ledger.plan(now());
        })
        .await?;
        Ok(())
    }
}

/// Why an attempt failed, for staff.
fn failed(error: &ServiceError) -> Failed {
    let failure = error.send_failure();
    let detail = match &failure {
        SendFailure::Refused { status, .. } if *status != 409 => {
            format!("the payment service refused it with status {status}")
        }
        SendFailure::NotSent => format!("it was {error}"),
        _ => format!("the payment service may have it: {error}"),
    };
    failure.because(detail)
}

/// The refund in an answer to our request: the one with our id, or the only one, if the service
/// echoes no id and the refund is the requested one.
fn own(response: &RefundResponse, key: &OperationKey, attempt: &NewAttempt) -> Option<Refund> {
    if response.merchant_code != key.merchant_code {
        return None;
    }
    let echo = |refund: &Refund| -> Option<Value> {
        refund
            .additional_fields
            .as_ref()?
            .get(ATTEMPT_ID_FIELD)
            .cloned()
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
