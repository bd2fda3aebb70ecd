use crate::fingerprint::fingerprint;
use crate::http::LARGEST_BODY;
use crate::http::app::App;
use axum::body::{Body, to_bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;

/// `POST /api/notifications/{token}`: a hint that a state may have changed. The server does not use
/// its body, which anybody could send, and asks the service instead.
pub(in crate::http) async fn notify(
    State(app): State<App>,
    path: Result<Path<String>, PathRejection>,
    body: Body,
) -> StatusCode {
    // The body is read up to a limit, so that the sender sees the answer.
    let limit = app.config.timing.body_timeout;
    let _ = tokio::time::timeout(limit, to_bytes(body, LARGEST_BODY)).await;
    if let Ok(Path(token)) = path {
        // Its sender may go away, and the payer who comes next must see the change all the same.
        let task = app.clone();
        app.tasks
            .finish(async move { take(&task, &token).await })
            .await;
    }
    // The same answer for every token, so that it does not tell which ones exist.
    StatusCode::NO_CONTENT
}

async fn take(app: &App, token: &str) {
    let found = app.db.operation_by_callback(&fingerprint(token)).await;
    let Ok(Some(key)) = found else { return };
    let Ok(Some(record)) = app.db.operation(&key).await else {
        return;
    };
    // An operation that is in doubt or was refused has no transaction for a query. The background
    // looks at it.
    if record.transaction().is_some() {
        app.charges.take_hint(record).await;
    }
}
