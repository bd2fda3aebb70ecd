use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    pub(crate) fn new(per_session: usize, connections: usize) -> Self {
        Self {
            per_session,
            per_address: connections / 4,
            total: connections / 4 * 3,
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
        let slots = PollSlots::new(2, 16);
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
