//! Answers that end too early. When a body fails, the server closes the connection at that point,
//! and the client sees the same as after a crash.

use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_LENGTH;
use axum::response::Response;
use http_body::Frame;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The connection ends without a byte of an answer: the body fails at once, before the
/// headers have left.
pub(crate) fn drop_connection() -> Response {
    Response::new(Body::new(Severed::Failing))
}

/// The headers of the whole answer, its first bytes, and then the end. At least one byte is
/// missing, else the client would not notice.
pub(crate) fn cut(response: Response, whole: &Bytes, bytes: usize) -> Response {
    let (mut parts, _) = response.into_parts();
    parts
        .headers
        .insert(CONTENT_LENGTH, HeaderValue::from(whole.len()));
    let start = whole.slice(..bytes.min(whole.len().saturating_sub(1)));
    Response::from_parts(parts, Body::new(Severed::Start(start)))
}

enum Severed {
    /// Bytes that still leave, perhaps none.
    Start(Bytes),
    /// The bytes are to leave before the failure shows.
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
            // The server sends the bytes that it has while it waits for the rest of the body.
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
