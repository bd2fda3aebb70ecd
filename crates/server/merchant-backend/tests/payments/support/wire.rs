//! A receiver in front of the payment service: it sees each request as it was sent, and can hold
//! the cancellations back.

use crate::support::stack::Stack;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::Method;
use axum::http::header::HOST;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// A request and its body.
type Sent = (Parts, Vec<u8>);

/// It keeps each request and passes it on.
#[derive(Clone)]
pub(crate) struct Wire {
    client: reqwest::Client,
    service: String,
    requests: Arc<Mutex<Vec<Sent>>>,
    /// As many cancellations as it has permits pass.
    cancellations: Arc<Semaphore>,
}

impl Wire {
    /// Puts it between a server and its payment service.
    pub(crate) async fn tap(stack: &mut Stack) -> Self {
        let wire = Self {
            client: stack.client.clone(),
            service: stack.sandbox.clone(),
            requests: Arc::default(),
            cancellations: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS)),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        stack.stop().await;
        stack.sandbox = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(pass).with_state(wire.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        stack.run().await;
        wire
    }

    /// Holds cancellations back from now on.
    pub(crate) fn hold_cancellations(&self) {
        self.cancellations.forget_permits(Semaphore::MAX_PERMITS);
    }

    /// Lets the held ones pass, and all after them.
    pub(crate) fn release_cancellations(&self) {
        self.cancellations.add_permits(Semaphore::MAX_PERMITS);
    }

    /// The requests with this method at `path` and below.
    pub(crate) fn requests(&self, method: &str, path: &str) -> Vec<Sent> {
        let requests = self.requests.lock().unwrap();
        let wanted = |(parts, _): &&Sent| {
            parts.method.as_str() == method && parts.uri.path().starts_with(path)
        };
        requests.iter().filter(wanted).cloned().collect()
    }

    /// The values of a header in all requests to the service, empty where it is missing.
    pub(crate) fn header(&self, name: &str) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        let of = requests
            .iter()
            .filter(|(parts, _)| !parts.uri.path().starts_with("/sandbox"));
        of.map(|(parts, _)| {
            let value = parts.headers.get(name);
            value.map_or_else(String::new, |value| value.to_str().unwrap().to_owned())
        })
        .collect()
    }
}

async fn pass(State(wire): State<Wire>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
    let url = format!("{}{}", wire.service, parts.uri);
    let mut onward = wire.client.request(parts.method.clone(), url);
    for (name, value) in &parts.headers {
        if name != HOST {
            onward = onward.header(name, value);
        }
    }
    let cancels = parts.method == Method::DELETE;
    wire.requests.lock().unwrap().push((parts, body.clone()));
    if cancels {
        drop(wire.cancellations.acquire().await.unwrap());
    }
    let answer = onward.body(body).send().await.unwrap();
    let (status, headers) = (answer.status(), answer.headers().clone());
    let body = Body::from(answer.bytes().await.unwrap());
    (status, headers, body).into_response()
}
