//! Requests that end when they take too long or when they are no longer wanted.

use crate::timer;
use gloo_timers::callback::Timeout;
use std::time::Duration;
use web_sys::AbortController;

/// The requests that are on their way. Dropping them aborts them.
#[derive(Debug)]
pub struct RunningRequests<Id> {
    running: Vec<Running<Id>>,
}

#[derive(Debug)]
struct Running<Id> {
    id: Id,
    /// Nothing once the answer is there.
    abort: Option<AbortController>,
    /// Ends the request; stops when it is dropped.
    _timeout: Timeout,
}

impl<Id> Drop for Running<Id> {
    fn drop(&mut self) {
        if let Some(abort) = &self.abort {
            abort.abort();
        }
    }
}

impl<Id> Default for RunningRequests<Id> {
    fn default() -> Self {
        Self {
            running: Vec::new(),
        }
    }
}

impl<Id: PartialEq> RunningRequests<Id> {
    /// Counts a request among those that run. After `timeout` it is aborted and `late` is called, unless
    /// it ends before. `None` in a browser that cannot abort requests.
    pub fn start(
        &mut self,
        id: Id,
        timeout: Duration,
        late: impl FnOnce() + 'static,
    ) -> Option<AbortController> {
        let abort = AbortController::new().ok()?;
        let overdue = abort.clone();
        self.running.push(Running {
            id,
            abort: Some(abort.clone()),
            _timeout: timer::after(timeout, move || {
                overdue.abort();
                late();
            }),
        });
        Some(abort)
    }

    /// Forgets a request whose answer is there, and leaves the answer to whoever reads it.
    pub fn answered(&mut self, id: &Id) {
        for running in self.running.iter_mut().filter(|running| running.id == *id) {
            running.abort = None;
        }
        self.end(id);
    }

    /// Ends a request, if it is still running.
    pub fn end(&mut self, id: &Id) {
        self.running.retain(|running| running.id != *id);
    }

    /// Ends all of them.
    pub fn end_all(&mut self) {
        self.running.clear();
    }
}
