//! The running server: its parts, put together, and the socket with its connections.
//!
//! ```text
//! backend             makes the parts, gives each what it needs, starts and stops them
//! connection_slots    the limits on connections and open files, and which connection gives way to a new one
//! ```
//!
//! [`serve`] limits the number of connections, and the time and size of a head. `backend` knows
//! every part; the rest carries bytes to a router. It must not know an address, a body or a rule.

pub(crate) mod backend;
pub(crate) mod connection_slots;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use backend::Backend;
use connection_slots::{Answering, Arriving, ConnectionSlot, ConnectionSlots};
use http_body_util::BodyExt;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutWriter;
use tokio_util::task::TaskTracker;

/// The largest head of a request.
const LARGEST_HEAD: usize = 16 * 1024;
/// How much of a body is read ahead.
const BUFFER: usize = 32 * 1024;
/// The pause after an error of the system, such as no free file handles: others may close some
/// meanwhile.
const BREATH: Duration = Duration::from_millis(50);

/// Answers the requests on a socket with the router of [`app_with`](crate::app_with), until the
/// backend is told to stop. Running requests may then finish within the shutdown time.
///
/// # Errors
/// The socket cannot be used.
pub async fn serve(
    backend: &Backend,
    router: Router,
    listener: std::net::TcpListener,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let slots = ConnectionSlots::new(backend.config.most_connections);
    let connections = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = backend.tasks.stopped() => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
                slots.make_room();
                tokio::time::sleep(BREATH).await;
                continue;
            }
        };
        // Until one closes, new connections wait in the system's own queue.
        let slot = tokio::select! {
            slot = slots.take() => slot,
            () = backend.tasks.stopped() => break,
        };
        let backend = backend.clone();
        connections.spawn(connection(backend, router.clone(), stream, peer, slot));
    }
    drop(listener);
    connections.close();
    let _ = tokio::time::timeout(backend.config.timing.shutdown, connections.wait()).await;
    Ok(())
}

async fn connection(
    backend: Backend,
    router: Router,
    stream: TcpStream,
    peer: SocketAddr,
    slot: Arc<ConnectionSlot>,
) {
    // Answers are small and whole; to wait for more only costs time.
    let _ = stream.set_nodelay(true);
    let timing = &backend.config.timing;
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(timing.write_timeout));
    let inner = TowerToHyperService::new(router);
    let service = service_fn(|request: Request<Incoming>| {
        let arriving = Arriving::new(&slot, request.body().is_end_stream());
        let mut request = request.map(|body| body.inspect_frame(move |_| arriving.goes_on()));
        request.extensions_mut().insert(ConnectInfo(peer));
        let answer = inner.call(request);
        let slot = Arc::clone(&slot);
        async move {
            let response = answer.await?;
            let answering = Answering::new(&slot);
            // The body owns the guard, so that the slot is kept until the last byte was taken.
            Ok::<_, Infallible>(response.map(|body| {
                body.inspect_frame(move |_| {
                    let _ = &answering;
                })
            }))
        }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(timing.head_timeout)
        .max_header_size(LARGEST_HEAD)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    let mut serving = pin!(serving);
    let mut stopping = false;
    loop {
        tokio::select! {
            biased;
            () = slot.gone() => break,
            () = backend.tasks.stopped(), if !stopping => {
                stopping = true;
                serving.as_mut().graceful_shutdown();
            }
            // An error of a connection concerns its client only.
            _ = serving.as_mut() => break,
        }
    }
}
