//! Reads what changed, once for all desks of staff that follow the changes at this node.
//!
//! A desk may ask another node each time. Therefore its cursor has the time of the database up to which it has read, and
//! what it has seen of the seconds before that: a change takes a while from its timestamp to its commit, so that a
//! reader looks back.

use crate::clock::now;
use crate::db::{Db, DbError};
use crate::tasks::Tasks;
use crate::wakeups::{Topic, Wakeups};
use payment_model::Timestamp;
use payment_rules::fingerprint;
use payment_rules::order::FullOrderId;
use staff_model::OperationRow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

/// The longest time that a change takes from its timestamp to its commit.
pub(crate) const LOOK_BACK: Duration = Duration::from_secs(45);
/// For how long changes are kept for desks that have not read them.
const KEPT_FOR: Duration = Duration::from_mins(3);
/// The shortest time between two reads of the database.
const SHORTEST_READ_INTERVAL: Duration = Duration::from_millis(250);
/// The longest one: exceptions also come by time alone, and a wake-up of another node may be lost.
const LONGEST_READ_INTERVAL: Duration = Duration::from_secs(5);
/// After this time without a request of a desk nothing is read.
const FOLLOWED_FOR: Duration = Duration::from_secs(60);
/// The most operations in memory. A desk whose cursor is older than the oldest of them is told to load its lists again.
const MOST_KEPT: usize = 1000;

/// What changed lately.
#[derive(Default)]
pub(crate) struct RecentChanges {
    /// Counts the reads.
    pub(crate) reads: u64,
    /// Everything that changed since then is here.
    pub(crate) complete_from: Option<Timestamp>,
    /// The time of the last read.
    pub(crate) read_at: Option<Timestamp>,
    pub(crate) operations: HashMap<i64, RecentOperation>,
    pub(crate) links: HashMap<FullOrderId, RecentLink>,
}

/// An operation as it is since its last change.
#[derive(Clone)]
pub(crate) struct RecentOperation {
    pub(crate) mark: ChangeMark,
    pub(crate) row: Arc<OperationRow>,
}

/// When a link changed last.
#[derive(Clone)]
pub(crate) struct RecentLink {
    pub(crate) mark: ChangeMark,
    pub(crate) changed_at: Timestamp,
}

/// A short hash of a change, by which a cursor remembers it. Every node computes the same.
pub(crate) type ChangeMark = Arc<str>;

pub(crate) const MARK_CHARACTERS: usize = 6;

fn mark(what: &str, changed_at: Timestamp) -> ChangeMark {
    let mut mark = fingerprint(&format!("{what} {}", changed_at.as_millis()));
    mark.truncate(MARK_CHARACTERS);
    mark.into()
}

/// The changes of this node's database, for desks. Clones share them.
#[derive(Clone)]
pub(crate) struct DeskNews(Arc<Shared>);

struct Shared {
    db: Db,
    settlement_due: Duration,
    recent: watch::Sender<Arc<RecentChanges>>,
    /// Until when somebody follows.
    followed_until: watch::Sender<Option<Instant>>,
    /// The numbers of exceptions by the codes of an account, with the read that they belong to.
    exceptions: Mutex<HashMap<Vec<String>, (u64, u64)>>,
}

impl DeskNews {
    pub(crate) fn new(db: Db, settlement_due: Duration) -> Self {
        Self(Arc::new(Shared {
            db,
            settlement_due,
            recent: watch::Sender::default(),
            followed_until: watch::Sender::default(),
            exceptions: Mutex::default(),
        }))
    }

    /// The changes, which are read from now on for a while.
    pub(crate) fn follow(&self) -> watch::Receiver<Arc<RecentChanges>> {
        let until = Instant::now() + FOLLOWED_FOR;
        self.0.followed_until.send_replace(Some(until));
        self.0.recent.subscribe()
    }

    /// How many unresolved exceptions these stores had at this read, which desks of the same stores share.
    pub(crate) async fn exceptions(&self, codes: &[String], reads: u64) -> Result<u64, DbError> {
        let mut counted = self.0.exceptions.lock().await;
        if let Some((_, count)) = counted.get(codes).filter(|(of, _)| *of == reads) {
            return Ok(*count);
        }
        let count = self.0.db.exception_count(codes, self.unsettled_since());
        let count = count.await?;
        counted.retain(|_, (of, _)| *of == reads);
        counted.insert(codes.to_vec(), (reads, count));
        Ok(count)
    }

    /// Reads until the server stops, while a desk follows.
    pub(crate) async fn run(self, wakeups: Wakeups, tasks: Tasks) {
        let mut followed = self.0.followed_until.subscribe();
        let mut wakeup = wakeups.subscribe(Topic::Desk);
        while !tasks.is_stopping() {
            let until = *followed.borrow_and_update();
            if until.is_none_or(|until| until <= Instant::now()) {
                // What changes now is not read, so that what was read is not complete any more.
                self.0.recent.send_replace(Arc::default());
                self.0.exceptions.lock().await.clear();
                tokio::select! {
                    _ = followed.changed() => {}
                    () = tasks.stopped() => return,
                }
                continue;
            }
            if let Err(error) = self.read().await {
                tracing::warn!(%error, "what changed for the desks of staff could not be read");
            }
            tasks.pause(SHORTEST_READ_INTERVAL).await;
            tokio::select! {
                () = wakeup.wait(LONGEST_READ_INTERVAL) => {}
                () = tasks.stopped() => return,
            }
        }
    }

    async fn read(&self) -> Result<(), DbError> {
        let shared = &self.0;
        let before = Arc::clone(&shared.recent.borrow());
        let at = now();
        // The first read looks back further, for desks that come from another node.
        let since = match before.read_at {
            Some(read_at) => read_at.saturating_sub(LOOK_BACK),
            None => at.saturating_sub(KEPT_FOR),
        };
        let mut next = RecentChanges {
            reads: before.reads.wrapping_add(1),
            complete_from: before.complete_from.or(Some(since)),
            read_at: Some(at),
            operations: before.operations.clone(),
            links: before.links.clone(),
        };
        let mut new = shared.db.changed_rows(since).await?;
        let is_known = |(id, changed_at): &(i64, Timestamp)| {
            let known = next.operations.get(id);
            let is_same = known.is_some_and(|known| known.row.changed_at == *changed_at);
            is_same || next.complete_from.is_some_and(|from| *changed_at < from)
        };
        new.retain(|one| !is_known(one));
        if new.len() > MOST_KEPT {
            // A burst of changes is read in part, so that `complete_from` moves to the oldest change that is kept.
            new.sort_by_key(|(_, changed_at)| *changed_at);
            new.drain(..new.len().saturating_sub(MOST_KEPT));
            next.complete_from = new.first().map(|(_, changed_at)| *changed_at);
        }
        let ids: Vec<i64> = new.iter().map(|(id, _)| *id).collect();
        if !ids.is_empty() {
            for (id, row) in shared.db.listed_rows(&ids, self.unsettled_since()).await? {
                let mark = mark(&id.to_string(), row.changed_at);
                let row = Arc::new(row);
                next.operations.insert(id, RecentOperation { mark, row });
            }
        }
        for (order, changed_at) in shared.db.changed_links(since).await? {
            let mark = mark(&order.order_id, changed_at);
            next.links.insert(order, RecentLink { mark, changed_at });
        }
        next.forget_old(at);
        shared.recent.send_replace(Arc::new(next));
        Ok(())
    }

    fn unsettled_since(&self) -> Timestamp {
        now().saturating_sub(self.0.settlement_due)
    }
}

impl RecentChanges {
    /// Forgets what every desk has read by now, or has to load anew.
    fn forget_old(&mut self, now: Timestamp) {
        let oldest = now.saturating_sub(KEPT_FOR);
        let mut from = self.complete_from.map_or(oldest, |from| from.max(oldest));
        if self.operations.len() > MOST_KEPT {
            let mut times: Vec<Timestamp> = self
                .operations
                .values()
                .map(|one| one.row.changed_at)
                .collect();
            times.sort_unstable();
            let first_kept = times.len().saturating_sub(MOST_KEPT);
            from = from.max(times.get(first_kept).copied().unwrap_or(from));
        }
        self.complete_from = Some(from);
        self.operations.retain(|_, one| one.row.changed_at >= from);
        self.links.retain(|_, link| link.changed_at >= from);
    }
}
