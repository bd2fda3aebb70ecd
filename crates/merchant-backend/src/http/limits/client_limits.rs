use crate::config::Timing;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use ipnet::Ipv6Net;
use payment_model::IdempotencyKey;
use payment_rules::idempotent_request::{IdempotentRequest, Sender};
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

type Limiter<K> = RateLimiter<K, HashMapStateStore<K>, DefaultClock>;

/// The most that one client may begin or repeat in a minute, so that no client uses up the share of
/// all payers. A session and an address each count as a client: sessions cost nothing, and addresses
/// are shared.
pub(crate) struct ClientLimits {
    orders_by_session: Limiter<String>,
    orders_by_address: AddressLimiter,
    authorizations_by_address: AddressLimiter,
    repetitions_by_key: Limiter<(Sender, IdempotencyKey)>,
    repetitions_by_address: AddressLimiter,
}

impl ClientLimits {
    pub(crate) fn new(timing: &Timing) -> Self {
        let orders = timing.orders_per_minute;
        let repetitions = timing.repetitions_per_minute;
        Self {
            orders_by_session: limiter(orders),
            orders_by_address: AddressLimiter::new(orders),
            // A payer tries an order more than once.
            authorizations_by_address: AddressLimiter::new(orders.saturating_mul(2)),
            repetitions_by_key: limiter(repetitions),
            repetitions_by_address: AddressLimiter::new(repetitions.saturating_mul(4)),
        }
    }

    /// Counts a new order; after too many it returns the time to wait.
    pub(crate) fn order(&self, session: Option<&str>, address: IpAddr) -> Result<(), Duration> {
        if let Some(session) = session {
            check(&self.orders_by_session, &session.to_owned())?;
        }
        self.orders_by_address.check(address)
    }

    /// Counts a new authorization; sessions have a separate limit for these.
    pub(crate) fn authorization(&self, address: IpAddr) -> Result<(), Duration> {
        self.authorizations_by_address.check(address)
    }

    /// Counts a repetition of a key.
    pub(crate) fn repetition(
        &self,
        request: &IdempotentRequest,
        address: IpAddr,
    ) -> Result<(), Duration> {
        let key = (request.sender.clone(), request.key.clone());
        check(&self.repetitions_by_key, &key)?;
        self.repetitions_by_address.check(address)
    }

    /// Forgets clients that have not come for long.
    pub(crate) fn retain_recent(&self) {
        self.orders_by_session.retain_recent();
        self.orders_by_address.retain_recent();
        self.authorizations_by_address.retain_recent();
        self.repetitions_by_key.retain_recent();
        self.repetitions_by_address.retain_recent();
    }
}

/// The sizes of IPv6 networks that one client may have, each with the shares that it gets: a /64 is
/// a machine or a household, and a client with more gets a few shares and not thousands.
const V6_SIZES: [(u8, u32); 3] = [(64, 1), (56, 4), (48, 16)];

/// A limit for each address, and for the larger networks of an IPv6 address.
struct AddressLimiter {
    /// By the shares that they give.
    by_size: [Limiter<IpAddr>; 3],
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

fn limiter<K: Hash + Eq + Clone>(per_minute: u32) -> Limiter<K> {
    let per_minute = NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN);
    RateLimiter::hashmap(Quota::per_minute(per_minute))
}

fn check<K: Hash + Eq + Clone>(limiter: &Limiter<K>, key: &K) -> Result<(), Duration> {
    let allowed = limiter.check_key(key);
    allowed.map_err(|denied| denied.wait_time_from(DefaultClock::default().now()))
}
