use super::error::ControlError;
use super::operations::OperationView;
use crate::charge::{Asked, Key};
use crate::journal::{Effect, Exchange};
use crate::settings::check_expires_in_s;
use crate::{Sandbox, json, random};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use payment_model::{
    Amount, Currency, Fields, MerchantCode, MerchantOperationNumber, PaymentMethodName,
    TransactionState,
};
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

/// The body of `POST /sandbox/operations`. All fields have defaults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperationRequest {
    /// The demo's merchant by default.
    merchant_code: Option<MerchantCode>,
    /// Twelve random digits by default.
    merchant_operation_number: Option<MerchantOperationNumber>,
    /// `QR` by default.
    method_name: Option<PaymentMethodName>,
    /// `PENDIENTE` by default; unknown states are accepted too.
    state: Option<TransactionState>,
    /// In cents; 129.90 by default.
    amount: Option<Amount>,
    /// `PEN` by default.
    currency: Option<Currency>,
    /// The method's time to pay by default.
    expires_in_s: Option<u32>,
    /// For redirect methods, whose answers must have one; a page of an example shop by default.
    redirect_url: Option<String>,
    callback_url: Option<String>,
}

/// `POST /sandbox/operations`: creates an operation of any method and state, without an authorization.
pub(super) async fn create(
    State(sandbox): State<Sandbox>,
    body: Bytes,
) -> Result<(StatusCode, Json<OperationView>), ControlError> {
    let body: &[u8] = if body.is_empty() { b"{}" } else { &body };
    let request: OperationRequest = json::read(body).map_err(ControlError::bad_request)?;
    let now = sandbox.now();
    let mut world = sandbox.world();
    let method = request.method_name.unwrap_or(PaymentMethodName::Qr);
    let expires_in = match request.expires_in_s {
        Some(seconds) => {
            let seconds = check_expires_in_s("expires_in_s", seconds);
            Duration::from_secs(u64::from(seconds.map_err(ControlError::bad_request)?))
        }
        None => world.settings.expires_in(&method),
    };
    let amount = request.amount.unwrap_or_else(|| Amount::from_cents(12_990));
    if amount.cents().is_none() {
        return Err(ControlError::bad_request(
            "amount must be whole cents, such as \"12990\"",
        ));
    }
    let number = match request.merchant_operation_number {
        Some(number) => number,
        None => MerchantOperationNumber::new(
            random::digits().map_err(|error| ControlError::internal(&error))?,
        ),
    };
    let redirects = matches!(
        method,
        PaymentMethodName::Installment | PaymentMethodName::BankTransfer
    );
    let back = || redirects.then(|| "https://shop.example/return".to_owned());
    let mut details = Fields::new();
    let addresses = [
        ("redirect_url", request.redirect_url.or_else(back)),
        ("callback_url", request.callback_url),
    ];
    for (name, address) in addresses {
        if let Some(address) = address {
            details.insert(name.to_owned(), Value::String(address));
        }
    }
    let asked = Asked {
        key: Key {
            merchant_code: request
                .merchant_code
                .unwrap_or_else(|| "demo-merchant".into()),
            number,
        },
        method,
        details,
        amount,
        currency: request.currency.unwrap_or_else(|| Currency::new("PEN")),
    };
    let state = request.state.unwrap_or(TransactionState::Pending);
    let charge = world
        .register(asked, expires_in, &state, now)
        .map_err(|error| ControlError::internal(&error))?
        .map_err(|_| ControlError::conflict("merchant_operation_number was used before"))?;
    let view = OperationView::of(charge, &sandbox);
    let mut effect = Effect {
        accepted: true,
        ..Effect::default()
    };
    effect.note_charge(charge);
    let exchange = Exchange::full("POST", "/sandbox/operations", 201);
    world
        .journal
        .write(exchange, effect, sandbox.clock().unmoved());
    Ok((StatusCode::CREATED, Json(view)))
}
