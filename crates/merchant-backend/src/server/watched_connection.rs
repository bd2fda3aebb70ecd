//! A connection that checks the heads of requests before the parser reads them, and ends when its
//! client takes nothing of an answer.

use super::request_head::{Head, Seen};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};
use tokio_util::bytes::{Buf, BytesMut};
use tokio_util::io::poll_read_buf;

/// How much is read ahead.
const AHEAD: usize = 8 * 1024;

/// The length of the body after a head, as the parser understood it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    Length(u64),
    /// Every following byte belongs to the body: the connection ends with its answer.
    Rest,
}

/// Carries the length of the body from the parser of the head.
#[derive(Clone, Default)]
pub(super) struct AfterHead(Arc<Mutex<Option<Body>>>);

impl AfterHead {
    pub(super) fn is(&self, body: Body) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
    }

    fn take(&self) -> Option<Body> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The kind of the next bytes.
enum Next {
    Head(Head),
    /// The parser of the head tells the length that follows.
    AfterHead,
    Body(u64),
    Rest,
    /// No further byte passes.
    Refused,
}

pub(super) struct Watched {
    stream: TcpStream,
    ahead: BytesMut,
    next: Next,
    after_head: AfterHead,
    write_timeout: Duration,
    /// The end of the present wait for the client to take something.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Watched {
    pub(super) fn new(stream: TcpStream, after_head: AfterHead, write_timeout: Duration) -> Self {
        Self {
            stream,
            write_timeout,
            stalled: None,
            ahead: BytesMut::new(),
            next: Next::Head(Head::default()),
            after_head,
        }
    }

    /// Passes bytes on from those read ahead, up to the end of a head or body.
    fn pass(&mut self, buffer: &mut ReadBuf<'_>) -> io::Result<()> {
        if matches!(self.next, Next::AfterHead) {
            self.next = match self.after_head.take() {
                Some(Body::Length(0)) => Next::Head(Head::default()),
                Some(Body::Length(length)) => Next::Body(length),
                Some(Body::Rest) => Next::Rest,
                // The parser did not see the end of the head where it was.
                None => return Err(io::ErrorKind::InvalidData.into()),
            };
        }
        let most = self.ahead.len().min(buffer.remaining());
        match &mut self.next {
            Next::Head(head) => match head.see(&self.ahead[..most]) {
                Seen::Part => self.give(most, buffer),
                Seen::Whole(count) => {
                    self.give(count, buffer);
                    self.next = Next::AfterHead;
                }
                Seen::Wrong(count) => {
                    self.give(count - 1, buffer);
                    // No head may have this byte: the parser answers 400 and ends the connection.
                    buffer.put_slice(b"\0");
                    self.next = Next::Refused;
                }
            },
            Next::Body(left) => {
                let count = usize::try_from(*left).map_or(most, |left| left.min(most));
                *left -= u64::try_from(count).unwrap_or(*left);
                if *left == 0 {
                    self.next = Next::Head(Head::default());
                }
                self.give(count, buffer);
            }
            Next::Rest | Next::AfterHead => self.give(most, buffer),
            Next::Refused => self.ahead.clear(),
        }
        Ok(())
    }

    /// Turns a wait that lasts too long into an error.
    fn within_time(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let timeout = self.write_timeout;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(timeout)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    fn give(&mut self, count: usize, buffer: &mut ReadBuf<'_>) {
        buffer.put_slice(&self.ahead[..count]);
        self.ahead.advance(count);
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if buffer.remaining() == 0 {
            return Poll::Ready(Ok(()));
        }
        if this.ahead.is_empty() {
            this.ahead.reserve(AHEAD);
            let stream = Pin::new(&mut this.stream);
            if ready!(poll_read_buf(stream, context, &mut this.ahead))? == 0 {
                return Poll::Ready(Ok(()));
            }
        }
        Poll::Ready(this.pass(buffer))
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.within_time(context, written)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.within_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
