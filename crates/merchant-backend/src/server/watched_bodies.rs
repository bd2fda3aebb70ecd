//! The bodies of a request and of its answer, which say whether their connection keeps its place.
//! The adapters of `http-body-util` change frames or errors, and carry nothing along.

use super::connection_places::{Arrival, Busy};
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// The body of a request; its connection is busy once the last of it has come.
pub(super) struct Arriving {
    body: Incoming,
    arrival: Arrival,
}

impl Arriving {
    pub(super) fn new(body: Incoming, arrival: Arrival) -> Self {
        if body.is_end_stream() {
            arrival.is_whole();
        }
        Self { body, arrival }
    }
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.arrival.is_whole();
        } else {
            self.arrival.goes_on();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer; its connection is busy until the last of it was taken.
pub(super) struct Held {
    body: Body,
    _busy: Busy,
}

impl Held {
    pub(super) fn new(body: Body, busy: Busy) -> Self {
        Self { body, _busy: busy }
    }
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
