//! Requests to the server and to the payment service, and their answers.

use anyhow::{Context as _, Result, ensure};
use reqwest::header::{HeaderMap, SET_COOKIE};
use reqwest::{RequestBuilder, Response};
use serde_json::Value;
use std::fmt;

/// An answer, whatever its status.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// The status of the answer.
    pub(crate) status: u16,
    /// Its headers.
    pub(crate) headers: HeaderMap,
    /// Its body; bytes that are no text are replaced.
    pub(crate) text: String,
}

impl Answer {
    pub(crate) async fn of(request: RequestBuilder, body: Option<&Value>) -> Result<Self> {
        let answer = with_body(request, body).send().await?;
        Ok(Self {
            status: answer.status().as_u16(),
            headers: answer.headers().clone(),
            text: answer.text().await?,
        })
    }

    /// The body as JSON; `null` for another body.
    #[must_use]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The first value of a header; empty without one.
    #[must_use]
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default()
    }

    /// The cookie that it sets, as a browser sends it back; empty without one.
    #[must_use]
    pub(crate) fn cookie(&self) -> &str {
        let cookie = self.header("set-cookie").split(';').next();
        cookie.unwrap_or_default()
    }

    /// True if what was asked for was done.
    #[must_use]
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
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

fn with_body(request: RequestBuilder, body: Option<&Value>) -> RequestBuilder {
    match body {
        Some(body) => request
            .header("content-type", "application/json")
            .body(body.to_string()),
        None => request,
    }
}

/// Sends a request, and takes only a success for an answer.
pub(crate) async fn send(request: RequestBuilder, body: Option<&Value>) -> Result<Response> {
    let answer = with_body(request, body).send().await?;
    let (status, url) = (answer.status(), answer.url().path().to_owned());
    ensure!(status.is_success(), "{url} was answered with {status}");
    Ok(answer)
}

/// The session that an answer begins, as the header `Cookie` has it.
pub(crate) fn cookie(answer: &Response) -> Result<String> {
    let cookie = answer.headers().get(SET_COOKIE).context("no session")?;
    let cookie = cookie.to_str()?.split(';').next().unwrap_or_default();
    Ok(cookie.to_owned())
}

/// The body of an answer.
pub(crate) async fn read(answer: Response) -> Result<Value> {
    Ok(serde_json::from_str(&answer.text().await?)?)
}
