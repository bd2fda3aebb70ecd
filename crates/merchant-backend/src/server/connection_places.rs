//! The limit on connections at once. A connection keeps its place during a request. Among the
//! connections without a whole request the oldest is closed for a new one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

pub(super) struct Places {
    free: Arc<Semaphore>,
    idle: Arc<Mutex<Idle>>,
    idle_again: Arc<Notify>,
}

/// Connections without a request, by the time of their last one.
#[derive(Default)]
struct Idle {
    next: u64,
    since: BTreeMap<u64, CancellationToken>,
}

impl Idle {
    fn add(&mut self, gone: CancellationToken) -> u64 {
        self.next += 1;
        self.since.insert(self.next, gone);
        self.next
    }
}

impl Places {
    pub(super) fn new(most: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(most)),
            idle: Arc::default(),
            idle_again: Arc::default(),
        }
    }

    /// A place for a new connection. If all are taken, the connection that has been idle for
    /// longest is closed, or else the first one whose answer ends.
    pub(super) async fn take(&self) -> Place {
        let permit = self.permit().await;
        let gone = CancellationToken::new();
        let at = lock(&self.idle).add(gone.clone());
        Place {
            idle: Arc::clone(&self.idle),
            idle_again: Arc::clone(&self.idle_again),
            at: Arc::new(Mutex::new(at)),
            gone,
            _permit: permit,
        }
    }

    async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        while self.free.available_permits() == 0 {
            let idle_again = self.idle_again.notified();
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
        if let Some((_, gone)) = lock(&self.idle).since.pop_first() {
            gone.cancel();
        }
    }
}

fn lock(idle: &Mutex<Idle>) -> std::sync::MutexGuard<'_, Idle> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The place of a connection.
pub(super) struct Place {
    idle: Arc<Mutex<Idle>>,
    idle_again: Arc<Notify>,
    /// Its number among the idle connections, now or before.
    at: Arc<Mutex<u64>>,
    gone: CancellationToken,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Place {
    /// Keeps the place until the answer is complete.
    pub(super) fn busy(&self) -> Busy {
        let at = *self.at.lock().unwrap_or_else(PoisonError::into_inner);
        lock(&self.idle).since.remove(&at);
        Busy {
            idle: Arc::clone(&self.idle),
            idle_again: Arc::clone(&self.idle_again),
            at: Arc::clone(&self.at),
            gone: self.gone.clone(),
        }
    }

    /// Waits until the connection has to close for another one.
    pub(super) async fn gone(&self) {
        self.gone.cancelled().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // While the answer still goes on, its end adds no number any more.
        self.gone.cancel();
        let at = *self.at.lock().unwrap_or_else(PoisonError::into_inner);
        lock(&self.idle).since.remove(&at);
    }
}

/// A running request on a connection.
pub(super) struct Busy {
    idle: Arc<Mutex<Idle>>,
    idle_again: Arc<Notify>,
    at: Arc<Mutex<u64>>,
    gone: CancellationToken,
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut idle = lock(&self.idle);
        if !self.gone.is_cancelled() {
            let at = idle.add(self.gone.clone());
            *self.at.lock().unwrap_or_else(PoisonError::into_inner) = at;
            self.idle_again.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Places;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Waker};

    fn is_ready<T>(future: impl Future<Output = T>) -> Option<T> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            std::task::Poll::Ready(value) => Some(value),
            std::task::Poll::Pending => None,
        }
    }

    #[test]
    fn the_oldest_idle_one_gives_way_and_no_busy_one_does() {
        let places = Places::new(3);
        let take = || is_ready(places.take());
        let (first, second, third) = (take().unwrap(), take().unwrap(), take().unwrap());
        let answering = first.busy();
        assert!(take().is_none());
        // The second is the oldest without a request, and is being closed.
        assert!(is_ready(second.gone()).is_some());
        assert!(is_ready(first.gone()).is_none() && is_ready(third.gone()).is_none());
        drop(second);
        let fourth = take().unwrap();
        let (_third, _fourth) = (third.busy(), fourth.busy());
        // All have running requests: a new connection waits.
        assert!(take().is_none());
        assert!(is_ready(first.gone()).is_none());
        drop(answering);
        assert!(take().is_none());
        assert!(is_ready(first.gone()).is_some());
        drop(first);
        assert!(take().is_some());
        assert!(lock_is_clean(&places));
    }

    fn lock_is_clean(places: &Places) -> bool {
        places.idle.lock().unwrap().since.is_empty()
    }
}
