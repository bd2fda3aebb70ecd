//! An operation before it is sent.

use super::Payments;
use super::checkout_token::{self, with_token};
use crate::clock::now;
use crate::db::DbError;
use crate::random::{NoRandomness, digits, token};
use payment_model::{
    Amount, AuthorizeAction, AuthorizeMethod, AuthorizeRequest, Channel, Currency, PaymentDetails,
    PaymentMethodName,
};
use payment_rules::fingerprint::fingerprint;
use payment_rules::idempotency::{Claim, IdempotentRequest};
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::order::OrderFacts;
use serde_json::json;
use std::time::Duration;
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
        let (prefix, length) = (&settings.operation_prefix, settings.operation_length);
        let number = match unsent {
            Some(number) => number,
            None => mint_number(prefix, length)?,
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
