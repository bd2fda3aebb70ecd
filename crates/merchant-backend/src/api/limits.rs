//! How much payers may ask for.

use crate::backend::Backend;
use crate::problem::{Problem, ProblemKind};
use governor::clock::{Clock, DefaultClock};
use std::time::Duration;

/// A bound for one session, so that none takes the place of the others.
pub(super) fn authorization(backend: &Backend, session_hash: &str) -> Result<(), Problem> {
    let allowed = backend.authorizes.check_key(&session_hash.to_owned());
    allowed.map_err(|denied| {
        let wait = denied.wait_time_from(DefaultClock::default().now());
        let detail = "This session authorizes too often; wait before the next attempt.";
        too_many(detail, wait)
    })
}

/// A bound for all together, since everybody can have new sessions: what is begun is written
/// to the disk and sent to the payment service.
pub(super) fn start(backend: &Backend) -> Result<(), Problem> {
    backend.starts.check().map_err(|denied| {
        let wait = denied.wait_time_from(DefaultClock::default().now());
        // Either somebody attacks the shop, or it sells more than it was set up for.
        tracing::warn!("more orders and authorizations than STARTS_PER_MINUTE allows");
        let detail =
            "The shop is asked for more than it can take now; wait before the next attempt.";
        too_many(detail, wait)
    })
}

fn too_many(detail: &'static str, wait: Duration) -> Problem {
    Problem::new(ProblemKind::TooManyRequests, detail).retry_after(wait.as_secs() + 1)
}
