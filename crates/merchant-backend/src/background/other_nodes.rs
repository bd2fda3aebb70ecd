//! Follows what the other nodes of a shared database do: passes their changes on to waiting requests, and
//! finds out when a server that lacks commits has taken over.

use crate::clock::now;
use crate::db::{Change, CompareCommitsOutcome, Db, DbError};
use crate::tasks::Tasks;
use crate::wakeups::{Topic, Wakeups};
use std::time::Duration;

const RECONNECT_PAUSE: Duration = Duration::from_secs(1);
/// A poll finds changes of this age. It is the longest time that a change takes from its timestamp to
/// its commit.
const POLL_LOOK_BACK: Duration = Duration::from_secs(45);

/// The task that passes on the changes of other processes.
pub(crate) struct OtherNodes {
    pub(crate) db: Db,
    pub(crate) wakeups: Wakeups,
    pub(crate) tasks: Tasks,
    pub(crate) poll_interval: Duration,
}

impl OtherNodes {
    /// Runs until the server stops. Returns at once for SQLite, whose file no other process uses.
    pub(crate) async fn run(self) {
        if self.db.is_shared() {
            tokio::join!(self.listen(), self.poll());
        }
    }

    async fn listen(&self) {
        let mut last = Ok(());
        while !self.tasks.is_stopping() {
            let result = tokio::select! {
                result = self.listen_until_lost() => result,
                () = self.tasks.stopped() => return,
            };
            if let (Err(error), Ok(())) = (&result, &last) {
                tracing::warn!(%error, "changes by other nodes are seen late, since notifications do not come");
            }
            last = result;
            self.tasks.pause(RECONNECT_PAUSE).await;
        }
    }

    async fn listen_until_lost(&self) -> Result<(), DbError> {
        let Some(mut listener) = self.db.listen().await? else {
            return Ok(());
        };
        // Notifications from before the connection were lost.
        self.wakeups.wake_all();
        while let Some(changed) = listener.next().await? {
            match changed {
                Change::Operation(key) => self.wakeups.wake(&Topic::Operation(key)),
                Change::Key(sender, key) => self.wakeups.wake(&Topic::Key(sender, key)),
            }
        }
        Ok(())
    }

    async fn poll(&self) {
        while !self.tasks.is_stopping() {
            self.tasks.pause(self.poll_interval).await;
            // An error is not logged here: requests get the same error, and log it.
            let changed = self.db.changed_since(now().saturating_sub(POLL_LOOK_BACK));
            for key in changed.await.unwrap_or_default() {
                self.wakeups.wake(&Topic::Operation(key));
            }
        }
    }
}

/// A loss of commits since the last comparison cannot be proven.
const COMPARE_INTERVAL: Duration = Duration::from_secs(1);

/// Runs until the server stops. Returns at once for SQLite, which has no standby.
pub(crate) async fn watch_for_lost_commits(db: Db, tasks: Tasks) {
    while db.is_shared() && !tasks.is_stopping() {
        // An error is not logged here: requests get the same error, and log it.
        match db
            .compare_commits()
            .await
            .unwrap_or(CompareCommitsOutcome::Same)
        {
            CompareCommitsOutcome::Same => {}
            CompareCommitsOutcome::AnotherServer => tracing::error!(
                alert = true,
                "another server of the database has taken over; it has the commits that this node counted, and may lack those of the last second: compare its payments with the payment service, and run `restored` if one is missing"
            ),
            CompareCommitsOutcome::Lost => tracing::error!(
                alert = true,
                "the database lacks commits that were acknowledged: what is older waits for staff, as after a restore. API keys stay in force: `key end` again what was ended in the last minutes"
            ),
        }
        tasks.pause(COMPARE_INTERVAL).await;
    }
}
