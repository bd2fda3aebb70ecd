use crate::http::LARGEST_BODY;
use crate::http::app::App;
use axum::body::{Body, to_bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use payment_model::TransactionId;
use payment_rules::fingerprint::fingerprint;
use serde::Deserialize;

/// `POST /api/notifications/{token}`: a hint that a state may have changed. The server believes
/// nothing of its body, which anybody could send, and asks the service instead; a transaction id in
/// it is a way to ask about an operation in doubt.
pub(in crate::http) async fn notify(
    State(app): State<App>,
    path: Result<Path<String>, PathRejection>,
    body: Body,
) -> StatusCode {
    // The body is read up to a limit, so that the sender sees the answer.
    let limit = app.config.timing.body_timeout;
    let read = tokio::time::timeout(limit, to_bytes(body, LARGEST_BODY)).await;
    let named = read.ok().and_then(Result::ok).and_then(|body| {
        let named: Notification = serde_json::from_slice(&body).ok()?;
        Some(TransactionId::new(named.transaction_id))
    });
    if let Ok(Path(token)) = path {
        // Its sender may go away, and the payer who comes next must see the change all the same.
        let task = app.clone();
        app.tasks
            .finish(async move { take(&task, &token, named).await })
            .await;
    }
    // The same answer for every token, so that it does not tell which ones exist.
    StatusCode::NO_CONTENT
}

/// The one member that is read.
#[derive(Deserialize)]
struct Notification {
    transaction_id: String,
}

async fn take(app: &App, token: &str, named: Option<TransactionId>) {
    let found = app.db.operation_by_callback(&fingerprint(token)).await;
    let Ok(Some(key)) = found else { return };
    let Ok(Some(record)) = app.db.operation(&key).await else {
        return;
    };
    match named {
        _ if record.transaction().is_some() => app.payments.take_hint(record).await,
        // Without the database's answer the service's next notification, or staff, will tell.
        Some(id) => drop(app.payments.take_transaction_hint(&key, &id).await),
        None => {}
    }
}
