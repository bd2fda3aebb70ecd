//! What threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks; a panic of another holder, which the search reports by itself, changes nothing.
pub(crate) fn lock<T: ?Sized>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls from as many threads as the machine runs at once, each until there is nothing more to do.
pub(crate) fn work(next: impl Fn() -> Option<()> + Sync) {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| while next().is_some() {});
        }
    });
}
