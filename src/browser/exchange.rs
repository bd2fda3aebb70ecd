use std::time::Duration;
use web_sys::Response;

/// A request to the merchant's server, and the answer: for the developer of the page, who has to
/// learn what is wrong with it. The payment does not depend on it.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The method: `POST` authorizes, or asks for the operation of the order, `GET` asks for the state, `DELETE` cancels.
    pub method: String,
    /// The address that was asked.
    pub url: String,
    /// The answer; `None` if none came.
    pub response: Option<Response>,
    /// The body of the answer, if the payment had to read it. Otherwise it can be read from the answer.
    pub body: Option<String>,
    /// The `type` of the problem that the answer describes, by RFC 9457.
    pub problem: Option<String>,
    /// The field that breaks the contract, as in `operation.transactions[0].amount`, if that is why the
    /// payment cannot go on with the answer. No value of the answer is in it.
    pub unreadable: Option<String>,
    /// The time from the request until its answer was read, or until it was given up.
    pub took: Duration,
    /// True when the payment goes on with this answer.
    pub usable: bool,
}
