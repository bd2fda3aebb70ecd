//! The least that holds requests: a route that waits for a change of its number, and nothing else.

use anyhow::Result;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::routing::{get, post};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// As long as the server's answers, and as the state of a payment with its picture.
const BODY: usize = 2_048;

type Payments = Arc<Mutex<HashMap<String, watch::Sender<bool>>>>;

fn payment(payments: &Payments, number: &str) -> watch::Sender<bool> {
    let mut payments = payments.lock().unwrap_or_else(PoisonError::into_inner);
    let sender = payments
        .entry(number.to_owned())
        .or_insert_with(|| watch::channel(false).0);
    sender.clone()
}

async fn poll(
    State(payments): State<Payments>,
    Path(number): Path<String>,
    headers: HeaderMap,
) -> String {
    let mut paid = payment(&payments, &number).subscribe();
    if headers.contains_key("prefer") && !*paid.borrow() {
        let _ = tokio::time::timeout(Duration::from_secs(20), paid.changed()).await;
    }
    let state = if *paid.borrow() {
        "AUTORIZADO"
    } else {
        "PENDIENTE"
    };
    format!("{state}{}", " ".repeat(BODY))
}

async fn pay(State(payments): State<Payments>, Path(number): Path<String>) {
    payment(&payments, &number).send_replace(true);
}

pub(crate) async fn serve(port: &str) -> Result<()> {
    let router = Router::new()
        .route("/poll/{number}", get(poll))
        .route("/pay/{number}", post(pay))
        .with_state(Payments::default());
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    Ok(axum::serve(listener, router).await?)
}
