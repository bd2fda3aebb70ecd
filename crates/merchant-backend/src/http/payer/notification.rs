use crate::clock::now;
use crate::db::HintSource;
use crate::http::app::App;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use payment_model::TransactionId;
use payment_rules::fingerprint::fingerprint;
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
        let task = app.clone();
        app.tasks
            .finish(async move { take(&task, &token, named).await })
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

async fn take(app: &App, token: &str, named: Option<TransactionId>) {
    let found = app.db.operation_by_callback(&fingerprint(token)).await;
    let Ok(Some(key)) = found else { return };
    let record = match app.db.operation(&key).await {
        Ok(Some(record)) => record,
        Ok(None) => return,
        // A node of a later version may read the payment; the hint makes it ask the service.
        Err(_) => return drop(app.db.note_hint(&key, now()).await),
    };
    match named {
        _ if record.transaction().is_some() => app.payments.take_hint(record).await,
        // If the database fails, the next notification of the service, or staff, gives the id again.
        Some(id) => drop(
            app.payments
                .take_transaction_hint(&key, &id, HintSource::Notification)
                .await,
        ),
        None => {}
    }
}
