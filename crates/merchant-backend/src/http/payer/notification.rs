use crate::http::LARGEST_BODY;
use crate::http::app::App;
use crate::shared_query::Freshness;
use crate::signer::fingerprint;
use axum::body::{Body, to_bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;

/// `POST /api/notifications/{token}`: a hint that a state may have changed. Its body is not even
/// read, because anybody could send one; the service is asked instead.
pub(in crate::http) async fn notify(
    State(app): State<App>,
    path: Result<Path<String>, PathRejection>,
    body: Body,
) -> StatusCode {
    // Taken off the line so that the sender sees the answer, up to a limit.
    let limit = app.config.pace.body_timeout;
    let _ = tokio::time::timeout(limit, to_bytes(body, LARGEST_BODY)).await;
    if let Ok(Path(token)) = path {
        let task = app.clone();
        app.tasks.spawn(async move { look(&task, &token).await });
    }
    // The same for every token, so that nobody learns which ones exist.
    StatusCode::NO_CONTENT
}

async fn look(app: &App, token: &str) {
    let found = app.db.operation_by_callback(&fingerprint(token)).await;
    let Ok(Some(key)) = found else { return };
    let Ok(Some(record)) = app.db.operation(&key).await else {
        return;
    };
    // An operation in doubt, or a refused one, has no transaction to ask about. The background
    // looks at it.
    if record.transaction().is_some() {
        let _ = app.charges.query(record, Freshness::Hinted).await;
    }
}
