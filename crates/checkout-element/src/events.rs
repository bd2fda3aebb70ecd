//! The element's events, from the notices of the flow.

use crate::host::Host;
use browser_kit::json;
use checkout_flow::{ContinueUrl, Notice, ResultNotice, StatusNotice};
use payment_checkout::Exchange;
use payment_model::{MerchantOperationNumber, Outcome};
use serde::Serialize;
use wasm_bindgen::JsValue;

/// The detail of `checkout-pending` and `checkout-status`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatusDetail<'a> {
    merchant_code: &'a str,
    merchant_operation_number: &'a str,
    transaction_id: Option<&'a str>,
    method: &'a str,
    state: &'a str,
    amount: &'a str,
    currency: &'a str,
}

/// The detail of `checkout-result`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultDetail<'a> {
    outcome: Outcome,
    previous: Option<Outcome>,
    superseded: &'a [MerchantOperationNumber],
    resumed: bool,
    paid_twice: bool,
    merchant_code: &'a str,
    merchant_operation_number: &'a str,
    transaction_id: Option<&'a str>,
    method: &'a str,
    state: &'a str,
    amount: &'a str,
    currency: &'a str,
}

/// The detail of `checkout-error`, to which the element adds what its server answered.
#[derive(Serialize)]
struct ErrorDetail {
    code: &'static str,
    retryable: bool,
}

/// The detail of `checkout-action`.
#[derive(Serialize)]
struct ActionDetail<'a> {
    action: &'static str,
    method: Option<&'a str>,
}

/// The detail of `checkout-redirect`.
#[derive(Serialize)]
struct RedirectDetail<'a> {
    url: &'a str,
}

/// A request to the merchant's server and its answer, but for the response itself.
#[derive(Serialize)]
struct ExchangeDetail {
    method: String,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<String>,
    took: u32,
    usable: bool,
}

/// Tells the page.
pub(crate) fn tell(host: &Host, notice: &Notice) {
    match notice {
        Notice::Ready => dispatch(host, "checkout-ready", &()),
        Notice::Pending(status) => dispatch(host, "checkout-pending", &status_detail(status)),
        Notice::Status(status) => dispatch(host, "checkout-status", &status_detail(status)),
        Notice::Result(result) => dispatch(host, "checkout-result", &result_detail(result)),
        Notice::Action { action, method } => dispatch(
            host,
            "checkout-action",
            &ActionDetail {
                action: action.as_str(),
                method: method.as_ref().map(|method| method.as_str()),
            },
        ),
        Notice::Error(code) => dispatch(
            host,
            "checkout-error",
            &ErrorDetail {
                code: code.as_str(),
                retryable: code.is_retryable(),
            },
        ),
    };
}

/// Asks the page. True when it lets the payer go to this address.
pub(crate) fn ask_to_leave(host: &Host, url: &ContinueUrl) -> bool {
    dispatch(
        host,
        "checkout-redirect",
        &RedirectDetail { url: url.as_str() },
    )
}

/// Gives the element a request to the merchant's server, with its answer.
pub(crate) fn exchanged(host: &Host, exchange: Exchange) {
    let detail = ExchangeDetail {
        method: exchange.method,
        url: exchange.url,
        body: exchange.body,
        problem: exchange.problem,
        unreadable: exchange.unreadable,
        took: u32::try_from(exchange.took.as_millis()).unwrap_or(u32::MAX),
        usable: exchange.usable,
    };
    if let Some(detail) = json::to_value(&detail) {
        host.exchanged(&detail, exchange.response);
    }
}

fn dispatch(host: &Host, name: &str, detail: &impl Serialize) -> bool {
    let detail = json::to_value(detail);
    host.tell(name, &detail.unwrap_or(JsValue::NULL))
}

fn status_detail(status: &StatusNotice) -> StatusDetail<'_> {
    StatusDetail {
        merchant_code: status.operation.merchant_code.as_str(),
        merchant_operation_number: status.operation.merchant_operation_number.as_str(),
        transaction_id: status
            .operation
            .transaction_id
            .as_ref()
            .map(|id| id.as_str()),
        method: status.method.as_str(),
        state: status.state.as_str(),
        amount: status.money.amount.as_str(),
        currency: status.money.currency.as_str(),
    }
}

fn result_detail(result: &ResultNotice) -> ResultDetail<'_> {
    let StatusDetail {
        merchant_code,
        merchant_operation_number,
        transaction_id,
        method,
        state,
        amount,
        currency,
    } = status_detail(&result.status);
    ResultDetail {
        outcome: result.outcome,
        previous: result.previous,
        superseded: &result.superseded,
        resumed: result.resumed,
        paid_twice: result.paid_twice,
        merchant_code,
        merchant_operation_number,
        transaction_id,
        method,
        state,
        amount,
        currency,
    }
}
