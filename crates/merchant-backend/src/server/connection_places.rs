//! The limit on connections at once. A connection keeps its place while a whole request is
//! answered. Among the connections without a whole request the oldest is closed for a new one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// The part of all places that heads may hold whose bodies have not come.
const WITHHELD_PART: usize = 8;

pub(super) struct Places {
    free: Arc<Semaphore>,
    waiting: Arc<Waiting>,
}

/// The connections that wait for a whole request.
struct Waiting {
    idle: Mutex<Idle>,
    idle_again: Notify,
    most_withheld: usize,
}

/// Connections without a whole request, by the time of their last byte.
#[derive(Default)]
struct Idle {
    next: u64,
    /// Those without a head.
    headless: BTreeMap<u64, CancellationToken>,
    /// Those whose body has not come.
    withheld: BTreeMap<u64, CancellationToken>,
}

impl Idle {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn remove(&mut self, at: u64) {
        self.headless.remove(&at);
        self.withheld.remove(&at);
    }

    /// Takes out the connection that has waited for longest.
    fn pop_oldest(&mut self) -> Option<CancellationToken> {
        let first = |of: &BTreeMap<u64, CancellationToken>| of.keys().next().copied();
        let oldest = match (first(&self.headless), first(&self.withheld)) {
            (Some(headless), Some(withheld)) if withheld < headless => &mut self.withheld,
            (Some(_), _) => &mut self.headless,
            (None, _) => &mut self.withheld,
        };
        oldest.pop_first().map(|(_, gone)| gone)
    }
}

impl Places {
    pub(super) fn new(most: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(most)),
            waiting: Arc::new(Waiting {
                idle: Mutex::default(),
                idle_again: Notify::new(),
                most_withheld: (most / WITHHELD_PART).max(1),
            }),
        }
    }

    /// A place for a new connection. If all are taken, the connection that has been idle for
    /// longest is closed, or else the first one whose answer ends.
    pub(super) async fn take(&self) -> Place {
        let permit = self.permit().await;
        let spot = Spot {
            waiting: Arc::clone(&self.waiting),
            at: Arc::default(),
            gone: CancellationToken::new(),
        };
        spot.is_headless();
        Place {
            spot,
            _permit: permit,
        }
    }

    async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        while self.free.available_permits() == 0 {
            let idle_again = self.waiting.idle_again.notified();
            self.make_room();
            tokio::select! {
                // The semaphore is never closed; without a permit only the count would be wrong.
                permit = Arc::clone(&self.free).acquire_owned() => return permit.ok(),
                () = idle_again => {}
            }
        }
        Arc::clone(&self.free).acquire_owned().await.ok()
    }

    /// Closes the connection that has been idle for longest, if there is one.
    pub(super) fn make_room(&self) {
        if let Some(gone) = self.waiting.lock().pop_oldest() {
            gone.cancel();
        }
    }
}

impl Waiting {
    fn lock(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection among the others.
#[derive(Clone)]
struct Spot {
    waiting: Arc<Waiting>,
    /// Its number among the idle connections, now or before. It is locked before the others.
    at: Arc<Mutex<u64>>,
    gone: CancellationToken,
}

impl Spot {
    fn at(&self) -> MutexGuard<'_, u64> {
        self.at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_headless(&self) {
        let mut at = self.at();
        let mut idle = self.waiting.lock();
        idle.remove(*at);
        *at = idle.number();
        idle.headless.insert(*at, self.gone.clone());
    }

    fn is_withheld(&self) {
        let mut at = self.at();
        let mut idle = self.waiting.lock();
        idle.remove(*at);
        *at = idle.number();
        idle.withheld.insert(*at, self.gone.clone());
        if idle.withheld.len() > self.waiting.most_withheld
            && let Some((_, oldest)) = idle.withheld.pop_first()
        {
            oldest.cancel();
        }
    }

    fn is_busy(&self) {
        let at = self.at();
        self.waiting.lock().remove(*at);
    }
}

/// The place of a connection.
pub(super) struct Place {
    spot: Spot,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Place {
    /// A head has come whose body is still to come.
    pub(super) fn awaits_body(&self) -> Arrival {
        self.spot.is_withheld();
        Arrival {
            spot: self.spot.clone(),
            stage: Arc::default(),
        }
    }

    /// Waits until the connection has to close for another one.
    pub(super) async fn gone(&self) {
        self.spot.gone.cancelled().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // While the answer still goes on, its end adds no number any more.
        self.spot.gone.cancel();
        self.spot.is_busy();
    }
}

/// A request that comes in.
#[derive(Clone)]
pub(super) struct Arrival {
    spot: Spot,
    stage: Arc<Mutex<Stage>>,
}

/// How much of a request has come.
#[derive(Default)]
enum Stage {
    #[default]
    Head,
    Whole(Busy),
    Answered,
}

impl Arrival {
    /// A part of the body has come.
    pub(super) fn goes_on(&self) {
        if matches!(*self.lock(), Stage::Head) {
            self.spot.is_withheld();
        }
    }

    /// The last byte has come: the connection keeps its place from now on.
    pub(super) fn is_whole(&self) {
        let mut stage = self.lock();
        if matches!(*stage, Stage::Head) {
            *stage = Stage::Whole(Busy::new(&self.spot));
        }
    }

    /// The answer begins. It may come before the body, and keeps the place until it is complete.
    pub(super) fn is_answered(&self) -> Busy {
        match std::mem::replace(&mut *self.lock(), Stage::Answered) {
            Stage::Whole(busy) => busy,
            Stage::Head | Stage::Answered => Busy::new(&self.spot),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is being answered.
pub(super) struct Busy(Spot);

impl Busy {
    fn new(spot: &Spot) -> Self {
        spot.is_busy();
        Self(spot.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        if !self.0.gone.is_cancelled() {
            self.0.is_headless();
            self.0.waiting.idle_again.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Arrival, Place, Places};
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Waker};

    fn is_ready<T>(future: impl Future<Output = T>) -> Option<T> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            std::task::Poll::Ready(value) => Some(value),
            std::task::Poll::Pending => None,
        }
    }

    fn asks(place: &Place) -> Arrival {
        let arrival = place.awaits_body();
        arrival.is_whole();
        arrival
    }

    fn is_gone(place: &Place) -> bool {
        is_ready(place.gone()).is_some()
    }

    #[test]
    fn the_oldest_idle_one_gives_way_and_no_busy_one_does() {
        let places = Places::new(3);
        let take = || is_ready(places.take());
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
        assert!(lock_is_clean(&places));
    }

    #[test]
    fn a_body_that_does_not_come_keeps_no_place() {
        let places = Places::new(16);
        let take = || is_ready(places.take()).unwrap();
        let taken: Vec<_> = (0..4).map(|_| take()).collect();
        let bodies: Vec<_> = taken[..2].iter().map(Place::awaits_body).collect();
        // A byte more makes it younger, and an eighth of the places may wait so.
        bodies[0].goes_on();
        let _third = taken[2].awaits_body();
        let gone: Vec<_> = taken.iter().map(is_gone).collect();
        assert_eq!(gone, [false, true, false, false]);
        // An answer that comes before the body keeps the place too.
        let _busy = bodies[0].is_answered();
        let _fourth = taken[3].awaits_body();
        assert!(!is_gone(&taken[0]) && !is_gone(&taken[2]));
    }

    fn lock_is_clean(places: &Places) -> bool {
        let idle = places.waiting.lock();
        idle.headless.is_empty() && idle.withheld.is_empty()
    }
}
