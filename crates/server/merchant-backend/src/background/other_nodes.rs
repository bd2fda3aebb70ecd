//! Follows what the other nodes of a shared database do and passes their changes on to waiting requests, and alerts about
//! standbys that may lack commits.

use crate::clock::now;
use crate::db::{Change, Db, DbError};
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
                Change::Link => self.wakeups.wake(&Topic::Desk),
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

const STANDBYS_INTERVAL: Duration = Duration::from_mins(1);

/// Alerts when the database gets a standby that may lack commits, once until it has none. Returns at once for SQLite, which
/// has no standby, and where the settings accept such standbys.
pub(crate) async fn watch_standbys(db: Db, tasks: Tasks, are_accepted: bool) {
    let mut last = false;
    while db.is_shared() && !are_accepted && !tasks.is_stopping() {
        // An error is not logged here: requests get the same error, and log it.
        let may_lack = db.standbys_may_lack_commits().await.unwrap_or(last);
        if may_lack && !last {
            tracing::error!(
                alert = true,
                "a standby of the database may lack commits if it takes over: set `synchronous_standby_names`, or STANDBYS_MAY_LACK_COMMITS=true"
            );
        }
        last = may_lack;
        tasks.pause(STANDBYS_INTERVAL).await;
    }
}
