//! The proxy in front of the nodes: it sends each request to the next one, as `docs/production.md`
//! demands of a proxy.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use reqwest::Client;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The proxy; it runs until the test ends.
#[derive(Clone)]
pub(crate) struct Balancer {
    client: Client,
    nodes: Arc<Vec<u16>>,
    next: Arc<AtomicUsize>,
}

impl Balancer {
    /// Starts it; returns its address.
    pub(crate) async fn start(nodes: Vec<u16>) -> String {
        let balancer = Self {
            client: Client::builder().build().unwrap(),
            nodes: Arc::new(nodes),
            next: Arc::default(),
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new().fallback(pass).with_state(balancer);
        tokio::spawn(async move { axum::serve(listener, app).await });
        format!("http://{address}")
    }
}

/// Passes a request on. One that a node did not answer goes to the next: a key or a mere look makes
/// a repetition safe.
async fn pass(
    State(balancer): State<Balancer>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let repeatable = method == Method::GET || headers.contains_key("idempotency-key");
    let count = balancer.nodes.len();
    for _ in 0..count {
        let turn = balancer.next.fetch_add(1, Ordering::Relaxed);
        let port = balancer.nodes[turn % count];
        let sent = balancer
            .client
            .request(method.clone(), format!("http://127.0.0.1:{port}{uri}"))
            .headers(headers.clone())
            .body(body.clone())
            .send()
            .await;
        match sent {
            Ok(answer) => {
                let (status, headers) = (answer.status(), answer.headers().clone());
                let Ok(body) = answer.bytes().await else {
                    continue;
                };
                return (status, headers, Body::from(body)).into_response();
            }
            Err(error) if error.is_connect() || repeatable => {}
            Err(_) => break,
        }
    }
    StatusCode::BAD_GATEWAY.into_response()
}
