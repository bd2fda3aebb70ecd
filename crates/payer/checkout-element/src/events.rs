//! The element's events, from the notices of the checkout.

use crate::host::Host;
use browser_kit::json;
use element_surface::events::{
    ActionDetail, ChooseDetail, ErrorDetail, RedirectDetail, ResultDetail, StatusDetail,
};
use js_sys::{Promise, Reflect};
use payment_checkout::{
    BeforeStart, ContinueUrl, Exchange, Notice, PaymentMethodName, ResultNotice, StartError,
    StatusNotice,
};
use serde::Serialize;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

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

/// Dispatches the event of a notice.
pub(crate) fn dispatch_notice(host: &Host, notice: &Notice) {
    match notice {
        Notice::Ready => dispatch(host, "checkout-ready", &()),
        Notice::Pending(status) => dispatch(host, "checkout-pending", &status_detail(status)),
        Notice::Status(status) => dispatch(host, "checkout-status", &status_detail(status)),
        Notice::Result(result) => dispatch(host, "checkout-result", &result_detail(result)),
        Notice::Choose { method, reason } => dispatch(
            host,
            "checkout-choose",
            &ChooseDetail {
                method: method.as_ref(),
                reason: reason.as_deref(),
            },
        ),
        Notice::Action { action, method } => dispatch(
            host,
            "checkout-action",
            &ActionDetail {
                action: action.as_str(),
                method: method.as_ref(),
            },
        ),
        Notice::Error(error) => dispatch(
            host,
            "checkout-error",
            &ErrorDetail {
                code: error.code.as_str(),
                retryable: error.code.is_retryable(),
                message: &error.message,
                status: error.status,
                problem: error.problem.as_deref(),
                request_id: error.request_id.as_deref(),
            },
        ),
        // The crate of the checkout and this one are released together.
        _ => true,
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

/// Asks the page before an attempt.
pub(crate) fn ask_to_start(host: &Host, method: &PaymentMethodName) -> BeforeStart {
    let answer = host.ask_to_start(method.as_str());
    match answer.as_bool() {
        Some(true) => BeforeStart::Begin,
        Some(false) => BeforeStart::Stay,
        // A page that broke what events need has not been asked, and this never ends: the attempt fails after its time.
        None => BeforeStart::wait(async {
            match JsFuture::from(answer.unchecked_into::<Promise>()).await {
                Ok(refusal) => refusal
                    .as_string()
                    .map_or(Ok(()), |text| Err(StartError::Refused(text))),
                Err(_) => Err(StartError::Failed),
            }
        }),
    }
}

/// Gives the element a request to the merchant's server, with its answer.
pub(crate) fn exchanged(host: &Host, exchange: Exchange) {
    let response = exchange.response().cloned();
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
        // Fails only for objects that are frozen or have setters, and this one is new.
        let _ = Reflect::set(&detail, &"response".into(), &response.into());
        host.exchanged(&detail);
    }
}

fn dispatch(host: &Host, name: &str, detail: &impl Serialize) -> bool {
    let detail = json::to_value(detail);
    host.dispatch(name, &detail.unwrap_or(JsValue::NULL))
}

fn status_detail(status: &StatusNotice) -> StatusDetail<'_> {
    StatusDetail {
        merchant_code: &status.operation.merchant_code,
        merchant_operation_number: &status.operation.merchant_operation_number,
        transaction_id: status.operation.transaction_id.as_ref(),
        method: &status.method,
        state: &status.state,
        amount: &status.money.amount,
        currency: &status.money.currency,
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
        merchant_code,
        merchant_operation_number,
        transaction_id,
        method,
        state,
        amount,
        currency,
        outcome: result.outcome,
        previous: result.previous,
        superseded: &result.superseded,
        resumed: result.resumed,
        paid_twice: result.paid_twice,
    }
}
