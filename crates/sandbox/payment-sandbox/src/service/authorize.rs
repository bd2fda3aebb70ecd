use super::call::{Answer, Call};
use super::error::{ServiceError, accepted};
use crate::charge::{Asked, Key};
use crate::test_amounts::{self, Outcome};
use axum::http::Uri;
use payment_model::{
    AuthorizeMethod, AuthorizeRequest, AuthorizeResponse, Fields, PaymentMethodName,
    TransactionState,
};
use serde_json::Value;

/// A longer operation number is most likely an error.
const NUMBER_LIMIT: usize = 100;

/// `POST /charges`.
pub(super) fn authorize(call: &mut Call<'_>) -> Result<Answer, ServiceError> {
    let request: AuthorizeRequest = call.json()?;
    let key = Key {
        merchant_code: request.merchant_code.clone(),
        number: request.merchant_operation_number.clone(),
    };
    let method = request.payment_method.name().clone();
    let details = check(&request, &call.world.settings.authorizable)?;
    let outcome = match call.world.settings.test_amounts {
        true => test_amounts::outcome(&request.payment_details.amount),
        false => Outcome::default(),
    };
    let state = first_state(call, &request, &outcome);
    let asked = Asked {
        key: key.clone(),
        method: method.clone(),
        details,
        amount: request.payment_details.amount,
        currency: request.payment_details.currency,
    };
    let usual = call.world.settings.expires_in(&method);
    let expires_in = outcome.expires_in.unwrap_or(usual);
    let charge = call
        .world
        .register(asked, expires_in, &state, call.now)
        .map_err(|error| ServiceError::Internal(error.to_string()))?
        .map_err(|_| ServiceError::NumberTaken)?;
    call.effect.note_charge(charge);
    call.effect.accepted = true;
    let transaction = charge
        .first_transaction(
            call.sandbox.public_url(),
            call.sandbox.payee(&request.merchant_code),
            call.qr_mistake,
        )
        .map_err(|error| ServiceError::Internal(error.to_string()))?;
    let answer = AuthorizeResponse {
        success: true,
        action: "authorize".to_owned(),
        merchant_code: request.merchant_code,
        merchant_operation_number: request.merchant_operation_number,
        transaction,
        meta: accepted(),
    };
    call.world.plan(&key, &outcome, call.now);
    if state == TransactionState::Invalid {
        call.world.settings.invalidate_next = call.world.settings.invalidate_next.saturating_sub(1);
    }
    Answer::ok(&answer)
}

/// `PENDIENTE`, or `INVALIDO` if the amount is zero or a test requested it.
fn first_state(call: &Call<'_>, request: &AuthorizeRequest, outcome: &Outcome) -> TransactionState {
    let nothing = request.payment_details.amount.cents() == Some(0);
    if nothing || outcome.is_invalid || call.world.settings.invalidate_next > 0 {
        TransactionState::Invalid
    } else {
        TransactionState::Pending
    }
}

/// Checks the rules that the types do not enforce, and returns the method's details, which answers repeat.
fn check(
    request: &AuthorizeRequest,
    authorizable: &[PaymentMethodName],
) -> Result<Fields, ServiceError> {
    let wrong = |reason: &str| Err(ServiceError::WrongField(reason.to_owned()));
    let code = request.merchant_code.as_str();
    if code.is_empty() || code.len() > NUMBER_LIMIT {
        return wrong("merchant_code must be a text of 1 to 100 bytes");
    }
    let number = request.merchant_operation_number.as_str();
    if number.is_empty() || number.len() > NUMBER_LIMIT {
        return wrong("merchant_operation_number must be a text of 1 to 100 bytes");
    }
    if request.payment_details.amount.cents().is_none() {
        return wrong("payment_details.amount must be whole cents, such as \"12990\"");
    }
    if request.payment_details.currency.as_str().is_empty() {
        return wrong("payment_details.currency must not be empty");
    }
    let method = &request.payment_method;
    let details = details(method);
    let unknown = matches!(
        method.name(),
        PaymentMethodName::Card | PaymentMethodName::Wallet | PaymentMethodName::Unknown(_)
    );
    if unknown && !authorizable.contains(method.name()) {
        return wrong(
            "payment_method.method_name must be QR, INSTALLMENT, CASHCODE or BANK_TRANSFER; the \
             setting authorizable takes others",
        );
    }
    let missing = details.get("redirect_url").is_none_or(Value::is_null);
    if *method.name() == PaymentMethodName::BankTransfer && missing {
        return wrong(
            "payment_method.method_details.redirect_url is missing: the answer must repeat it",
        );
    }
    for field in ["redirect_url", "callback_url"] {
        let address = details.get(field).unwrap_or(&Value::Null);
        if !address.is_null() && !address.as_str().is_some_and(is_web_address) {
            return wrong(&format!(
                "payment_method.method_details.{field} must be an http or https address"
            ));
        }
    }
    Ok(details)
}

fn details(method: &AuthorizeMethod) -> Fields {
    let mut details = Fields::new();
    let mut put = |name: &str, address: &Option<String>| {
        if let Some(address) = address {
            details.insert(name.to_owned(), Value::String(address.clone()));
        }
    };
    match method {
        AuthorizeMethod::Qr { callback_url } => put("callback_url", callback_url),
        AuthorizeMethod::Installment {
            redirect_url,
            callback_url,
        } => {
            put("redirect_url", &Some(redirect_url.clone()));
            put("callback_url", callback_url);
        }
        AuthorizeMethod::Other { method_details, .. } => details = method_details.clone(),
    }
    details
}

/// True when a text is an absolute address that a browser or the service can open.
pub(crate) fn is_web_address(text: &str) -> bool {
    text.parse::<Uri>().is_ok_and(|address| {
        matches!(address.scheme_str(), Some("http" | "https"))
            && address.host().is_some_and(|host| !host.is_empty())
    })
}
