//! Limits payers' requests: the rate of new orders and authorizations, for each client and in total,
//! and the number of status requests that are held.
//!
//! The counters are in memory. The module knows neither orders nor operations. The limits of sign-in
//! attempts are in `staff`, and those of requests to the payment service in `payment_service`.

mod client_limits;
mod poll_slots;

use super::payer::session::Session;
use super::problem::{Problem, ProblemKind};
use crate::config::Timing;
use client_limits::ClientLimits;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use payment_rules::idempotent_request::IdempotentRequest;
pub(in crate::http) use poll_slots::NotHeld;
use poll_slots::PollSlots;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

type SessionLimiter = RateLimiter<String, HashMapStateStore<String>, DefaultClock>;

/// All limits on payers' requests.
pub(crate) struct Limits {
    /// Authorizations of one session.
    authorizes: SessionLimiter,
    /// New orders and authorizations of one client.
    clients: ClientLimits,
    /// New orders of all clients. Orders are free, so an attacker can use up this limit; it is separate
    /// from that of authorizations for this reason.
    orders: DefaultDirectRateLimiter,
    /// New authorizations of all clients.
    starts: DefaultDirectRateLimiter,
    pub(in crate::http) held: PollSlots,
}

impl Limits {
    pub(crate) fn new(timing: &Timing, connections: usize) -> Self {
        let quota = |most| Quota::per_minute(NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN));
        Self {
            authorizes: RateLimiter::hashmap(quota(timing.authorizes_per_minute)),
            clients: ClientLimits::new(timing),
            orders: RateLimiter::direct(quota(timing.starts_per_minute)),
            starts: RateLimiter::direct(quota(timing.starts_per_minute)),
            held: PollSlots::new(timing.polls_per_session, connections),
        }
    }

    /// Limits the new orders of one client.
    pub(in crate::http) fn order(
        &self,
        session: Option<&Session>,
        client: IpAddr,
    ) -> Result<(), Problem> {
        let session = session.map(|session| session.hash.as_str());
        self.clients.order(session, client).map_err(|wait| {
            let detail = "Too many orders come from this browser or its network. This one was not taken: wait as long as Retry-After says, then order again.";
            too_many(detail, wait)
        })
    }

    /// Limits the new authorizations of one client.
    pub(in crate::http) fn authorization(
        &self,
        session_hash: &str,
        client: IpAddr,
    ) -> Result<(), Problem> {
        let allowed = self.authorizes.check_key(&session_hash.to_owned());
        allowed.map_err(|denied| {
            let wait = denied.wait_time_from(DefaultClock::default().now());
            let detail = "This session begins to pay too often. Nothing was charged: wait as long as Retry-After says, then repeat the request with the same Idempotency-Key.";
            too_many(detail, wait)
        })?;
        self.clients.authorization(client).map_err(|wait| {
            let detail = "Too many payments are begun from this network. Nothing was charged: wait as long as Retry-After says, then repeat the request with the same Idempotency-Key.";
            too_many(detail, wait)
        })
    }

    /// Limits the new orders of one client, and those of all clients together, since each is a write to
    /// the disk.
    pub(in crate::http) fn new_order(
        &self,
        session: Option<&Session>,
        client: IpAddr,
    ) -> Result<(), Problem> {
        self.order(session, client)?;
        all_together(&self.orders)
    }

    /// Limits the authorizations of all clients together: new sessions are free, and each authorization
    /// is a write to the disk and a request to the payment service.
    pub(in crate::http) fn start(&self) -> Result<(), Problem> {
        all_together(&self.starts)
    }

    /// Limits the repetitions of an idempotency key. They start nothing, but each reads the database.
    pub(in crate::http) fn repetition(
        &self,
        request: &IdempotentRequest,
        client: IpAddr,
    ) -> Result<(), Problem> {
        self.clients.repetition(request, client).map_err(|wait| {
            let detail = "This request is repeated too often. Nothing was charged by this repetition: wait as long as Retry-After says, then repeat it with the same Idempotency-Key.";
            too_many(detail, wait)
        })
    }

    /// Removes clients without recent requests.
    pub(crate) fn retain_recent(&self) {
        self.authorizes.retain_recent();
        self.clients.retain_recent();
    }
}

fn all_together(limiter: &DefaultDirectRateLimiter) -> Result<(), Problem> {
    limiter.check().map_err(|denied| {
        let wait = denied.wait_time_from(DefaultClock::default().now());
        // The shop is under attack, or sells more than the setting allows for.
        tracing::warn!("more orders or authorizations than STARTS_PER_MINUTE allows");
        let detail = "The shop is asked for more than it can take now. Nothing was charged: wait as long as Retry-After says, then repeat the request.";
        too_many(detail, wait)
    })
}

fn too_many(detail: &'static str, wait: Duration) -> Problem {
    Problem::new(ProblemKind::TooManyRequests, detail).retry_after(wait)
}
