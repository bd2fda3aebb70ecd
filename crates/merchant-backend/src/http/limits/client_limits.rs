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

/// Limits the requests of one client in a minute, so that no client uses up the limits of all payers.
/// Sessions and addresses are limited separately: new sessions are free, and an address may be shared
/// by several payers.
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
            // A payer may try to pay an order more than once.
            authorizations_by_address: AddressLimiter::new(orders.saturating_mul(2)),
            repetitions_by_key: limiter(repetitions),
            repetitions_by_address: AddressLimiter::new(repetitions.saturating_mul(4)),
        }
    }

    /// Counts a new order; after too many, returns the time to wait.
    pub(crate) fn order(&self, session: Option<&str>, address: IpAddr) -> Result<(), Duration> {
        if let Some(session) = session {
            check(&self.orders_by_session, &session.to_owned())?;
        }
        self.orders_by_address.check(address)
    }

    /// Counts a new authorization; after too many, returns the time to wait. The limit of a session is
    /// in [`super::Limits`].
    pub(crate) fn authorization(&self, address: IpAddr) -> Result<(), Duration> {
        self.authorizations_by_address.check(address)
    }

    /// Counts a repetition of an idempotency key; after too many, returns the time to wait.
    pub(crate) fn repetition(
        &self,
        request: &IdempotentRequest,
        address: IpAddr,
    ) -> Result<(), Duration> {
        let key = (request.sender.clone(), request.key.clone());
        check(&self.repetitions_by_key, &key)?;
        self.repetitions_by_address.check(address)
    }

    /// Removes clients without recent requests.
    pub(crate) fn retain_recent(&self) {
        self.orders_by_session.retain_recent();
        self.orders_by_address.retain_recent();
        self.authorizations_by_address.retain_recent();
        self.repetitions_by_key.retain_recent();
        self.repetitions_by_address.retain_recent();
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
