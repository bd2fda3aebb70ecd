use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many status requests are held, by session, by address and together. Each keeps a connection:
/// one session or address must not take all of them, and new ones must find room.
/// `governor` counts how often something begins, not how much goes on at once.
#[derive(Clone)]
pub(crate) struct PollPlaces {
    per_session: usize,
    per_address: usize,
    together: usize,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Default)]
struct Taken {
    together: usize,
    by_holder: HashMap<Holder, usize>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Holder {
    Session(String),
    Address(IpAddr),
}

/// A place; dropping it frees it.
pub(crate) struct PollPlace {
    holders: [Holder; 2],
    places: PollPlaces,
}

/// Why a request is not held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotHeld {
    /// The session has too many requests held already.
    SessionIsFull,
    /// The address has, or all payers together.
    NoRoom,
}

impl PollPlaces {
    /// Places for so many requests of one session, on so many connections.
    pub(crate) fn new(per_session: usize, connections: usize) -> Self {
        Self {
            per_session,
            per_address: connections / 4,
            together: connections / 4 * 3,
            taken: Arc::default(),
        }
    }

    /// How many places are taken.
    pub(in crate::http) fn count(&self) -> u64 {
        u64::try_from(self.lock().together).unwrap_or(u64::MAX)
    }

    /// A place for a request of this session from this address, if one is left.
    pub(crate) fn take(&self, session: &str, address: IpAddr) -> Result<PollPlace, NotHeld> {
        let holders = [
            Holder::Session(session.to_owned()),
            Holder::Address(address),
        ];
        let mut taken = self.lock();
        let held = holders.each_ref().map(|holder| taken.of(holder));
        if held[0] >= self.per_session {
            return Err(NotHeld::SessionIsFull);
        }
        if held[1] >= self.per_address || taken.together >= self.together {
            return Err(NotHeld::NoRoom);
        }
        taken.together += 1;
        for holder in &holders {
            *taken.by_holder.entry(holder.clone()).or_default() += 1;
        }
        Ok(PollPlace {
            holders,
            places: self.clone(),
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

impl Drop for PollPlace {
    fn drop(&mut self) {
        let mut taken = self.places.lock();
        taken.together -= 1;
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
    use super::{NotHeld, PollPlaces};
    use std::net::IpAddr;

    fn address(last: u8) -> IpAddr {
        [203, 0, 113, last].into()
    }

    #[test]
    fn places_are_per_session_and_per_address_and_come_back() {
        let places = PollPlaces::new(2, 16);
        let take = |session: &str, last: u8| places.take(session, address(last));
        let one = take("a", 1).unwrap();
        let _two = take("a", 2).unwrap();
        assert_eq!(take("a", 3).err(), Some(NotHeld::SessionIsFull));
        let _others = ["b", "c", "d"].map(|session| take(session, 1).unwrap());
        assert_eq!(take("e", 1).err(), Some(NotHeld::NoRoom));
        assert_eq!(places.count(), 5);
        drop(one);
        assert!(take("e", 1).is_ok());
        let _more: Vec<_> = (0..8)
            .map(|n| take(&format!("more {n}"), n / 2 + 3).unwrap())
            .collect();
        assert_eq!(take("f", 100).err(), Some(NotHeld::NoRoom));
    }
}
