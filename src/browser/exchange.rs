use std::time::Duration;
use web_sys::Response;

/// A request to the merchant's server with its answer, for diagnostics of the page's developer. The payment does
/// not depend on it.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The method: `POST` authorizes, or asks for the live operation; `GET` asks for the state; `DELETE` cancels.
    pub method: String,
    /// The address of the request.
    pub url: String,
    /// The answer; `None` if there was none.
    pub response: Option<Response>,
    /// The body of the answer, if the checkout has read it. Otherwise it can still be read from the answer.
    pub body: Option<String>,
    /// The `type` of the problem in the answer (RFC 9457).
    pub problem: Option<String>,
    /// The field that breaks the contract, such as `operation.transactions[0].amount`, if that makes the
    /// answer unusable. Only the name of the field: no value of the answer.
    pub unreadable: Option<String>,
    /// The time from the request until its answer was read, or until it was aborted.
    pub took: Duration,
    /// True when the checkout uses this answer.
    pub usable: bool,
}
