//! The merchant's own system, which answers as a test wants.

use crate::support::stack::EVENTS_SECRET;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::digest::{SHA256, digest};
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The answer to a delivery.
#[derive(Clone, Copy)]
pub(crate) enum Reply {
    Status(u16),
    /// A redirect to an address of the same receiver that must get no request.
    Redirect,
    /// No answer, until the sender gives up.
    Silence,
}

/// A delivery with a correct signature.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub(crate) id: String,
    pub(crate) body: String,
    pub(crate) traceparent: String,
    pub(crate) answered: u16,
}

impl Delivery {
    pub(crate) fn event(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// What the event says about its order.
    pub(crate) fn data(&self) -> Value {
        self.event()["data"].clone()
    }

    /// The type and the order.
    pub(crate) fn told(&self) -> (String, String) {
        let event = self.event();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&event["type"]), text(&event["data"]["order_id"]))
    }
}

#[derive(Default)]
struct Seen {
    /// The secret of the receiver.
    secret: String,
    replies: VecDeque<Reply>,
    /// Events whose type and order begin like this are answered with 500.
    refused: Option<String>,
    deliveries: Vec<Delivery>,
    under_way: HashMap<String, usize>,
    wrong: Vec<String>,
}

type Shared = Arc<Mutex<Seen>>;

pub(crate) struct Receiver {
    seen: Shared,
    address: SocketAddr,
    server: Option<JoinHandle<()>>,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        Self::with_secret(EVENTS_SECRET).await
    }

    /// Starts one that believes deliveries which are signed with this plain text.
    pub(crate) async fn with_secret(secret: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Seen {
            secret: secret.to_owned(),
            ..Seen::default()
        };
        let mut receiver = Self {
            seen: Arc::new(Mutex::new(seen)),
            address,
            server: None,
        };
        receiver.serve(listener);
        receiver
    }

    fn serve(&mut self, listener: TcpListener) {
        let router = Router::new()
            .route("/events", post(take))
            .route("/elsewhere", post(elsewhere).get(elsewhere))
            .with_state(Arc::clone(&self.seen));
        self.server = Some(tokio::spawn(async move {
            axum::serve(listener, router).await.unwrap();
        }));
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/events", self.address)
    }

    /// The receiver stops listening.
    pub(crate) async fn down(&mut self) {
        let server = self.server.take().unwrap();
        server.abort();
        let _ = server.await;
    }

    pub(crate) async fn up(&mut self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        self.serve(listener);
    }

    /// Answers the next deliveries like this, and all later ones with 204.
    pub(crate) fn reply(&self, replies: &[Reply]) {
        self.seen.lock().unwrap().replies.extend(replies);
    }

    /// Refuses deliveries that contain a text, until that changes.
    pub(crate) fn refuse(&self, text: Option<&str>) {
        self.seen.lock().unwrap().refused = text.map(str::to_owned);
    }

    /// Every delivery so far; fails when one broke the promises.
    pub(crate) fn deliveries(&self) -> Vec<Delivery> {
        let seen = self.seen.lock().unwrap();
        assert!(seen.wrong.is_empty(), "{:?}", seen.wrong);
        seen.deliveries.clone()
    }

    /// The accepted deliveries, by type.
    pub(crate) fn types(&self) -> Vec<String> {
        let taken = |delivery: &Delivery| delivery.answered == 204;
        let deliveries = self.deliveries();
        let taken = deliveries.iter().filter(|delivery| taken(delivery));
        taken.map(|delivery| delivery.told().0).collect()
    }
}

async fn elsewhere(State(seen): State<Shared>) {
    let followed = "a redirect was followed".to_owned();
    seen.lock().unwrap().wrong.push(followed);
}

/// Notes when a delivery ends, also when its sender gave up.
struct UnderWay(Shared, String);

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut seen = self.0.lock().unwrap();
        *seen.under_way.get_mut(&self.1).unwrap() -= 1;
    }
}

async fn take(State(seen): State<Shared>, headers: HeaderMap, body: Bytes) -> Response {
    let header = |name: &str| headers[name].to_str().unwrap().to_owned();
    let (id, timestamp) = (header("webhook-id"), header("webhook-timestamp"));
    let body = String::from_utf8(body.to_vec()).unwrap();
    let secret = seen.lock().unwrap().secret.clone();
    let expected = signature(&secret, &format!("{id}.{timestamp}.{body}"));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let fresh = now.as_secs().abs_diff(timestamp.parse().unwrap()) <= 5;
    let reply = {
        let mut seen = seen.lock().unwrap();
        if header("webhook-signature") != expected || !fresh {
            seen.wrong.push(format!("a wrong signature of {id}"));
        }
        let count = seen.under_way.entry(id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            seen.wrong.push(format!("{id} came twice at once"));
        }
        let refused = seen.refused.as_ref();
        let reply = if refused.is_some_and(|text| body.contains(text)) {
            Reply::Status(500)
        } else {
            seen.replies.pop_front().unwrap_or(Reply::Status(204))
        };
        let answered = match reply {
            Reply::Status(status) => status,
            Reply::Redirect => 307,
            Reply::Silence => 0,
        };
        seen.deliveries.push(Delivery {
            id: id.clone(),
            body,
            traceparent: header("traceparent"),
            answered,
        });
        reply
    };
    let _under_way = UnderWay(Arc::clone(&seen), id);
    match reply {
        Reply::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        Reply::Redirect => {
            (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, "/elsewhere")]).into_response()
        }
        Reply::Silence => std::future::pending().await,
    }
}

/// HMAC-SHA256 as written in RFC 2104, without the code under test.
fn signature(secret: &str, text: &str) -> String {
    let mut key = secret.as_bytes().to_vec();
    key.resize(64, 0);
    let keyed = |pad: u8, text: &[u8]| {
        let mut bytes: Vec<u8> = key.iter().map(|byte| byte ^ pad).collect();
        bytes.extend_from_slice(text);
        digest(&SHA256, &bytes)
    };
    let inner = keyed(0x36, text.as_bytes());
    format!("v1,{}", STANDARD.encode(keyed(0x5c, inner.as_ref())))
}
