//! The merchant's own system, which takes events.

use crate::shared::lock;
use anyhow::Result;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::Value;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A delivery of an event.
#[derive(Debug, Clone)]
pub(crate) struct Delivery {
    /// The id of the event; a repetition has it again.
    pub(crate) id: String,
    pub(crate) body: String,
    /// False if the receiver answered with an error.
    pub(crate) is_taken: bool,
}

impl Delivery {
    /// The event; null if it is no JSON.
    pub(crate) fn event(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

#[derive(Default)]
struct Seen {
    refusals: usize,
    deliveries: Vec<Delivery>,
}

type Shared = Arc<Mutex<Seen>>;

/// A receiver on a socket of its own. It ends with the value.
pub(crate) struct Receiver {
    pub(crate) url: String,
    seen: Shared,
    task: JoinHandle<()>,
}

impl Receiver {
    /// Starts one that refuses so many deliveries at first.
    pub(crate) async fn start(refusals: usize) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/", listener.local_addr()?);
        let seen = Arc::new(Mutex::new(Seen {
            refusals,
            ..Seen::default()
        }));
        let router = Router::new()
            .route("/", post(take))
            .with_state(Arc::clone(&seen));
        let task = tokio::spawn(async move {
            // It ends only when its task is aborted.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { url, seen, task })
    }

    /// Every delivery so far, the oldest first.
    pub(crate) fn deliveries(&self) -> Vec<Delivery> {
        let seen = lock(&self.seen);
        seen.deliveries.clone()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn take(State(seen): State<Shared>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let id = headers.get("webhook-id").and_then(|id| id.to_str().ok());
    let mut seen = lock(&seen);
    let is_taken = seen.refusals == 0;
    seen.refusals = seen.refusals.saturating_sub(1);
    seen.deliveries.push(Delivery {
        id: id.unwrap_or_default().to_owned(),
        body: String::from_utf8_lossy(&body).into_owned(),
        is_taken,
    });
    if is_taken {
        StatusCode::OK
    } else {
        StatusCode::INTERNAL_SERVER_ERROR
    }
}
