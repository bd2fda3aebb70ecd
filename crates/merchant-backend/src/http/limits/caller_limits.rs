use crate::config::Timing;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

type Limiter<K> = RateLimiter<K, HashMapStateStore<K>, DefaultClock>;

/// The most that one client may begin in a minute, so that no client uses up the share of all
/// payers. A session and an address each count as a client: sessions cost nothing, and addresses
/// are shared.
pub(crate) struct ClientLimits {
    orders_by_session: Limiter<String>,
    orders_by_address: Limiter<IpAddr>,
    authorizations_by_address: Limiter<IpAddr>,
}

impl ClientLimits {
    pub(crate) fn new(timing: &Timing) -> Self {
        let orders = timing.orders_per_minute;
        // A payer tries an order more than once.
        let authorizations = orders.saturating_mul(2);
        Self {
            orders_by_session: limiter(orders),
            orders_by_address: limiter(orders),
            authorizations_by_address: limiter(authorizations),
        }
    }

    /// Counts a new order; after too many it returns the time to wait.
    pub(crate) fn order(&self, session: Option<&str>, address: IpAddr) -> Result<(), Duration> {
        if let Some(session) = session {
            check(&self.orders_by_session, &session.to_owned())?;
        }
        check(&self.orders_by_address, &address)
    }

    /// Counts a new authorization; sessions have a separate limit for these.
    pub(crate) fn authorization(&self, address: IpAddr) -> Result<(), Duration> {
        check(&self.authorizations_by_address, &address)
    }

    /// Forgets clients that have not come for long.
    pub(crate) fn retain_recent(&self) {
        self.orders_by_session.retain_recent();
        self.orders_by_address.retain_recent();
        self.authorizations_by_address.retain_recent();
    }
}

fn limiter<K: Hash + Eq + Clone>(per_minute: u32) -> Limiter<K> {
    let per_minute = NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN);
    RateLimiter::hashmap(Quota::per_minute(per_minute))
}

fn check<K: Hash + Eq + Clone>(limiter: &Limiter<K>, key: &K) -> Result<(), Duration> {
    let allowed = limiter.check_key(key);
    allowed.map_err(|denied| denied.wait_time_from(DefaultClock::default().now()))
}
