//! The request to authorize, and what its answer, its refusal or its silence changes. The operation is
//! on disk before the request leaves, and the answer is on disk before the browser gets it.

use super::Payments;
use super::new_operation::Draft;
use crate::clock::now;
use crate::db::{DbError, HintSource};
use crate::payment_service::{ServiceError, note_failure};
use crate::send_window::SendWindow;
use payment_model::AuthorizeResponse;
use payment_rules::idempotency::{AuthorizationRefusal, Claim};
use payment_rules::operation::{OperationRecord, Verdict};
use std::time::Duration;
use tokio::time::Instant;

/// The pause before an answer is stored again.
const RETRY_PAUSE: Duration = Duration::from_millis(500);

/// How a request ended. Every end is on disk.
pub(super) enum SendOutcome {
    /// The service answered in time: the payer may have the code.
    Answered(Box<OperationRecord>),
    /// The service refused: the final answer of the key.
    Refused(AuthorizationRefusal),
    /// The service says that the number was used before, as far as we know by another installation.
    NumberTaken,
    /// The answer came after something else had ended the attempt. No payer gets its code.
    TooLate,
    /// The service may have registered the operation; the background settles the doubt.
    Unknown(ServiceError),
    /// The service did not accept the access token, or the request never left.
    TokenRejected(ServiceError),
}

impl Payments {
    /// Sends the request once and stores how it ended.
    pub(super) async fn send_authorization(
        &self,
        draft: Draft,
        claim: &Claim,
        window: SendWindow,
    ) -> Result<SendOutcome, DbError> {
        let Draft { record, request } = draft;
        let answer = self.service.authorize(&request, window).await;
        if let Err(error) = &answer {
            note_failure(&record.key, error);
        }
        // Until then no other process takes the sender for gone.
        let patience = self.settings.timing.sending();
        let patience = patience.saturating_sub(now().duration_since(record.created_at));
        let end = Instant::now() + patience;
        let stored = loop {
            match self.store_end(&record, answer.clone(), claim).await {
                // A short absence of the database, or a full disk, costs no payer their code.
                Err(error) if error.is_away() && Instant::now() + RETRY_PAUSE < end => {
                    tokio::time::sleep(RETRY_PAUSE).await;
                }
                stored => break stored,
            }
        };
        if stored.is_err() {
            // The answer is lost. An attempt to note the doubt costs nothing.
            let why = "the answer could not be stored";
            let _ = self.put_in_doubt(&record, why, None).await;
        }
        stored
    }

    /// Stores the end of a request. It runs again after a commit whose outcome is unknown.
    async fn store_end(
        &self,
        draft: &OperationRecord,
        answer: Result<AuthorizeResponse, ServiceError>,
        claim: &Claim,
    ) -> Result<SendOutcome, DbError> {
        match answer {
            Ok(response) => self.store_authorization(draft, &response, claim).await,
            Err(error) if error.leaves_doubt() => {
                // The id comes before the doubt, which would otherwise begin with a cancellation.
                if let Some(id) = error.transaction_id() {
                    self.take_transaction_hint(&draft.key, id, HintSource::Answer)
                        .await?;
                }
                self.put_in_doubt(draft, &error.to_string(), None).await?;
                Ok(SendOutcome::Unknown(error))
            }
            Err(ServiceError::Refused { status: 409, .. }) => self.give_number_up(draft).await,
            Err(error) => self.store_refusal(draft, error, claim).await,
        }
    }

    async fn store_authorization(
        &self,
        draft: &OperationRecord,
        response: &AuthorizeResponse,
        claim: &Claim,
    ) -> Result<SendOutcome, DbError> {
        let number = draft.key.number.as_str();
        let units = self.settings.amount_units;
        let mut tried = draft.clone();
        if tried.register(response, units, now()) != Verdict::Believed {
            tracing::error!(
                alert = true,
                merchant_operation_number = number,
                "the answer to an authorization is not the order's; its code reaches nobody"
            );
            // The server does not pass on a code for another amount; the operation is in doubt.
            let error = ServiceError::Unreadable("not the order's".to_owned());
            let mismatch = tried
                .answer_mismatch
                .as_ref()
                .map(|found| found.detail.as_str());
            self.put_in_doubt(draft, &error.to_string(), mismatch)
                .await?;
            return Ok(SendOutcome::Unknown(error));
        }
        let (payment, on_time) = self
            .update(&draft.key, |order| {
                order.authorized(draft, response, units, claim, now())
            })
            .await?;
        let state = payment.operation.state().map(|state| state.as_str());
        if !on_time {
            tracing::warn!(
                merchant_operation_number = number,
                state,
                "an authorization was answered too late; its code reaches nobody"
            );
            return Ok(SendOutcome::TooLate);
        }
        tracing::info!(merchant_operation_number = number, state, "authorized");
        Ok(SendOutcome::Answered(Box::new(payment.operation)))
    }

    /// The number may belong to another installation. The server never cancels it, since that could
    /// end or give back another merchant's payment, and lists it for staff.
    async fn give_number_up(&self, draft: &OperationRecord) -> Result<SendOutcome, DbError> {
        tracing::error!(
            alert = true,
            merchant_operation_number = draft.key.number.as_str(),
            "the payment service says that this operation number was used before: give each installation an OPERATION_PREFIX of its own"
        );
        self.update_payment(&draft.key, |payment| {
            payment.operation.number_was_taken(draft, now());
        })
        .await?;
        Ok(SendOutcome::NumberTaken)
    }

    async fn store_refusal(
        &self,
        draft: &OperationRecord,
        error: ServiceError,
        claim: &Claim,
    ) -> Result<SendOutcome, DbError> {
        // A refusal is the final answer of this attempt; a rejected access token is not.
        let refusal = match &error {
            ServiceError::Refused { status, messages } => {
                Some(AuthorizationRefusal::AuthorizationRefused {
                    service_status: *status,
                    messages: messages.clone(),
                })
            }
            _ => None,
        };
        let why = error.to_string();
        let (_, on_time) = self
            .update(&draft.key, |order| {
                let answer = refusal.clone().map(|refusal| (claim, refusal));
                order.authorization_refused(draft, &why, error.never_left(), answer, now())
            })
            .await?;
        Ok(match refusal {
            Some(_) | None if !on_time => SendOutcome::TooLate,
            Some(refusal) => SendOutcome::Refused(refusal),
            None => SendOutcome::TokenRejected(error),
        })
    }

    async fn put_in_doubt(
        &self,
        draft: &OperationRecord,
        why: &str,
        mismatch: Option<&str>,
    ) -> Result<(), DbError> {
        self.update_payment(&draft.key, |payment| {
            let operation = &mut payment.operation;
            operation.authorization_unknown(draft, why, mismatch, now());
        })
        .await?;
        Ok(())
    }
}
