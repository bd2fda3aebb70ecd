//! How much payers may ask for.

use super::client::Client;
use crate::backend::Backend;
use crate::problem::{Problem, ProblemKind};
use crate::session::Session;
use governor::clock::{Clock, DefaultClock};
use std::time::Duration;

/// A bound for new orders of one client, before the one for all: a stranger without cookies is
/// stopped by the address.
pub(super) fn order(
    backend: &Backend,
    session: Option<&Session>,
    client: Client,
) -> Result<(), Problem> {
    let session = session.map(|session| session.hash.as_str());
    backend.clients.order(session, client.0).map_err(|wait| {
        let detail = "Too many orders come from this browser or its network. This one was not taken: wait as long as Retry-After says, then order again.";
        too_many(detail, wait)
    })
}

/// A bound for new attempts to pay of one client, so that none takes the place of the others.
pub(super) fn authorization(
    backend: &Backend,
    session_hash: &str,
    client: Client,
) -> Result<(), Problem> {
    let allowed = backend.authorizes.check_key(&session_hash.to_owned());
    allowed.map_err(|denied| {
        let wait = denied.wait_time_from(DefaultClock::default().now());
        let detail = "This session begins to pay too often. Nothing was charged: wait as long as Retry-After says, then repeat the request with the same Idempotency-Key.";
        too_many(detail, wait)
    })?;
    backend.clients.authorization(client.0).map_err(|wait| {
        let detail = "Too many payments are begun from this network. Nothing was charged: wait as long as Retry-After says, then repeat the request with the same Idempotency-Key.";
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
        let detail = "The shop is asked for more than it can take now. Nothing was charged: wait as long as Retry-After says, then repeat the request.";
        too_many(detail, wait)
    })
}

fn too_many(detail: &'static str, wait: Duration) -> Problem {
    Problem::new(ProblemKind::TooManyRequests, detail).retry_after(wait.as_secs() + 1)
}
