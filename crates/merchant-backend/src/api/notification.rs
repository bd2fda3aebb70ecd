use super::LARGEST_BODY;
use crate::backend::Backend;
use crate::payment::{Freshness, query};
use crate::seal::fingerprint;
use axum::body::{Body, to_bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;

/// `POST /api/notifications/{token}`: a hint that a state may have changed. What it says is
/// not even read, because anybody could say it; the service is asked instead.
pub(super) async fn notify(
    State(backend): State<Backend>,
    path: Result<Path<String>, PathRejection>,
    body: Body,
) -> StatusCode {
    // Taken off the line so that the sender sees the answer, up to a limit.
    let limit = backend.config.pace.body_timeout;
    let _ = tokio::time::timeout(limit, to_bytes(body, LARGEST_BODY)).await;
    if let Ok(Path(token)) = path {
        let task = backend.clone();
        backend
            .tasks
            .spawn(async move { look(&task, &token).await });
    }
    // The same for every token, so that nobody learns which ones exist.
    StatusCode::NO_CONTENT
}

async fn look(backend: &Backend, token: &str) {
    let found = backend
        .store
        .operation_by_callback(&fingerprint(token))
        .await;
    let Ok(Some(key)) = found else { return };
    let Ok(Some(record)) = backend.store.operation(&key).await else {
        return;
    };
    // What is in doubt or refused has no transaction to ask about; the sweeper has it.
    if record.transaction().is_some() {
        let _ = query(backend, record, Freshness::Hinted).await;
    }
}
