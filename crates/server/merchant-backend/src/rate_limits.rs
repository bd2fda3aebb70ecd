//! Rates of requests, counted in memory: of each key, and of each network of clients.

use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use ipnet::Ipv6Net;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

/// Limits the requests of each key.
pub(crate) type Limiter<K> = RateLimiter<K, HashMapStateStore<K>, DefaultClock>;

/// The prefix lengths of the IPv6 networks that are limited, each with its multiple of the limit. A
/// /64 is a machine or a household; a client with a larger network gets a few times its limit, not
/// thousands of times.
const V6_SIZES: [(u8, u32); 3] = [(64, 1), (56, 4), (48, 16)];

/// Limits each IPv4 address, and each IPv6 network of the sizes in [`V6_SIZES`].
pub(crate) struct AddressLimiter {
    /// In the order of [`V6_SIZES`].
    by_size: [Limiter<IpAddr>; 3],
}

/// An IPv4 address, or the smallest IPv6 network of one client.
pub(crate) fn network_of(client: IpAddr) -> IpAddr {
    match client {
        IpAddr::V4(_) => client,
        IpAddr::V6(whole) => Ipv6Net::new_assert(whole, V6_SIZES[0].0).network().into(),
    }
}

impl AddressLimiter {
    pub(crate) fn new(per_minute: u32) -> Self {
        Self {
            by_size: V6_SIZES.map(|(_, shares)| limiter(per_minute.saturating_mul(shares))),
        }
    }

    pub(crate) fn check(&self, address: IpAddr) -> Result<(), Duration> {
        let IpAddr::V6(whole) = address else {
            return check(&self.by_size[0], &address);
        };
        for (limiter, (size, _)) in self.by_size.iter().zip(V6_SIZES) {
            check(limiter, &Ipv6Net::new_assert(whole, size).network().into())?;
        }
        Ok(())
    }

    pub(crate) fn retain_recent(&self) {
        for limiter in &self.by_size {
            limiter.retain_recent();
        }
    }
}

pub(crate) fn limiter<K: Hash + Eq + Clone>(requests: u32) -> Limiter<K> {
    RateLimiter::hashmap(per_minute(requests))
}

fn per_minute(requests: u32) -> Quota {
    Quota::per_minute(NonZeroU32::new(requests).unwrap_or(NonZeroU32::MIN))
}

pub(crate) fn check<K: Hash + Eq + Clone>(limiter: &Limiter<K>, key: &K) -> Result<(), Duration> {
    let allowed = limiter.check_key(key);
    allowed.map_err(|denied| denied.wait_time_from(DefaultClock::default().now()))
}

/// Limits the requests of all clients together.
pub(crate) struct AllTogether(DefaultDirectRateLimiter);

impl AllTogether {
    pub(crate) fn new(a_minute: u32) -> Self {
        Self(RateLimiter::direct(per_minute(a_minute)))
    }

    /// Counts a request; after too many, returns the time to wait.
    pub(crate) fn check(&self) -> Result<(), Duration> {
        self.0.check().map_err(|denied| {
            // The shop is under attack, or sells more than the setting allows for.
            tracing::warn!("more orders or authorizations than STARTS_PER_MINUTE allows");
            denied.wait_time_from(DefaultClock::default().now())
        })
    }
}
