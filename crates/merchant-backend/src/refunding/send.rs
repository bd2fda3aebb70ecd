//! One request to the service for one attempt: at most one, ever.

use super::change::change_one;
use super::look_up::{LookUpError, look_up};
use super::request::ItemWanted;
use crate::backend::Backend;
use crate::clock::now;
use crate::operation::OperationKey;
use crate::payment::Freshness;
use crate::refund::{ATTEMPT_ID, AttemptRecord, Ending, Ledger};
use crate::service::ServiceError;
use crate::store::{Notes, StoreError};
use payment_model::{Amount, Meta, Refund, RefundItem, RefundRequest, RefundResponse};
use serde_json::Value;
use staff_model::AttemptState;

/// How often a refund whose answer was lost is looked for at once; the sweeper goes on.
const LOOKS: u32 = 3;

/// How a request ended.
pub(super) enum Sent {
    /// With a refund, or with a doubt that could be looked up.
    Answered(Meta),
    /// The service refused this one, or somebody decided that it is not sent.
    Refused,
    /// The service does not let us in.
    Locked,
    /// The service does not answer at all.
    Silent,
}

/// Sends an attempt, once, and writes down what came of it.
pub(super) async fn send(
    backend: &Backend,
    item: &ItemWanted,
    id: &str,
) -> Result<Sent, StoreError> {
    let Some((ledger, attempt)) = begin(backend, &item.key, id).await? else {
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
    let error = match backend.service.refund(&request).await {
        Ok(response) => match own(&response, &item.key, &attempt) {
            Some(refund) => {
                registered(backend, &item.key, id, refund).await?;
                return Ok(Sent::Answered(response.meta));
            }
            None => ServiceError::Unreadable("without the refund".to_owned()),
        },
        Err(error) => error,
    };
    backend.note_failure(&item.key, &error);
    let (ending, sent) = match &error {
        // Nothing else was looked at, most likely; only a whole list proves it.
        ServiceError::Unauthorized => {
            end(backend, &item.key, id, Ending::LockedOut).await?;
            settle(backend, &item.key, id).await?;
            return Ok(Sent::Locked);
        }
        // The service says that it has it already: it may be this one.
        ServiceError::Refused { status: 409, .. } => {
            return doubt(backend, item, id, &error).await;
        }
        ServiceError::Refused { status, messages } => (
            Ending::Refused(
                format!("the payment service refused it with status {status}"),
                messages.clone(),
            ),
            Sent::Refused,
        ),
        error if error.leaves_doubt() => return doubt(backend, item, id, error).await,
        error => (Ending::NotSent(format!("it was {error}")), Sent::Silent),
    };
    end(backend, &item.key, id, ending).await?;
    Ok(sent)
}

async fn doubt(
    backend: &Backend,
    item: &ItemWanted,
    id: &str,
    error: &ServiceError,
) -> Result<Sent, StoreError> {
    let detail = format!("the payment service may have it: {error}");
    end(backend, &item.key, id, Ending::InDoubt(detail)).await?;
    Ok(if settle(backend, &item.key, id).await? {
        Sent::Answered(Meta::default())
    } else {
        Sent::Silent
    })
}

/// Looks for an attempt whose outcome is unknown; `true` when the service answered at all.
pub(super) async fn settle(
    backend: &Backend,
    key: &OperationKey,
    id: &str,
) -> Result<bool, StoreError> {
    let mut answered = false;
    for _ in 0..LOOKS {
        match look_up(backend, key, Freshness::New).await {
            Ok(looked) => {
                answered = true;
                let state = looked.ledger.attempt(id).map(|attempt| attempt.state);
                if state != Some(AttemptState::InDoubt) {
                    break;
                }
            }
            Err(LookUpError::Store(error)) => return Err(error),
            Err(LookUpError::Service(_) | LookUpError::Foreign) => {}
        }
    }
    Ok(answered)
}

/// Ends an attempt that was never sent.
pub(super) async fn give_up(
    backend: &Backend,
    key: &OperationKey,
    id: &str,
    why: &str,
) -> Result<(), StoreError> {
    let detail = format!("it was not sent: {why}");
    end(backend, key, id, Ending::NotSent(detail)).await
}

/// Takes the attempt's one turn; what is not on disk is not sent.
async fn begin(
    backend: &Backend,
    key: &OperationKey,
    id: &str,
) -> Result<Option<(Ledger, AttemptRecord)>, StoreError> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let wanted = id.to_owned();
    let change = move |ledger: &mut Ledger| {
        let _ = sender.send(ledger.begin(&wanted, now()));
        Notes::default()
    };
    let ledger = change_one(backend, key, change).await?;
    if receiver.try_recv() != Ok(true) {
        return Ok(None);
    }
    let attempt = ledger.attempt(id).cloned();
    Ok(attempt.map(|attempt| (ledger, attempt)))
}

async fn end(
    backend: &Backend,
    key: &OperationKey,
    id: &str,
    ending: Ending,
) -> Result<(), StoreError> {
    let id = id.to_owned();
    let change = move |ledger: &mut Ledger| {
        ledger.end(&id, ending, now());
        Notes::default()
    };
    change_one(backend, key, change).await.map(|_| ())
}

async fn registered(
    backend: &Backend,
    key: &OperationKey,
    id: &str,
    refund: Refund,
) -> Result<(), StoreError> {
    let (id, refund_id) = (id.to_owned(), refund.refund_id.clone());
    let units = backend.config.amount_units;
    let change = move |ledger: &mut Ledger| {
        ledger.register(&id, refund_id, now());
        Notes {
            ends: ledger.take(&[refund], units, now()),
            audit: Vec::new(),
        }
    };
    change_one(backend, key, change).await.map(|_| ())
}

/// The refund that an answer to our request tells: the one with our id, or the only one, when
/// the service echoes nothing and it is what we asked for.
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
