//! Limits payers' requests: the rate of new orders and authorizations, for each client and in total,
//! and the number of status requests that are held.
//!
//! The counters are in memory. The module knows neither orders nor operations. The limits of sign-in
//! attempts are in `staff`, and those of requests to the payment service in `payment_service`.

use super::payer::session::Session;
use super::poll_slots::PollSlots;
use super::problem::{Problem, ProblemKind};
use crate::config::Timing;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use ipnet::Ipv6Net;
use payment_model::IdempotencyKey;
use payment_rules::idempotency::{IdempotentRequest, Sender};
use payment_rules::order::FullOrderId;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

type Limiter<K> = RateLimiter<K, HashMapStateStore<K>, DefaultClock>;

/// All limits on payers' requests.
pub(crate) struct Limits {
    /// Authorizations of one session.
    authorizes: Limiter<String>,
    /// New orders and authorizations of one client.
    clients: ClientLimits,
    /// New orders of all clients. Orders are free, so an attacker can use up this limit; it is separate
    /// from that of authorizations for this reason.
    orders: DefaultDirectRateLimiter,
    /// New authorizations of all clients.
    starts: DefaultDirectRateLimiter,
    /// Requests of one API key.
    api_keys: Limiter<String>,
    notifications_by_address: AddressLimiter,
    /// Events that a program has sent again, each to one receiver.
    resends: Limiter<(String, String)>,
    /// Looks of one network at the page of one order, so that a holder of the address keeps no other one out.
    pages: Limiter<(FullOrderId, IpAddr)>,
    pub(super) held: PollSlots,
}

const TOO_MANY_BODIES: &str = "Too many requests come from this network. Nothing was done: wait as long as Retry-After says, then repeat the request.";

impl Limits {
    pub(crate) fn new(timing: &Timing, connections: usize) -> Self {
        Self {
            authorizes: limiter(timing.authorizes_per_minute),
            clients: ClientLimits::new(timing),
            orders: RateLimiter::direct(per_minute(timing.starts_per_minute)),
            starts: RateLimiter::direct(per_minute(timing.starts_per_minute)),
            api_keys: limiter(timing.api_requests_per_minute),
            // Each payment has a few.
            notifications_by_address: AddressLimiter::new(
                timing.starts_per_minute.saturating_mul(10),
            ),
            resends: limiter(1),
            pages: limiter(timing.repetitions_per_minute.saturating_mul(4)),
            held: PollSlots::new(timing.polls_per_session, connections),
        }
    }

    /// Limits the new orders of one client.
    pub(super) fn order(&self, session: Option<&Session>, client: IpAddr) -> Result<(), Problem> {
        let session = session.map(|session| session.hash.as_str());
        self.clients.order(session, client).map_err(|wait| {
            let detail = "Too many orders come from this browser or its network. This one was not taken: wait as long as Retry-After says, then order again.";
            too_many(detail, wait)
        })
    }

    /// Limits the new authorizations of one client.
    pub(super) fn authorization(&self, session_hash: &str, client: IpAddr) -> Result<(), Problem> {
        check(&self.authorizes, &session_hash.to_owned()).map_err(|wait| {
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
    pub(super) fn new_order(
        &self,
        session: Option<&Session>,
        client: IpAddr,
    ) -> Result<(), Problem> {
        self.order(session, client)?;
        all_together(&self.orders)
    }

    /// Limits the authorizations of all clients together: new sessions are free, and each authorization
    /// is a write to the disk and a request to the payment service.
    pub(super) fn start(&self) -> Result<(), Problem> {
        all_together(&self.starts)
    }

    /// Limits the requests of one API key, so that a program that repeats without a pause leaves the
    /// database to payers.
    pub(super) fn api_key(&self, name: &str) -> Result<(), Problem> {
        check(&self.api_keys, &name.to_owned()).map_err(|wait| {
            let detail = "This API key is used too often. Nothing was done: wait as long as Retry-After says, then repeat the request.";
            too_many(detail, wait)
        })
    }

    /// Limits how often an event is sent to a receiver again, whose system has to take it each time.
    pub(super) fn resend(&self, event_id: &str, receiver: &str) -> Result<(), Duration> {
        check(&self.resends, &(event_id.to_owned(), receiver.to_owned()))
    }

    /// Limits the requests with a body of one client, before the body is read.
    pub(super) fn request_with_body(&self, client: IpAddr) -> Result<(), Problem> {
        let counted = self.clients.bodies_by_address.check(client);
        counted.map_err(|wait| too_many(TOO_MANY_BODIES, wait))
    }

    /// Limits the requests of programs of the shop from one address, also with wrong keys.
    pub(super) fn program(&self, client: IpAddr) -> Result<(), Problem> {
        let counted = self.clients.programs_by_address.check(client);
        counted.map_err(|wait| too_many(TOO_MANY_BODIES, wait))
    }

    /// Limits the notifications from one address. Those of the payment service come from few.
    pub(super) fn notification(&self, client: IpAddr) -> Result<(), Problem> {
        let counted = self.notifications_by_address.check(client);
        counted.map_err(|wait| too_many(TOO_MANY_BODIES, wait))
    }

    /// Limits how often the page of one order is drawn, since it may ask the payment service, and how often one
    /// address names no order: payers who share it must not be kept from their pages.
    pub(super) fn page(&self, order: Option<&FullOrderId>, client: IpAddr) -> Result<(), Duration> {
        match order {
            Some(order) => check(&self.pages, &(order.clone(), network_of(client))),
            None => self.clients.wrong_pages_by_address.check(client),
        }
    }

    /// Limits the forms of one address by which a page of the shop leads to them.
    pub(super) fn page_form(&self, client: IpAddr) -> Result<(), Duration> {
        self.clients.page_forms_by_address.check(client)
    }

    /// Limits the requests of the element on those pages in the same way, and together with them.
    pub(super) fn pay_link(
        &self,
        order: Option<&FullOrderId>,
        client: IpAddr,
    ) -> Result<(), Problem> {
        self.page(order, client).map_err(|wait| {
            let detail = "This page is opened too often. Nothing was charged: wait as long as Retry-After says, then repeat the request.";
            too_many(detail, wait)
        })
    }

    /// Limits the repetitions of an idempotency key. They start nothing, but each reads the database.
    pub(super) fn repetition(
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
        self.api_keys.retain_recent();
        self.notifications_by_address.retain_recent();
        self.resends.retain_recent();
        self.pages.retain_recent();
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

pub(super) fn too_many(detail: &'static str, wait: Duration) -> Problem {
    Problem::new(ProblemKind::TooManyRequests, detail).retry_after(wait)
}

/// Limits the requests of one client in a minute, so that no client uses up the limits of all payers.
/// Sessions and addresses are limited separately: new sessions are free, and an address may be shared
/// by several payers.
struct ClientLimits {
    orders_by_session: Limiter<String>,
    orders_by_address: AddressLimiter,
    authorizations_by_address: AddressLimiter,
    repetitions_by_key: Limiter<(Sender, IdempotencyKey)>,
    repetitions_by_address: AddressLimiter,
    wrong_pages_by_address: AddressLimiter,
    page_forms_by_address: AddressLimiter,
    bodies_by_address: AddressLimiter,
    programs_by_address: AddressLimiter,
}

impl ClientLimits {
    fn new(timing: &Timing) -> Self {
        let orders = timing.orders_per_minute;
        let repetitions = timing.repetitions_per_minute;
        Self {
            orders_by_session: limiter(orders),
            orders_by_address: AddressLimiter::new(orders),
            // A payer may try to pay an order more than once.
            authorizations_by_address: AddressLimiter::new(orders.saturating_mul(2)),
            repetitions_by_key: limiter(repetitions),
            repetitions_by_address: AddressLimiter::new(repetitions.saturating_mul(4)),
            wrong_pages_by_address: AddressLimiter::new(repetitions.saturating_mul(4)),
            page_forms_by_address: AddressLimiter::new(repetitions.saturating_mul(4)),
            bodies_by_address: AddressLimiter::new(orders.saturating_mul(20)),
            // A machine may have programs with several keys.
            programs_by_address: AddressLimiter::new(
                timing.api_requests_per_minute.saturating_mul(4),
            ),
        }
    }

    /// Counts a new order; after too many, returns the time to wait.
    fn order(&self, session: Option<&str>, address: IpAddr) -> Result<(), Duration> {
        if let Some(session) = session {
            check(&self.orders_by_session, &session.to_owned())?;
        }
        self.orders_by_address.check(address)
    }

    /// Counts a new authorization; after too many, returns the time to wait. The limit of a session is
    /// in [`Limits`].
    fn authorization(&self, address: IpAddr) -> Result<(), Duration> {
        self.authorizations_by_address.check(address)
    }

    /// Counts a repetition of an idempotency key; after too many, returns the time to wait.
    fn repetition(&self, request: &IdempotentRequest, address: IpAddr) -> Result<(), Duration> {
        let key = (request.sender.clone(), request.key.clone());
        check(&self.repetitions_by_key, &key)?;
        self.repetitions_by_address.check(address)
    }

    /// Removes clients without recent requests.
    fn retain_recent(&self) {
        self.orders_by_session.retain_recent();
        self.orders_by_address.retain_recent();
        self.authorizations_by_address.retain_recent();
        self.repetitions_by_key.retain_recent();
        self.repetitions_by_address.retain_recent();
        self.wrong_pages_by_address.retain_recent();
        self.page_forms_by_address.retain_recent();
        self.bodies_by_address.retain_recent();
        self.programs_by_address.retain_recent();
    }
}

/// The prefix lengths of the IPv6 networks that are limited, each with its multiple of the limit. A
/// /64 is a machine or a household; a client with a larger network gets a few times its limit, not
/// thousands of times.
const V6_SIZES: [(u8, u32); 3] = [(64, 1), (56, 4), (48, 16)];

/// Limits each IPv4 address, and each IPv6 network of the sizes in [`V6_SIZES`].
struct AddressLimiter {
    /// In the order of [`V6_SIZES`].
    by_size: [Limiter<IpAddr>; 3],
}

/// An IPv4 address, or the smallest IPv6 network of one client.
fn network_of(client: IpAddr) -> IpAddr {
    match client {
        IpAddr::V4(_) => client,
        IpAddr::V6(whole) => Ipv6Net::new_assert(whole, V6_SIZES[0].0).network().into(),
    }
}

impl AddressLimiter {
    fn new(per_minute: u32) -> Self {
        Self {
            by_size: V6_SIZES.map(|(_, shares)| limiter(per_minute.saturating_mul(shares))),
        }
    }

    fn check(&self, address: IpAddr) -> Result<(), Duration> {
        let IpAddr::V6(whole) = address else {
            return check(&self.by_size[0], &address);
        };
        for (limiter, (size, _)) in self.by_size.iter().zip(V6_SIZES) {
            check(limiter, &Ipv6Net::new_assert(whole, size).network().into())?;
        }
        Ok(())
    }

    fn retain_recent(&self) {
        for limiter in &self.by_size {
            limiter.retain_recent();
        }
    }
}

fn limiter<K: Hash + Eq + Clone>(requests: u32) -> Limiter<K> {
    RateLimiter::hashmap(per_minute(requests))
}

fn per_minute(requests: u32) -> Quota {
    Quota::per_minute(NonZeroU32::new(requests).unwrap_or(NonZeroU32::MIN))
}

fn check<K: Hash + Eq + Clone>(limiter: &Limiter<K>, key: &K) -> Result<(), Duration> {
    let allowed = limiter.check_key(key);
    allowed.map_err(|denied| denied.wait_time_from(DefaultClock::default().now()))
}
