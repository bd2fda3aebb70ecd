//! Answers that end too early. The body fails on purpose, so that the server closes the connection, and the
//! client sees the same as after a crash.

use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_LENGTH;
use axum::response::Response;
use http_body::Frame;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Closes the connection without an answer: the body fails before the headers are sent.
pub(crate) fn drop_connection() -> Response {
    Response::new(Body::new(Severed::Failing))
}

/// Sends the headers of the whole answer and its first bytes, then closes the connection. At least the last
/// byte is not sent, since the client would otherwise have the whole answer.
pub(crate) fn cut(response: Response, whole: &Bytes, bytes: usize) -> Response {
    let (mut parts, _) = response.into_parts();
    parts
        .headers
        .insert(CONTENT_LENGTH, HeaderValue::from(whole.len()));
    let start = whole.slice(..bytes.min(whole.len().saturating_sub(1)));
    Response::from_parts(parts, Body::new(Severed::Start(start)))
}

enum Severed {
    /// The bytes to send, which may be empty.
    Start(Bytes),
    /// The server must send the bytes before the body fails.
    Leaving,
    Failing,
}

impl http_body::Body for Severed {
    type Data = Bytes;
    type Error = OnPurpose;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, OnPurpose>>> {
        match std::mem::replace(&mut *self, Self::Failing) {
            Self::Start(start) => {
                *self = Self::Leaving;
                if start.is_empty() {
                    self.poll_frame(context)
                } else {
                    Poll::Ready(Some(Ok(Frame::data(start))))
                }
            }
            // While the body is pending, the server sends the bytes that it has.
            Self::Leaving => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Self::Failing => Poll::Ready(Some(Err(OnPurpose))),
        }
    }
}

#[derive(Debug)]
struct OnPurpose;

impl fmt::Display for OnPurpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer ends here on purpose")
    }
}

impl std::error::Error for OnPurpose {}
