use super::Failure;
use crate::backend::Backend;
use crate::problem::{Problem, ProblemKind};
use axum::extract::State;

/// The process answers.
pub(super) async fn healthz() -> &'static str {
    "up\n"
}

/// The database answers too.
pub(super) async fn readyz(State(backend): State<Backend>) -> Result<&'static str, Failure> {
    if backend.stopping.is_cancelled() {
        let problem = Problem::new(ProblemKind::NotReady, "The server is stopping.");
        return Err(problem.retry_after(10).into());
    }
    backend.store.ready().await.map_err(|error| {
        tracing::error!(%error, "not ready");
        Problem::new(ProblemKind::NotReady, "The database does not answer.").retry_after(1)
    })?;
    Ok("ready\n")
}
