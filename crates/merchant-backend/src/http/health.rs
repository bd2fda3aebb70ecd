use super::Failure;
use super::app::App;
use super::problem::{Problem, ProblemKind};
use axum::extract::State;
use std::time::Duration;

/// `GET /healthz`: the process answers.
pub(super) async fn healthz() -> &'static str {
    "up\n"
}

/// `GET /readyz`: the database takes writes too.
pub(super) async fn readyz(State(app): State<App>) -> Result<&'static str, Failure> {
    if app.tasks.is_stopping() {
        let problem = Problem::new(ProblemKind::NotReady, "The server is stopping.");
        return Err(problem.retry_after(Duration::from_secs(10)).into());
    }
    let probed = {
        let app = app.clone();
        async move { app.readiness.of(&app.db).await }
    };
    // The probe always runs to its end, since otherwise a client that goes away would make the next
    // one begin anew.
    if app.tasks.finish(probed).await == Some(true) {
        return Ok("ready\n");
    }
    let problem = Problem::new(ProblemKind::NotReady, "The database takes no writes.");
    Err(problem.retry_after(Duration::from_secs(5)).into())
}
