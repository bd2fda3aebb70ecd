//! Tasks that continue when their request is cancelled, and end with the server.

use crate::{ambient, trace};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The running tasks of a server. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Tasks {
    running: TaskTracker,
    stopping: CancellationToken,
}

impl Tasks {
    /// Runs work that belongs to the node and the trace of its caller.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> tokio::task::JoinHandle<T> {
        self.running.spawn(ambient::task(trace::task(work)))
    }

    /// Runs work to its end, even if the caller's request is cancelled. `None` when the work panicked.
    pub(crate) async fn finish<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        self.spawn(work).await.ok()
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.is_cancelled()
    }

    /// Waits until the server stops.
    pub(crate) async fn stopped(&self) {
        self.stopping.cancelled().await;
    }

    /// Sleeps for this time, or until the server stops.
    pub(crate) async fn pause(&self, longest: Duration) {
        tokio::select! {
            () = tokio::time::sleep(longest) => {}
            () = self.stopped() => {}
        }
    }

    /// Tells all tasks that the server stops. They may finish their running work.
    pub(crate) fn stop(&self) {
        self.stopping.cancel();
    }

    /// Waits until all tasks have ended, with a timeout.
    pub(crate) async fn wait(&self, longest: Duration) {
        self.running.close();
        let _ = tokio::time::timeout(longest, self.running.wait()).await;
    }
}
