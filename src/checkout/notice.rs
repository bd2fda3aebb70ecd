use crate::browser::Exchange;
use crate::problems::{NOT_FOUND, ORDER_CLOSED};
use checkout_flow::{
    Action, ErrorCode, Notice as FlowNotice, PageAnswer, ResultNotice, StatusNotice,
};
use payment_model::PaymentMethodName;
use yew::AttrValue;

/// A message to the page around the checkout.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// The checkout works; again for another one.
    Ready,
    /// An operation waits for the payer; once an operation, and again after the checkout was put back.
    Pending(StatusNotice),
    /// Your server answered a state that is no end: the first one, and each change.
    Status(StatusNotice),
    /// Your server answered how it ended; once an operation and outcome.
    Result(Box<ResultNotice>),
    /// Something is wrong.
    Error(ErrorNotice),
    /// The payer is back at the choice of methods, which your page shows: with `hide_choice`.
    Choose {
        /// The method of the last attempt.
        method: Option<PaymentMethodName>,
        /// Why that is not offered for this order, in words for the payer.
        reason: Option<AttrValue>,
    },
    /// The payer decided something, for your analytics. It says nothing about a payment.
    Action {
        /// What the payer did.
        action: Action,
        /// The method that it is about, if one is known.
        method: Option<PaymentMethodName>,
    },
}

/// Something that is wrong, with what a developer needs to find out why. Payers see none of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorNotice {
    /// What is wrong, from a closed list. [`ErrorCode::is_retryable`] says whether trying again makes sense.
    pub code: ErrorCode,
    /// A sentence for a log, as in `refused: POST /api/charges answered 404`. It names the property that is wrong, or the
    /// field that breaks the contract, and no value.
    pub message: String,
    /// The HTTP status of the answer, if one came.
    pub status: Option<u16>,
    /// The `type` of the problem in it (RFC 9457), if there was one.
    pub problem: Option<String>,
    /// Its `X-Request-Id`, by which your server's log knows the request.
    pub request_id: Option<String>,
}

impl ErrorNotice {
    /// True where your server refused a start because it does not know the order, or closed it: the next attempt needs another
    /// order. An earlier code of this order may still be paid where the payer has lost the session with your server.
    #[must_use]
    pub fn asks_for_new_order(&self) -> bool {
        let is_gone = self.is_problem(NOT_FOUND) || self.is_problem(ORDER_CLOSED);
        self.code == ErrorCode::Refused && is_gone
    }

    /// True for a problem whose `type` ends in this name, as one of [`problems`](crate::problems).
    #[must_use]
    pub fn is_problem(&self, name: &str) -> bool {
        let problem = self.problem.as_deref().unwrap_or_default();
        problem.rsplit([':', '/']).next() == Some(name)
    }

    /// An error of the flow: of this request, of the properties, of which this one is wrong, or of the page, which
    /// answered this.
    pub(super) fn new(
        code: ErrorCode,
        exchange: Option<&Exchange>,
        mistake: Option<&'static str>,
        page: Option<&PageAnswer>,
    ) -> Self {
        // No request was sent with wrong properties, or where the page did not begin. That no method is left, the server
        // may have said before a start.
        let unsent = [
            ErrorCode::Configuration,
            ErrorCode::Page,
            ErrorCode::NoMethod,
        ];
        let exchange = exchange.filter(|_| !unsent.contains(&code));
        let reason = match exchange {
            Some(exchange) => said(exchange),
            None if code == ErrorCode::Page => match page {
                Some(PageAnswer::Refused(_)) => "the page refused to start",
                Some(_) => "what the start waited for failed",
                None => "what the start waited for took more than 15 s",
            }
            .to_owned(),
            None if code == ErrorCode::NoMethod => "no method is offered for this order".to_owned(),
            None => mistake.unwrap_or_default().to_owned(),
        };
        Self {
            code,
            message: [code.as_str(), ": ", &reason].concat(),
            status: exchange.and_then(|exchange| exchange.status),
            problem: exchange.and_then(|exchange| exchange.problem.clone()),
            request_id: exchange.and_then(|exchange| exchange.header("X-Request-Id")),
        }
    }
}

/// A request and its answer in words.
fn said(exchange: &Exchange) -> String {
    let Exchange { method, url, .. } = exchange;
    // A query may hold a secret of the page.
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let end = match exchange.status {
        Some(status) => ["answered ", &status.to_string()].concat(),
        None => "was not answered".to_owned(),
    };
    let breach = match exchange.unreadable.as_deref() {
        None => String::new(),
        Some("") => ": the body breaks the contract".to_owned(),
        Some(field) => [": the field ", field, " breaks the contract"].concat(),
    };
    [method, " ", path, " ", &end, &breach].concat()
}

/// A notice of the flow, for which `error` completes an error, and `reason` says why the last method is not offered.
pub(super) fn complete(
    notice: FlowNotice,
    error: impl FnOnce(ErrorCode) -> ErrorNotice,
    reason: impl FnOnce() -> Option<AttrValue>,
) -> Notice {
    match notice {
        FlowNotice::Ready => Notice::Ready,
        FlowNotice::Pending(status) => Notice::Pending(status),
        FlowNotice::Status(status) => Notice::Status(status),
        FlowNotice::Result(result) => Notice::Result(result),
        FlowNotice::Error(code) => Notice::Error(error(code)),
        FlowNotice::Choose { method } => Notice::Choose {
            method,
            reason: reason(),
        },
        FlowNotice::Action { action, method } => Notice::Action { action, method },
    }
}
