//! A minimal receiver of events from `merchant-backend`, as an example of the merchant's own system: it verifies
//! signatures, ignores repeated deliveries, and shows the received events.
//!
//! ```text
//! EVENTS_SECRET=… cargo run --package demo-shop --bin event-receiver -- --listen 127.0.0.1:8083
//! ```
//!
//! - `POST /events` is the address for the setting `EVENTS_URL`.
//! - `GET /` and `GET /events` list the received events, for people and as JSON.
//! - `PUT /down {"down": true}` makes it answer deliveries with 503, like a system during an update. The server
//!   repeats these events after `{"down": false}`.

mod page;
mod signature;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::HOST;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, put};
use axum::{Json, Router};
use clap::Parser;
use payment_model::names_this_machine;
use serde::Deserialize;
use serde_json::Value;
use signature::Verifier;
use std::collections::{HashSet, VecDeque};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Receives the events of merchant-backend and shows them.
#[derive(Parser)]
#[command(name = "event-receiver")]
struct Settings {
    /// The address and port to listen on
    #[arg(
        long,
        env = "RECEIVER_LISTEN",
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:8083"
    )]
    listen: SocketAddr,
    /// The secret with which merchant-backend signs its events
    #[arg(
        long,
        env = "EVENTS_SECRET",
        value_name = "SECRET",
        hide_env_values = true
    )]
    secret: String,
}

/// Older events are removed.
const MAX_EVENTS: usize = 10_000;

/// The received events, without repeated deliveries.
#[derive(Default)]
struct Inbox {
    /// True while the receiver answers deliveries with 503.
    is_down: bool,
    events: VecDeque<(String, Value)>,
    ids: HashSet<String>,
}

impl Inbox {
    /// Adds an event; `false` if it was received before.
    fn add(&mut self, id: &str, event: Value) -> bool {
        if !self.ids.insert(id.to_owned()) {
            return false;
        }
        self.events.push_front((id.to_owned(), event));
        while self.events.len() > MAX_EVENTS {
            if let Some((id, _)) = self.events.pop_back() {
                self.ids.remove(&id);
            }
        }
        true
    }

    fn newest_first(&self) -> impl Iterator<Item = &Value> {
        self.events.iter().map(|(_, event)| event)
    }
}

struct Receiver {
    verifier: Verifier,
    inbox: Mutex<Inbox>,
}

impl Receiver {
    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The program `event-receiver`, with its settings from the command line and the environment.
#[must_use]
#[tokio::main]
pub async fn program() -> ExitCode {
    match run(Settings::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // A closed standard error is no reason to fail.
            let _ = writeln!(io::stderr(), "{message}");
            ExitCode::from(2)
        }
    }
}

async fn run(settings: Settings) -> Result<(), String> {
    let verifier =
        Verifier::new(&settings.secret).map_err(|wrong| format!("EVENTS_SECRET {wrong}."))?;
    let listener = tokio::net::TcpListener::bind(settings.listen)
        .await
        .map_err(|error| format!("{} cannot be listened on: {error}.", settings.listen))?;
    say(&format!("listening on {}", settings.listen));
    let receiver = Arc::new(Receiver {
        verifier,
        inbox: Mutex::default(),
    });
    let app = app(receiver).into_make_service_with_connect_info::<SocketAddr>();
    let served = axum::serve(listener, app).await;
    served.map_err(|error| format!("{error}."))
}

fn app(receiver: Arc<Receiver>) -> Router {
    Router::new()
        .route("/", get(page::show))
        .route("/style.css", get(page::style))
        .route("/events", get(list).post(take))
        .route("/down", put(set_down))
        .route("/healthz", get(|| async { StatusCode::OK }))
        .layer(from_fn(refuse_other_sites))
        .with_state(receiver)
}

/// Rejects the pages of a site whose name leads to this machine, in a browser on it: events have addresses where orders are
/// paid.
async fn refuse_other_sites(request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let is_from_here = peer.is_some_and(|peer| peer.ip().to_canonical().is_loopback());
    let host = request.headers().get(HOST);
    let host = host.and_then(|host| host.to_str().ok());
    if is_from_here && !host.is_none_or(names_this_machine) {
        return StatusCode::FORBIDDEN.into_response();
    }
    next.run(request).await
}

/// Receives a delivery, which the server repeats until the answer is a 2xx.
async fn take(
    State(receiver): State<Arc<Receiver>>,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, &'static str) {
    if receiver.inbox().is_down {
        return (StatusCode::SERVICE_UNAVAILABLE, "down");
    }
    let id = match receiver.verifier.verify(&headers, &body, now()) {
        Ok(id) => id,
        Err(why) => {
            say(&format!("refused: {why}"));
            return (StatusCode::UNAUTHORIZED, why);
        }
    };
    let Ok(event) = serde_json::from_slice::<Value>(&body) else {
        return (StatusCode::BAD_REQUEST, "the body is no JSON");
    };
    // A real system stores the event's id in the same transaction as the event's effect, since a delivery is
    // repeated if its answer was lost.
    let line = page::line(&event);
    if receiver.inbox().add(id, event) {
        say(&line);
    } else {
        say(&format!("again: {line}"));
    }
    (StatusCode::OK, "taken")
}

/// Lists the received events, the newest first.
async fn list(State(receiver): State<Arc<Receiver>>) -> Json<Vec<Value>> {
    Json(receiver.inbox().newest_first().cloned().collect())
}

#[derive(Deserialize)]
struct Down {
    down: bool,
}

async fn set_down(State(receiver): State<Arc<Receiver>>, Json(wanted): Json<Down>) -> StatusCode {
    receiver.inbox().is_down = wanted.down;
    StatusCode::NO_CONTENT
}

/// The current time in seconds since 1970.
fn now() -> u64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH);
    elapsed.unwrap_or_default().as_secs()
}

fn say(line: &str) {
    // A closed standard output is no reason to fail.
    let _ = writeln!(io::stdout(), "{line}");
}
