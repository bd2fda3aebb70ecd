//! Tasks that outlive their request, until the server stops.

use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The tasks of a server; clones share them.
#[derive(Clone, Default)]
pub(crate) struct Tasks {
    running: TaskTracker,
    stopping: CancellationToken,
}

impl Tasks {
    /// Runs work as a task.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> tokio::task::JoinHandle<T> {
        self.running.spawn(work)
    }

    /// Runs work to its end, even if the request goes away; `None` when the work itself panicked.
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

    /// Sleeps, but only while the server runs.
    pub(crate) async fn pause(&self, longest: Duration) {
        tokio::select! {
            () = tokio::time::sleep(longest) => {}
            () = self.stopped() => {}
        }
    }

    /// Ends waiting tasks; running work may finish.
    pub(crate) fn stop(&self) {
        self.stopping.cancel();
    }

    /// Waits for running tasks, for so long at the most.
    pub(crate) async fn wait(&self, longest: Duration) {
        self.running.close();
        let _ = tokio::time::timeout(longest, self.running.wait()).await;
    }
}
