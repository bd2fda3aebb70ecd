use super::field::repeated;
use super::repeated_fields::{Unread, read_json};
use crate::http::merchant_routes::orders::Orders;
use crate::http::nul;
use crate::http::problem::{Problem, ProblemKind};
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRef, FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use serde_json::Value;

/// A JSON body; any other body is a problem.
pub struct JsonBody(
    /// The value; no object in it has the same field twice.
    pub Value,
);

impl<S> FromRequest<S> for JsonBody
where
    Orders: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            let detail = "Send the body as JSON, with the header `Content-Type: application/json`.";
            return Err(Problem::new(ProblemKind::MediaType, detail));
        }
        let read = Bytes::from_request(request, state);
        let limit = Orders::from_ref(state).config().timing.body_timeout;
        let bytes = tokio::time::timeout(limit, read).await.map_err(|_| {
            Problem::new(
                ProblemKind::BodyTimeout,
                "The body did not arrive in time; send it again.",
            )
        })?;
        let bytes = bytes.map_err(|rejection| unread(&rejection))?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(Problem::new(
                ProblemKind::BadRequest,
                "The body is empty; send a JSON object.",
            ));
        }
        let value = read_json(&bytes).map_err(|unread| match unread {
            Unread::Repeated(field) => repeated(&field),
            Unread::Wrong(error) => {
                let (line, column) = (error.line(), error.column());
                let detail = format!("The body is not valid JSON at line {line}, column {column}.");
                Problem::new(ProblemKind::BadRequest, detail)
            }
        })?;
        if nul::is_in(&value) {
            let detail = "A text of the body has the character U+0000; send it without.";
            return Err(Problem::new(ProblemKind::BadRequest, detail));
        }
        Ok(Self(value))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let essence = value
        .and_then(|value| value.split(';').next())
        .unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

fn unread(rejection: &BytesRejection) -> Problem {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let detail = "The body is larger than 64 KiB.";
        return Problem::new(ProblemKind::BodyTooLarge, detail);
    }
    Problem::new(ProblemKind::BadRequest, "The body did not arrive whole.")
}
