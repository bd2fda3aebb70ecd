//! Requests that end when they take too long or when nobody wants them.

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
    abort: AbortController,
    /// Ends the request; stops when it is dropped.
    _timeout: Timeout,
}

impl<Id> Drop for Running<Id> {
    fn drop(&mut self) {
        self.abort.abort();
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
    /// Counts a request among those that run. `late` is called after `timeout`, unless the
    /// request ends before. `None` in a browser that cannot abort requests.
    pub fn start(
        &mut self,
        id: Id,
        timeout: Duration,
        late: impl FnOnce() + 'static,
    ) -> Option<AbortController> {
        let abort = AbortController::new().ok()?;
        self.running.push(Running {
            id,
            abort: abort.clone(),
            _timeout: timer::after(timeout, late),
        });
        Some(abort)
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
