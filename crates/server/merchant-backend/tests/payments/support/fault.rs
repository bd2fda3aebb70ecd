//! The faults of the payment service, as the sandbox's `PUT /sandbox/faults` takes them.

use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fmt;

/// A fault. It happens once, at any request, and instead of its processing, until the methods below say
/// otherwise.
#[derive(Clone, Debug)]
#[must_use]
pub(crate) struct Fault {
    fields: Map<String, Value>,
    then: Vec<Self>,
}

impl Fault {
    /// The service waits so long before it answers.
    pub(crate) fn delay(ms: u64) -> Self {
        Self::new("delay").with("ms", ms)
    }

    /// The service answers with this status.
    pub(crate) fn status(status: u16) -> Self {
        Self::new("status").with("status", status)
    }

    /// The connection closes without an answer.
    pub(crate) fn drop() -> Self {
        Self::new("drop")
    }

    /// The connection closes after so many bytes of the real answer's body.
    pub(crate) fn cut(bytes: usize) -> Self {
        Self::new("cut").with("bytes", bytes)
    }

    /// The service processes the request, and its answer is not JSON.
    pub(crate) fn malformed() -> Self {
        Self::new("malformed")
    }

    /// The service processes the request, and its answer is a page of HTML.
    pub(crate) fn malformed_html() -> Self {
        Self::malformed().with("html", true)
    }

    /// Every state in the real answer becomes this one.
    pub(crate) fn unknown_state(state: &str) -> Self {
        Self::new("unknown_state").with("state", state)
    }

    /// The value at a JSON pointer in the real answer becomes this one.
    pub(crate) fn replace(pointer: &str, value: impl Serialize) -> Self {
        let fault = Self::new("replace").with("pointer", pointer);
        fault.with("value", value)
    }

    /// The QR in the answer to an authorization has wrong what this word says.
    pub(crate) fn qr(wrong: &str) -> Self {
        Self::new("qr").with("wrong", wrong)
    }

    /// The service does not send a notification.
    pub(crate) fn lose_notification() -> Self {
        Self::new("lose_notification")
    }

    /// Limits it to a method (`*` is any) and to paths that begin so, or that match a pattern with `*`.
    pub(crate) fn on(self, method: &str, path: &str) -> Self {
        self.with("method", method).with("path", path)
    }

    /// The service processes the request first.
    pub(crate) fn after(self) -> Self {
        self.with("when", "after")
    }

    pub(crate) fn times(self, times: u32) -> Self {
        self.with("times", times)
    }

    /// It happens at each request until the faults are set again.
    pub(crate) fn always(self) -> Self {
        self.times(u32::MAX)
    }

    /// Adds the header `Retry-After` to the answer of [`Fault::status`].
    pub(crate) fn retry_after(self, seconds: u32) -> Self {
        self.with("retry_after", seconds)
    }

    /// Adds the header `Location` to the answer of [`Fault::status`].
    pub(crate) fn location(self, url: &str) -> Self {
        self.with("location", url)
    }

    /// Adds a fault that is set when this one happens.
    pub(crate) fn then(mut self, next: Self) -> Self {
        self.then.push(next);
        self
    }

    pub(crate) fn json(&self) -> Value {
        let mut fields = self.fields.clone();
        let then = self.then.iter().map(Self::json).collect();
        fields.insert("then".to_owned(), then);
        Value::Object(fields)
    }

    fn new(kind: &str) -> Self {
        let fault = Self {
            fields: Map::new(),
            then: Vec::new(),
        };
        fault.with("kind", kind)
    }

    fn with(mut self, field: &str, value: impl Serialize) -> Self {
        self.fields.insert(field.to_owned(), json!(value));
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.json().fmt(f)
    }
}
