//! A new operation: its draft, the request to authorize it, and what its answer, its refusal or its silence changes.
//! The operation is on disk before the request leaves, and the answer is on disk before the browser gets it.

use super::checkout_token::{self, with_token};
use super::{Payments, RETRY_PAUSE};
use crate::clock::now;
use crate::db::{DbError, HintSource};
use crate::payment_service::{ServiceError, note_failure};
use crate::random::{NoRandomness, digits, token};
use crate::send_window::SendWindow;
use payment_model::{
    Amount, AuthorizeAction, AuthorizeMethod, AuthorizeRequest, AuthorizeResponse, Channel,
    Currency, PaymentDetails, PaymentMethodName,
};
use payment_rules::fingerprint;
use payment_rules::idempotency::{AuthorizationRefusal, Claim, IdempotentRequest};
use payment_rules::offer::MethodLimits;
use payment_rules::operation::{OperationKey, OperationRecord, Verdict};
use payment_rules::order::OrderFacts;
use qr_verdict::Verdict as CodeVerdict;
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;
use url::Url;

/// How long a payer may come back in another browser.
const CHECKOUT_TOKEN_LIFE: Duration = Duration::from_hours(24);

/// A payer's choice of a method, with the data that it needs from the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Method {
    Qr,
    Installment {
        redirect_url: Url,
    },
    /// Any other method; its details are the merchant's setting.
    Other {
        name: PaymentMethodName,
        redirect_url: Option<Url>,
    },
}

impl Method {
    pub(crate) fn name(&self) -> PaymentMethodName {
        match self {
            Self::Qr => PaymentMethodName::Qr,
            Self::Installment { .. } => PaymentMethodName::Installment,
            Self::Other { name, .. } => name.clone(),
        }
    }

    /// The address that the payer comes back to.
    pub(crate) fn redirect_url(&self) -> Option<&Url> {
        match self {
            Self::Qr => None,
            Self::Installment { redirect_url } => Some(redirect_url),
            Self::Other { redirect_url, .. } => redirect_url.as_ref(),
        }
    }
}

/// The checked request of a payer's browser.
pub(crate) struct AuthorizeCommand {
    pub(crate) order: OrderFacts,
    /// What the methods of the order's store take.
    pub(crate) limits: MethodLimits,
    pub(crate) request: IdempotentRequest,
    pub(crate) method: Method,
    /// The number of the operation that its payer leaves for this method.
    pub(crate) replaces: Option<String>,
}

/// A running attempt, with the claim of its idempotency key.
pub(super) struct Attempt<'a> {
    pub(super) command: &'a AuthorizeCommand,
    pub(super) claim: &'a Claim,
}

impl Attempt<'_> {
    /// True when its payer said that this operation is left for another method.
    pub(super) fn replaces(&self, live: &OperationRecord) -> bool {
        self.command.replaces.as_deref() == Some(live.key.number.as_str())
    }
}

/// An operation before it is sent: the row, and the request to the service.
pub(super) struct Draft {
    pub(super) record: OperationRecord,
    pub(super) request: AuthorizeRequest,
}

impl Payments {
    /// A new operation, with the number of one whose request never left, or with a fresh one.
    pub(super) async fn draft(&self, command: &AuthorizeCommand) -> Result<Draft, DbError> {
        let settings = &self.settings;
        let code = &command.order.merchant_code;
        let unsent = self.db.unsent_number(&command.order.full_id()).await?;
        let numbers = &settings.operation_numbers;
        let number = match unsent {
            Some(number) => number,
            None => mint_number(&numbers.prefix, numbers.length)?,
        };
        let key = OperationKey::new(code.clone(), number);
        let callback = token()?;
        let order = &command.order;
        let method = command.method.name();
        let (now, callback_hash) = (now(), fingerprint(&callback));
        let sending = OperationRecord::sending(key.clone(), order, method, callback_hash, now);
        let record = OperationRecord {
            attempt_hash: Some(command.request.hash()),
            ..sending
        };
        let base = settings.public_url.as_str().trim_end_matches('/');
        let callback_url = Some(format!("{base}/notifications/{callback}"));
        let back = |redirect_url: &Url| {
            let token = checkout_token::mint(
                &self.cookie_key,
                &key,
                &order.order_id,
                now.saturating_add(CHECKOUT_TOKEN_LIFE),
            );
            with_token(redirect_url.clone(), &token)
        };
        let payment_method = match &command.method {
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
}

fn details(order: &OrderFacts) -> PaymentDetails {
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

/// A fresh operation number: the installation's prefix, then random digits up to the length.
///
/// It is no counter: a restored backup or a second installation would count the same numbers again,
/// and every transaction needs a different number. A number without a prefix does not begin with a zero, which a
/// spreadsheet would leave out.
fn mint_number(prefix: &str, length: usize) -> Result<String, NoRandomness> {
    loop {
        let number = format!("{prefix}{}", digits(length.saturating_sub(prefix.len()))?);
        if !number.starts_with('0') || !prefix.is_empty() {
            return Ok(number);
        }
    }
}

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
    NothingDone(ServiceError),
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
        let code = match &answer {
            Ok(response) => self.codes.verdict(&record, response).await,
            Err(error) => {
                note_failure(&record.key, error);
                None
            }
        };
        if let Some(code) = &code {
            self.metrics.code(code);
        }
        // Until then no other process takes the sender for gone.
        let patience = self.settings.sending();
        let patience = patience.saturating_sub(now().duration_since(record.created_at));
        let end = Instant::now() + patience;
        let stored = loop {
            match self
                .store_end(&record, answer.clone(), code.as_ref(), claim)
                .await
            {
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
        code: Option<&CodeVerdict>,
        claim: &Claim,
    ) -> Result<SendOutcome, DbError> {
        match answer {
            Ok(response) => {
                self.store_authorization(draft, &response, code, claim)
                    .await
            }
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
        code: Option<&CodeVerdict>,
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
        if let Some(code) = code.filter(|code| self.settings.refused_codes.has(code)) {
            return self.refuse_code(draft, code, response, claim).await;
        }
        let (payment, on_time) = self
            .update(&draft.key, |order| {
                order.authorized(draft, response, code.cloned(), units, claim, now())
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
        if let Some(code) = payment.operation.wrong_code() {
            tracing::error!(
                alert = true,
                merchant_operation_number = number,
                code,
                "a wrong code is shown, since REFUSED_CODES permits it"
            );
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
            None => SendOutcome::NothingDone(error),
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

#[cfg(test)]
mod tests {
    use super::mint_number;

    #[test]
    fn numbers_have_the_prefix_and_the_length() {
        let number = mint_number("A7", 12).unwrap();
        assert!(number.starts_with("A7") && number.len() == 12);
        assert_ne!(number, mint_number("A7", 12).unwrap());
        let numbers = (0..500).map(|_| mint_number("", 8).unwrap());
        assert!(
            numbers
                .into_iter()
                .all(|number| !number.starts_with('0') && number.len() == 8)
        );
    }
}
