//! Sends one request to authorize. The operation is on disk before the request leaves, and the
//! answer is on disk before the browser gets it.

use super::Charges;
use super::draft::Draft;
use crate::clock::now;
use crate::db::DbError;
use crate::payment_service::{ServiceError, note_failure};
use crate::send_window::SendWindow;
use payment_model::{AuthorizeResponse, LocalizedMessage, TransactionId};
use payment_rules::idempotent_answer::{AuthorizationAnswer, AuthorizationRefusal};
use payment_rules::idempotent_request::Claim;
use payment_rules::operation::{OperationRecord, Taken};
use std::time::Duration;
use tokio::time::Instant;

/// The pause before an answer is stored again.
const PAUSE: Duration = Duration::from_millis(500);

/// How a request ended.
pub(super) enum Sent {
    /// The service answered, and the answer is on disk.
    Answered(Box<OperationRecord>),
    /// The service refused, and the refusal is on disk.
    Refused(AuthorizationRefusal),
    /// The service says that the number was used before, as far as we know by another installation.
    NumberTaken,
    /// An answer came after somebody had put the operation in doubt. It is kept, and reaches nobody.
    Late,
    /// The outcome is unknown; the background settles the doubt.
    Doubtful(ServiceError),
    /// The service did not accept the access token.
    Locked(ServiceError),
}

impl Charges {
    /// Sends the request once and stores the result.
    pub(super) async fn send_authorization(
        &self,
        draft: Draft,
        claim: &Claim,
        window: SendWindow,
    ) -> Result<Sent, DbError> {
        let key = &draft.record.key;
        let answer = self.service.authorize(&draft.request, window).await;
        if let Err(error) = &answer {
            note_failure(key, error);
        }
        // Until then nobody else takes the request for lost.
        let patience = self.settings.timing.sending();
        let patience = patience.saturating_sub(now().duration_since(draft.record.created_at));
        let end = Instant::now() + patience;
        let kept = loop {
            match self.keep(&draft, &answer, claim).await {
                // A short absence of the database, or a full disk, costs no payer their code.
                Err(error) if error.is_away() && Instant::now() + PAUSE < end => {
                    tokio::time::sleep(PAUSE).await;
                }
                kept => break kept,
            }
        };
        if kept.is_err() {
            // The answer is lost. An attempt to note the doubt costs nothing.
            let why = "the answer could not be stored".to_owned();
            let _ = self.put_in_doubt(&draft.record, why, None).await;
        }
        kept
    }

    /// Stores the outcome of a request. It may run again after a commit of unknown outcome.
    async fn keep(
        &self,
        draft: &Draft,
        answer: &Result<AuthorizeResponse, ServiceError>,
        claim: &Claim,
    ) -> Result<Sent, DbError> {
        match answer.clone() {
            Ok(response) => self.keep_answer(&draft.record, response, claim).await,
            Err(ServiceError::NotAccepted {
                messages,
                transaction_id,
                ..
            }) => {
                self.keep_unaccepted(&draft.record, messages, transaction_id, claim)
                    .await
            }
            Err(error) if error.leaves_doubt() => {
                self.put_in_doubt(&draft.record, error.to_string(), None)
                    .await?;
                Ok(Sent::Doubtful(error))
            }
            Err(ServiceError::Refused { status: 409, .. }) => {
                self.give_number_up(&draft.record).await
            }
            Err(error) => self.keep_refusal(&draft.record, error, claim).await,
        }
    }
}

impl Charges {
    async fn keep_answer(
        &self,
        draft: &OperationRecord,
        response: AuthorizeResponse,
        claim: &Claim,
    ) -> Result<Sent, DbError> {
        let key = &draft.key;
        let number = key.number.as_str();
        let units = self.settings.amount_units;
        let mut tried = draft.clone();
        if tried.register(&response, units, now()) != Taken::Believed {
            tracing::error!(
                alert = true,
                merchant_operation_number = number,
                "the answer to an authorization is not the order's; its code reaches nobody"
            );
            // The server does not pass on a code for another amount; the operation is in doubt.
            let error = ServiceError::Unreadable("not the order's".to_owned());
            self.put_in_doubt(draft, error.to_string(), tried.mismatch)
                .await?;
            return Ok(Sent::Doubtful(error));
        }
        let change =
            |record: &mut OperationRecord| record.authorized(draft, &response, units, now());
        let answer = AuthorizationAnswer::Operation(key.clone());
        let kept = self.db.change_and_end(key, change, claim, &answer);
        let (record, on_time) = kept.await?;
        self.wakeups.changed(key);
        let state = record.state().map(|state| state.as_str());
        if !on_time {
            tracing::warn!(
                merchant_operation_number = number,
                state,
                "an authorization was answered too late; its code reaches nobody"
            );
            return Ok(Sent::Late);
        }
        tracing::info!(merchant_operation_number = number, state, "authorized");
        Ok(Sent::Answered(Box::new(record)))
    }

    /// The number may belong to another installation. The server never cancels it, since that could
    /// end or give back another merchant's payment, and lists it for staff.
    async fn give_number_up(&self, draft: &OperationRecord) -> Result<Sent, DbError> {
        let key = &draft.key;
        tracing::error!(
            alert = true,
            merchant_operation_number = key.number.as_str(),
            "the payment service says that this operation number was used before: give each installation an OPERATION_PREFIX of its own"
        );
        let change = |record: &mut OperationRecord| record.number_was_taken(draft, now());
        self.db.change(key, change).await?;
        self.wakeups.changed(key);
        Ok(Sent::NumberTaken)
    }

    async fn keep_refusal(
        &self,
        draft: &OperationRecord,
        error: ServiceError,
        claim: &Claim,
    ) -> Result<Sent, DbError> {
        let key = &draft.key;
        let refusal = match &error {
            ServiceError::Refused { status, messages } => {
                Some(AuthorizationRefusal::AuthorizationRefused {
                    service_status: *status,
                    messages: messages.clone(),
                })
            }
            _ => None,
        };
        let trouble = error.to_string();
        let never_left = error.never_left();
        let change = |record: &mut OperationRecord| {
            record.authorization_refused(draft, &trouble, never_left, now())
        };
        // A refusal is the final answer of this attempt; a refused access token is not.
        let on_time = match &refusal {
            Some(refusal) => {
                let answer = AuthorizationAnswer::Refused(refusal.clone());
                let kept = self.db.change_and_end(key, change, claim, &answer);
                kept.await?.1
            }
            None => self.db.change(key, change).await?.1,
        };
        self.wakeups.changed(key);
        Ok(match refusal {
            _ if !on_time => Sent::Late,
            Some(refusal) => Sent::Refused(refusal),
            None => Sent::Locked(error),
        })
    }

    /// The service may have registered the payment all the same, so the operation is in doubt. The
    /// server keeps the transaction id of the answer for queries and does not send the code to the payer.
    async fn keep_unaccepted(
        &self,
        draft: &OperationRecord,
        messages: Vec<LocalizedMessage>,
        transaction_id: Option<TransactionId>,
        claim: &Claim,
    ) -> Result<Sent, DbError> {
        let refusal = AuthorizationRefusal::NotAccepted { messages };
        let answer = AuthorizationAnswer::Refused(refusal.clone());
        // Before the doubt, whose first look would otherwise be a cancellation.
        if let Some(id) = transaction_id {
            self.take_transaction_hint(&draft.key, &id).await?;
        }
        let change = |record: &mut OperationRecord| {
            let why = "the payment service's answer is not accepted";
            record.authorization_unknown(draft, why, None, now());
            true
        };
        let kept = self.db.change_and_end(&draft.key, change, claim, &answer);
        kept.await?;
        self.wakeups.changed(&draft.key);
        Ok(Sent::Refused(refusal))
    }

    async fn put_in_doubt(
        &self,
        draft: &OperationRecord,
        why: String,
        mismatch: Option<String>,
    ) -> Result<(), DbError> {
        let key = &draft.key;
        let change = |record: &mut OperationRecord| {
            record.authorization_unknown(draft, &why, mismatch.as_deref(), now());
        };
        self.db.change(key, change).await?;
        self.wakeups.changed(key);
        Ok(())
    }
}
