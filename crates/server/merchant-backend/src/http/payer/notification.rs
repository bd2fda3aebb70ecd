use crate::http::app::App;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use payment_model::TransactionId;
use serde::Deserialize;

/// `POST /api/notifications/{token}`: a hint that a state may have changed. The server believes nothing
/// in the body, which anybody could send, and queries the service instead. It takes a transaction id from
/// the body only to query an operation whose transaction it does not know.
pub(in crate::http) async fn notify(
    State(app): State<App>,
    path: Result<Path<String>, PathRejection>,
    body: Bytes,
) -> StatusCode {
    let named = serde_json::from_slice::<Notification>(&body).ok();
    let named = named.map(|named| TransactionId::new(named.transaction_id));
    if let Ok(Path(token)) = path {
        // The query ends even if the sender closes the connection, so that the payer sees the change.
        let payments = app.payments.clone();
        app.tasks
            .finish(async move { payments.notified(&token, named).await })
            .await;
    }
    // Every token gets the same answer, so that a caller cannot find out which tokens exist.
    StatusCode::NO_CONTENT
}

/// The only member that the server reads.
#[derive(Deserialize)]
struct Notification {
    transaction_id: String,
}
