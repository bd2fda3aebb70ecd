use std::time::Duration;
use web_sys::Response;

/// A request to the merchant's server with its answer, for diagnostics of the page's developer. The payment does
/// not depend on it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Exchange {
    /// The method: `POST` authorizes, or asks for the live operation; `GET` asks for the state; `DELETE` cancels.
    pub method: String,
    /// The address of the request.
    pub url: String,
    /// The status of the answer; `None` if there was none.
    pub status: Option<u16>,
    /// The answer.
    pub(crate) response: Option<Response>,
    /// The body of the answer, if the checkout has read it.
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

impl Exchange {
    /// The value of a header of the answer.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<String> {
        self.response.as_ref()?.headers().get(name).ok()?
    }

    /// The answer, whose body can be read if the checkout has not read it.
    #[cfg(feature = "custom-element")]
    #[doc(hidden)]
    #[must_use]
    pub const fn response(&self) -> Option<&Response> {
        self.response.as_ref()
    }
}
