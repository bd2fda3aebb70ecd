//! Limits requests: the rate of new orders, for each client and in total, and the number of status requests that are
//! held.
//!
//! The counters are in memory. The module knows neither orders nor operations. The limits of attempts to pay are in
//! `payments`, those of sign-in attempts in `staff`, and those of requests to the payment service in `payment_service`.

use super::payer::session::Session;
use super::problem::{Problem, ProblemKind};
use crate::config::Config;
use crate::rate_limits::{AddressLimiter, AllTogether, Limiter, check, limiter, network_of};
use payment_rules::order::FullOrderId;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// All limits on payers' requests.
pub(crate) struct Limits {
    /// New orders of one client, and its other requests.
    clients: ClientLimits,
    /// New orders of all clients. Orders are free, so an attacker can use up this limit; it is separate
    /// from that of authorizations for this reason.
    orders: AllTogether,
    /// Requests of one API key.
    api_keys: Limiter<String>,
    notifications_by_address: AddressLimiter,
    /// Events that a program has sent again, each to one receiver.
    resends: Limiter<(String, String)>,
    /// Looks of one network at the page of one order, so that a holder of the address keeps no other one out.
    pages: Limiter<(FullOrderId, IpAddr)>,
    pub(super) held: PollSlots,
    /// Held requests of the desks of staff, which never take a payer's place.
    pub(super) desks: PollSlots,
}

pub(super) const TOO_MANY_IN_ALL: &str = "The shop is asked for more than it can take now. Nothing was charged: wait as long as Retry-After says, then repeat the request.";

const TOO_MANY_BODIES: &str = "Too many requests come from this network. Nothing was done: wait as long as Retry-After says, then repeat the request.";

impl Limits {
    pub(crate) fn new(config: &Config) -> Self {
        let timing = &config.timing;
        Self {
            clients: ClientLimits::new(config),
            orders: AllTogether::new(config.starts_per_minute),
            api_keys: limiter(timing.api_requests_per_minute),
            // Each payment has a few.
            notifications_by_address: AddressLimiter::new(
                config.starts_per_minute.saturating_mul(10),
            ),
            resends: limiter(1),
            pages: limiter(timing.repetitions_per_minute.saturating_mul(4)),
            held: PollSlots::of_payers(timing.polls_per_session, config.most_connections),
            desks: PollSlots::of_desks(config.most_connections),
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

    /// Limits the new orders of one client, and those of all clients together, since each is a write to
    /// the disk.
    pub(super) fn new_order(
        &self,
        session: Option<&Session>,
        client: IpAddr,
    ) -> Result<(), Problem> {
        self.order(session, client)?;
        let counted = self.orders.check();
        counted.map_err(|wait| too_many(TOO_MANY_IN_ALL, wait))
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

    /// Removes clients without recent requests.
    pub(crate) fn retain_recent(&self) {
        self.api_keys.retain_recent();
        self.notifications_by_address.retain_recent();
        self.resends.retain_recent();
        self.pages.retain_recent();
        self.clients.retain_recent();
    }
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
    wrong_pages_by_address: AddressLimiter,
    page_forms_by_address: AddressLimiter,
    bodies_by_address: AddressLimiter,
    programs_by_address: AddressLimiter,
}

impl ClientLimits {
    fn new(config: &Config) -> Self {
        let (orders, timing) = (config.orders_per_minute, &config.timing);
        let repetitions = timing.repetitions_per_minute;
        Self {
            orders_by_session: limiter(orders),
            orders_by_address: AddressLimiter::new(orders),
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

    /// Removes clients without recent requests.
    fn retain_recent(&self) {
        self.orders_by_session.retain_recent();
        self.orders_by_address.retain_recent();
        self.wrong_pages_by_address.retain_recent();
        self.page_forms_by_address.retain_recent();
        self.bodies_by_address.retain_recent();
        self.programs_by_address.retain_recent();
    }
}

/// Limits the status requests that are held at the same time: of a session, of an address and in
/// total. Each occupies a connection, so that one session or address must not occupy all of them, and
/// some must stay free for other requests. `governor` limits a rate, and cannot limit concurrency.
#[derive(Clone)]
pub(crate) struct PollSlots {
    per_session: usize,
    per_address: usize,
    total: usize,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Default)]
struct Taken {
    total: usize,
    by_holder: HashMap<Holder, usize>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Holder {
    Session(String),
    Address(IpAddr),
}

/// The pages that one session may have open with a desk that follows the changes.
const DESKS_PER_SESSION: usize = 4;

/// A slot of a held request, which is freed when it is dropped.
pub(crate) struct PollSlot {
    holders: [Holder; 2],
    slots: PollSlots,
}

/// Why a request is not held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotHeld {
    /// All slots of the session are taken.
    SessionIsFull,
    /// All slots of the address, or of the server, are taken.
    NoRoom,
}

impl PollSlots {
    /// The limits of an address and in total are fractions of all connections.
    pub(crate) fn of_payers(per_session: usize, connections: usize) -> Self {
        Self {
            per_session,
            per_address: connections / 4,
            total: connections / 4 * 3,
            taken: Arc::default(),
        }
    }

    /// All desks of a shop may come from one address.
    fn of_desks(connections: usize) -> Self {
        let total = connections / 16;
        Self {
            per_session: DESKS_PER_SESSION,
            per_address: total,
            total,
            taken: Arc::default(),
        }
    }

    pub(super) fn count(&self) -> u64 {
        u64::try_from(self.lock().total).unwrap_or(u64::MAX)
    }

    /// Takes a slot for a request of this session from this address.
    pub(crate) fn take(&self, session: &str, address: IpAddr) -> Result<PollSlot, NotHeld> {
        let holders = [
            Holder::Session(session.to_owned()),
            Holder::Address(address),
        ];
        let mut taken = self.lock();
        let held = holders.each_ref().map(|holder| taken.of(holder));
        if held[0] >= self.per_session {
            return Err(NotHeld::SessionIsFull);
        }
        if held[1] >= self.per_address || taken.total >= self.total {
            return Err(NotHeld::NoRoom);
        }
        taken.total += 1;
        for holder in &holders {
            *taken.by_holder.entry(holder.clone()).or_default() += 1;
        }
        Ok(PollSlot {
            holders,
            slots: self.clone(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn of(&self, holder: &Holder) -> usize {
        self.by_holder.get(holder).copied().unwrap_or_default()
    }
}

impl Drop for PollSlot {
    fn drop(&mut self) {
        let mut taken = self.slots.lock();
        taken.total -= 1;
        for holder in &self.holders {
            if let Some(count) = taken.by_holder.get_mut(holder) {
                *count -= 1;
                if *count == 0 {
                    taken.by_holder.remove(holder);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NotHeld, PollSlots};
    use std::net::IpAddr;

    fn address(last: u8) -> IpAddr {
        [203, 0, 113, last].into()
    }

    #[test]
    fn places_are_per_session_and_per_address_and_come_back() {
        let slots = PollSlots::of_payers(2, 16);
        let take = |session: &str, last: u8| slots.take(session, address(last));
        let one = take("a", 1).unwrap();
        let _two = take("a", 2).unwrap();
        assert_eq!(take("a", 3).err(), Some(NotHeld::SessionIsFull));
        let _others = ["b", "c", "d"].map(|session| take(session, 1).unwrap());
        assert_eq!(take("e", 1).err(), Some(NotHeld::NoRoom));
        assert_eq!(slots.count(), 5);
        drop(one);
        assert!(take("e", 1).is_ok());
        let _more: Vec<_> = (0..8)
            .map(|n| take(&format!("more {n}"), n / 2 + 3).unwrap())
            .collect();
        assert_eq!(take("f", 100).err(), Some(NotHeld::NoRoom));
    }
}
