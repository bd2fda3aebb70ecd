//! Answers of the server and of the payment service.

use anyhow::{Result, ensure};
use axum::body::{Body, to_bytes};
use axum::http::Response;
use axum::http::header::HeaderMap;
use reqwest::RequestBuilder;
use serde_json::Value;
use std::fmt;

/// More of an answer is not read.
const LONGEST_ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// An answer, whatever its status.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// Its body; bytes that are no text are replaced.
    pub(crate) text: String,
}

impl Answer {
    /// Sends a request, and reads its answer.
    pub(crate) async fn of(request: RequestBuilder) -> Result<Self> {
        let answer = request.send().await?;
        Ok(Self {
            status: answer.status().as_u16(),
            headers: answer.headers().clone(),
            text: answer.text().await?,
        })
    }

    /// Reads the answer of a router.
    pub(crate) async fn read(answer: Response<Body>) -> Result<Self> {
        let (head, body) = answer.into_parts();
        let body = to_bytes(body, LONGEST_ANSWER_BYTES).await?;
        Ok(Self {
            status: head.status.as_u16(),
            headers: head.headers,
            text: String::from_utf8_lossy(&body).into_owned(),
        })
    }

    /// The body as JSON; `null` for another body.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The first value of a header; empty without one.
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default()
    }

    /// The cookie that it sets, as a browser sends it back; empty without one.
    pub(crate) fn cookie(&self) -> &str {
        let cookie = self.header("set-cookie").split(';').next();
        cookie.unwrap_or_default()
    }

    /// True if what was asked for was done.
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The same, and an error for another answer.
    pub(crate) fn success(self) -> Result<Self> {
        ensure!(self.is_success(), "the answer is {self}");
        Ok(self)
    }

    /// A text of the body, by its JSON pointer; empty where there is none.
    pub(crate) fn field(&self, pointer: &str) -> String {
        let body = self.json();
        let text = body.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short: String = self.text.chars().take(160).collect();
        write!(f, "{} {short}", self.status)
    }
}
