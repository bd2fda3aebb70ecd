//! Sends one request to authorize. The operation is on disk before the request leaves, and the
//! answer is on disk before the browser gets it.

use super::Charges;
use super::checkout_token;
use super::checkout_token::with_token;
use super::payment_attempt::{Attempt, Method};
use crate::clock::now;
use crate::db::DbError;
use crate::domain::idempotent_answer::{AuthorizationAnswer, AuthorizationRefusal};
use crate::domain::idempotent_request::Claim;
use crate::domain::operation::{OperationKey, OperationRecord, Phase, Taken, mint_number};
use crate::domain::order::Order;
use crate::fingerprint::fingerprint;
use crate::payment_service::{ServiceError, note_failure};
use crate::random::{NoRandomness, token};
use crate::send_window::SendWindow;
use payment_model::{
    Amount, AuthorizeAction, AuthorizeMethod, AuthorizeRequest, AuthorizeResponse, Channel,
    Currency, PaymentDetails,
};
use serde_json::json;
use std::time::Duration;
use url::Url;

/// How long a payer may come back in another browser.
const TOKEN_LIFE: Duration = Duration::from_hours(24);

/// An operation before it is sent: the row, and the request to the service.
pub(super) struct Draft {
    pub(super) record: OperationRecord,
    request: AuthorizeRequest,
}

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
    /// A new operation with a fresh number.
    pub(super) fn draft(&self, attempt: &Attempt) -> Result<Draft, NoRandomness> {
        let settings = &self.settings;
        let number = mint_number(&settings.operation_prefix, settings.operation_length)?;
        let key = OperationKey::new(attempt.order.merchant_code.clone(), number);
        let callback = token()?;
        let order = &attempt.order;
        let method = attempt.method.name();
        let (now, callback_hash) = (now(), fingerprint(&callback));
        let record = OperationRecord {
            key: key.clone(),
            order_id: order.order_id.clone(),
            phase: Phase::Sending,
            live: true,
            method,
            amount: order.amount,
            currency: order.currency.clone(),
            callback_hash,
            created_at: now,
            changed_at: now,
            queried_at: None,
            due_at: None,
            failures: 0,
            operation: None,
            answer: None,
            paid_late_at: None,
            mismatch: None,
            trouble: None,
            blocked_since: None,
            reversal_seen_at: None,
            number_taken_at: None,
        };
        let base = settings.public_url.as_str().trim_end_matches('/');
        let callback_url = Some(format!("{base}/notifications/{callback}"));
        let back = |redirect_url: &Url| {
            let token = checkout_token::mint(
                &self.cookie_key,
                &key,
                &order.order_id,
                now.saturating_add(TOKEN_LIFE),
            );
            with_token(redirect_url.clone(), &token)
        };
        let payment_method = match &attempt.method {
            Method::Qr => AuthorizeMethod::Qr { callback_url },
            Method::Installment { redirect_url } => AuthorizeMethod::Installment {
                redirect_url: back(redirect_url),
                callback_url,
            },
            Method::Other { name, redirect_url } => AuthorizeMethod::Other {
                method_name: name.clone(),
                method_details: settings.method_details.filled(
                    name,
                    redirect_url.as_ref().map(back).as_deref(),
                    callback_url.as_deref(),
                ),
            },
        };
        let request = AuthorizeRequest {
            action: AuthorizeAction,
            channel: Channel,
            merchant_code: key.merchant_code,
            merchant_operation_number: key.number,
            payment_method,
            payment_details: details(order),
        };
        Ok(Draft { record, request })
    }

    /// Sends the request once and stores the result.
    pub(super) async fn send_authorization(
        &self,
        draft: Draft,
        claim: &Claim,
        window: SendWindow,
    ) -> Result<Sent, DbError> {
        let key = &draft.record.key;
        let answer = self.service.authorize(&draft.request, window).await;
        let sent = match answer {
            Ok(response) => self.keep_answer(&draft.record, response, claim).await,
            Err(error) if error.leaves_doubt() => {
                note_failure(key, &error);
                let noted = self.put_in_doubt(key, error.to_string(), None).await;
                noted.map(|()| Sent::Doubtful(error))
            }
            Err(ServiceError::Refused { status: 409, .. }) => self.give_number_up(key).await,
            Err(error) => {
                note_failure(key, &error);
                self.keep_refusal(key, error, claim).await
            }
        };
        if sent.is_err() {
            // The answer may be lost. An attempt to note the doubt costs nothing.
            let why = "the answer could not be stored".to_owned();
            let _ = self.put_in_doubt(key, why, None).await;
            // A commit that reported an error may have been carried out.
            if let Ok(Some(record)) = self.db.operation(key).await
                && record.answer.is_some()
            {
                return Ok(Sent::Answered(Box::new(record)));
            }
        }
        sent
    }
}

fn details(order: &Order) -> PaymentDetails {
    let products = order.items.iter().map(|item| {
        let price = item.unit_price.to_string();
        json!({"sku": item.sku, "name": item.name, "quantity": item.quantity.to_string(), "unit_price": price})
    });
    PaymentDetails {
        amount: Amount::from_cents(order.amount),
        currency: Currency::new(order.currency.clone()),
        billing: order.customer.clone(),
        shipping: order.customer.clone(),
        customer: order.customer.clone(),
        product_details: products.collect(),
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
            self.put_in_doubt(key, error.to_string(), tried.mismatch)
                .await?;
            return Ok(Sent::Doubtful(error));
        }
        let change = move |record: &mut OperationRecord| {
            let on_time = record.phase == Phase::Sending;
            if on_time {
                record.register(&response, units, now());
            } else {
                record.register_late(&response, units, now());
            }
            record.plan(now());
            on_time
        };
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
    async fn give_number_up(&self, key: &OperationKey) -> Result<Sent, DbError> {
        tracing::error!(
            alert = true,
            merchant_operation_number = key.number.as_str(),
            "the payment service says that this operation number was used before: give each installation an OPERATION_PREFIX of its own"
        );
        let change = |record: &mut OperationRecord| {
            // Even too late: a doubt would be settled by a cancellation.
            if record.operation.is_some() {
                return;
            }
            record.phase = Phase::Refused;
            record.live = false;
            record.number_taken_at = Some(now());
            record.trouble =
                Some("its number was used before, maybe by another installation".to_owned());
            record.changed_at = now();
            record.plan(now());
        };
        self.db.change(key, change).await?;
        self.wakeups.changed(key);
        Ok(Sent::NumberTaken)
    }

    async fn keep_refusal(
        &self,
        key: &OperationKey,
        error: ServiceError,
        claim: &Claim,
    ) -> Result<Sent, DbError> {
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
        let change = |record: &mut OperationRecord| {
            let on_time = record.phase == Phase::Sending;
            if on_time {
                record.phase = Phase::Refused;
                record.live = false;
                record.changed_at = now();
                record.plan(now());
            }
            record.trouble = Some(trouble.clone());
            on_time
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

    async fn put_in_doubt(
        &self,
        key: &OperationKey,
        why: String,
        mismatch: Option<String>,
    ) -> Result<(), DbError> {
        let change = |record: &mut OperationRecord| {
            // A commit that reported an error may still have stored the answer.
            if record.phase != Phase::Sending {
                record.mismatch = record.mismatch.take().or_else(|| mismatch.clone());
                return;
            }
            record.phase = Phase::InDoubt;
            record.live = false;
            record.mismatch.clone_from(&mismatch);
            record.trouble = Some(why.clone());
            record.changed_at = now();
            record.plan(now());
        };
        self.db.change(key, change).await?;
        self.wakeups.changed(key);
        Ok(())
    }
}
