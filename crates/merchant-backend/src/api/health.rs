use super::Failure;
use crate::backend::Backend;
use crate::problem::{Problem, ProblemKind};
use axum::extract::State;

/// The process answers.
pub(super) async fn healthz() -> &'static str {
    "up\n"
}

/// The database takes writes too.
pub(super) async fn readyz(State(backend): State<Backend>) -> Result<&'static str, Failure> {
    if backend.stopping.is_cancelled() {
        let problem = Problem::new(ProblemKind::NotReady, "The server is stopping.");
        return Err(problem.retry_after(10).into());
    }
    let probed = {
        let backend = backend.clone();
        async move { backend.readiness.of(backend.store.as_ref()).await }
    };
    // To its end, or whoever goes away would leave the next one to begin anew.
    if backend.finish(probed).await == Some(true) {
        return Ok("ready\n");
    }
    let problem = Problem::new(ProblemKind::NotReady, "The database takes no writes.");
    Err(problem.retry_after(5).into())
}
