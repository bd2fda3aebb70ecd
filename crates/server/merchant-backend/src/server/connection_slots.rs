//! The limit on connections at once. A connection keeps its slot while a whole request is
//! answered. Among the connections without a whole request the oldest is closed for a new one. The limit of open files,
//! which each connection counts towards, is raised with it.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

pub(super) struct ConnectionSlots {
    free: Arc<Semaphore>,
    waiting: Arc<Waiting>,
}

/// The connections that wait for a whole request; a higher number means younger.
#[derive(Default)]
struct Waiting {
    by_age: Mutex<ByAge>,
    one_more: Notify,
}

#[derive(Default)]
struct ByAge {
    last: u64,
    connections: BTreeMap<u64, CancellationToken>,
}

impl Waiting {
    fn lock(&self) -> MutexGuard<'_, ByAge> {
        self.by_age.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionSlots {
    pub(super) fn new(most: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(most)),
            waiting: Arc::default(),
        }
    }

    /// A slot for a new connection. If all are taken, the connection that has waited for longest
    /// is closed, or else the first one whose answer ends.
    pub(super) async fn take(&self) -> Arc<ConnectionSlot> {
        let slot = Arc::new(ConnectionSlot {
            _permit: self.permit().await,
            waiting: Arc::clone(&self.waiting),
            number: AtomicU64::new(0),
            closing: CancellationToken::new(),
        });
        slot.waits();
        slot
    }

    async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        let free = || Arc::clone(&self.free);
        loop {
            let one_more = self.waiting.one_more.notified();
            if let Ok(permit) = free().try_acquire_owned() {
                return Some(permit);
            }
            // The semaphore is never closed; without a permit only the count would be wrong.
            if self.make_room() {
                return free().acquire_owned().await.ok();
            }
            tokio::select! {
                permit = free().acquire_owned() => return permit.ok(),
                () = one_more => {}
            }
        }
    }

    /// Closes the connection that has waited for longest; false if every connection is busy.
    pub(super) fn make_room(&self) -> bool {
        let oldest = self.waiting.lock().connections.pop_first();
        oldest.map(|(_, closing)| closing.cancel()).is_some()
    }
}

/// The slot of a connection.
pub(super) struct ConnectionSlot {
    _permit: Option<OwnedSemaphorePermit>,
    waiting: Arc<Waiting>,
    /// Its present or last number among the waiting connections. It changes under their lock only.
    number: AtomicU64,
    closing: CancellationToken,
}

impl ConnectionSlot {
    /// Adds the connection to those that wait for a request, as the youngest.
    fn waits(&self) {
        self.renew(&mut self.waiting.lock());
        self.waiting.one_more.notify_waiters();
    }

    /// Keeps the connection from being closed for another one.
    fn is_busy(&self) {
        self.remove(&mut self.waiting.lock());
    }

    fn renew(&self, by_age: &mut ByAge) {
        by_age.last += 1;
        self.number.store(by_age.last, Ordering::Relaxed);
        by_age.connections.insert(by_age.last, self.closing.clone());
    }

    fn remove(&self, by_age: &mut ByAge) -> Option<CancellationToken> {
        let number = self.number.load(Ordering::Relaxed);
        by_age.connections.remove(&number)
    }

    /// Waits until the connection has to close for another one.
    pub(super) async fn gone(&self) {
        self.closing.cancelled().await;
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.is_busy();
    }
}

/// A request whose head has come. Its connection still counts as waiting while the handler reads the
/// body. It is busy once the body is dropped, since the body has come whole or is not needed.
pub(super) struct Arriving(Arc<ConnectionSlot>);

impl Arriving {
    pub(super) fn new(slot: &Arc<ConnectionSlot>, is_whole: bool) -> Self {
        let arriving = Self(Arc::clone(slot));
        if is_whole {
            slot.is_busy();
        } else {
            arriving.goes_on();
        }
        arriving
    }

    /// A part of the body has come: the connection becomes the youngest of those that wait.
    pub(super) fn goes_on(&self) {
        let mut by_age = self.0.waiting.lock();
        if self.0.remove(&mut by_age).is_some() {
            self.0.renew(&mut by_age);
        }
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.0.is_busy();
    }
}

/// An answer that is being sent. It keeps the slot, even if the body of its request is not whole.
pub(super) struct Answering(Arc<ConnectionSlot>);

impl Answering {
    pub(super) fn new(slot: &Arc<ConnectionSlot>) -> Self {
        slot.is_busy();
        Self(Arc::clone(slot))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.waits();
    }
}

/// Files besides connections of clients: the database, requests to others, the log.
const OTHERS: u64 = 100;

/// Raises the limit of this process as far as the system permits, up to two files for each connection, since its request
/// may wait for one of ours to the payment service. Returns a sentence if the limit is too low for all connections.
pub(crate) fn raise_limit(most_connections: usize) -> Option<String> {
    let connections = most_connections as u64;
    let (least, enough) = (connections + OTHERS, 2 * connections + OTHERS);
    let permitted = || getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    if permitted() < enough {
        let maximum = getrlimit(Resource::Nofile).maximum;
        let current = Some(maximum.map_or(enough, |maximum| maximum.min(enough)));
        // Where the system refuses, the limit stays as it is.
        let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum });
    }
    let permitted = permitted();
    (permitted < least).then(|| {
        format!(
            "MAX_CONNECTIONS is {connections}, for which the process needs {least} open files, and the system permits {permitted}: raise the limit (LimitNOFILE= of systemd, --ulimit nofile= of a container, ulimit -n of a shell), or lower MAX_CONNECTIONS"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{Answering, Arriving, ConnectionSlot, ConnectionSlots};
    use std::future::Future;
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Poll, Waker};

    fn is_ready<T>(future: impl Future<Output = T>) -> Option<T> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    fn asks(slot: &Arc<ConnectionSlot>) -> Answering {
        drop(Arriving::new(slot, true));
        Answering::new(slot)
    }

    fn is_gone(slot: &Arc<ConnectionSlot>) -> bool {
        is_ready(slot.gone()).is_some()
    }

    #[test]
    fn the_oldest_idle_one_gives_way_and_no_busy_one_does() {
        let slots = ConnectionSlots::new(3);
        let take = || is_ready(slots.take());
        let (first, second, third) = (take().unwrap(), take().unwrap(), take().unwrap());
        let answering = asks(&first);
        assert!(take().is_none());
        // The second is the oldest without a request, and is being closed.
        assert!(is_gone(&second));
        assert!(!is_gone(&first) && !is_gone(&third));
        drop(second);
        let fourth = take().unwrap();
        let (_third, _fourth) = (asks(&third), asks(&fourth));
        // All have running requests: a new connection waits.
        assert!(take().is_none());
        assert!(!is_gone(&first));
        drop(answering);
        assert!(take().is_none());
        assert!(is_gone(&first));
        drop(first);
        assert!(take().is_some());
        assert!(slots.waiting.lock().connections.is_empty());
    }

    #[test]
    fn a_body_that_does_not_come_keeps_no_place() {
        let slots = ConnectionSlots::new(4);
        let take = || is_ready(slots.take());
        let taken: Vec<_> = (0..4).map(|_| take().unwrap()).collect();
        let bodies: Vec<_> = taken.iter().map(|at| Arriving::new(at, false)).collect();
        let gone = || taken.iter().map(is_gone).collect::<Vec<_>>();
        // Another part makes the first one younger, and the third one has its whole body.
        bodies[0].goes_on();
        let mut bodies = bodies.into_iter();
        let _first = bodies.next();
        let _second = bodies.next();
        drop(bodies.next());
        assert!(take().is_none());
        assert_eq!(gone(), [false, true, false, false]);
        // An answer that begins before the body keeps the slot too.
        let _answering = Answering::new(&taken[3]);
        assert!(take().is_none());
        assert!(take().is_none());
        assert_eq!(gone(), [true, true, false, false]);
    }
}
