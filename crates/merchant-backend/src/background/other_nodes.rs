//! Wakes those who wait here for a change that another process made, on a database that several
//! processes share.
//!
//! A notification brings it at once. One may be lost with its connection, so that one look in a
//! while finds what changed, for all who wait together.

use crate::clock::now;
use crate::db::{Changed, Db, DbError};
use crate::tasks::Tasks;
use crate::wakeups::{Topic, Wakeups};
use std::time::Duration;

/// The pause before a lost connection is made again.
const PAUSE: Duration = Duration::from_secs(1);
/// How far back a look goes: the longest that a change may take from its own instant to its commit.
const LOOK_BACK: Duration = Duration::from_secs(45);

/// Passes on the changes of other processes.
pub(crate) struct OtherNodes {
    pub(crate) db: Db,
    pub(crate) wakeups: Wakeups,
    pub(crate) tasks: Tasks,
    /// The pause between two looks.
    pub(crate) pause: Duration,
}

impl OtherNodes {
    /// Runs until the server stops; with a file, which nobody shares, there is nothing to do.
    pub(crate) async fn run(self) {
        if self.db.is_shared() {
            tokio::join!(self.hear(), self.look());
        }
    }

    async fn hear(&self) {
        let mut heard = Ok(());
        while !self.tasks.is_stopping() {
            let hearing = tokio::select! {
                hearing = self.hear_until_lost() => hearing,
                () = self.tasks.stopped() => return,
            };
            if let (Err(error), Ok(())) = (&hearing, &heard) {
                tracing::warn!(%error, "changes by other nodes are seen late, since notifications do not come");
            }
            heard = hearing;
            self.tasks.pause(PAUSE).await;
        }
    }

    async fn hear_until_lost(&self) -> Result<(), DbError> {
        let Some(mut listener) = self.db.listen().await? else {
            return Ok(());
        };
        // Nobody told what happened before this.
        self.wakeups.wake_all();
        while let Some(changed) = listener.next().await? {
            match changed {
                Changed::Operation(key) => self.wakeups.wake(&Topic::Operation(key)),
                Changed::Key(sender, key) => self.wakeups.wake(&Topic::Key(sender, key)),
            }
        }
        Ok(())
    }

    async fn look(&self) {
        while !self.tasks.is_stopping() {
            self.tasks.pause(self.pause).await;
            // A failure is one of the requests too, and they tell it.
            let changed = self.db.changed_since(now().saturating_sub(LOOK_BACK));
            for key in changed.await.unwrap_or_default() {
                self.wakeups.wake(&Topic::Operation(key));
            }
        }
    }
}
