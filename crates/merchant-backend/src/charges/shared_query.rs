//! Who asks about which operation right now, so that one query serves all.

use super::query_result::{Freshness, Queried, QueryError};
use crate::clock::now;
use crate::domain::operation::{OperationKey, OperationRecord};
use crate::service::Urgency;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use tokio::sync::watch;

pub(super) type Answer = Result<Queried, QueryError>;
type Sender = watch::Sender<Option<Answer>>;

/// The queries that are on the way or about to be, by operation.
#[derive(Default)]
pub(crate) struct SharedQueries(Mutex<HashMap<OperationKey, Rounds>>);

/// The query on the way, and the one after it that has not begun: whoever needs a new result
/// joins the latter.
#[derive(Default)]
pub(super) struct Rounds {
    pub(super) running: Option<Sender>,
    pub(super) queued: Option<Queued>,
}

/// A query that has not begun: the most urgent of those who wait for it decides when it does.
pub(super) struct Queued {
    pub(super) sender: Sender,
    pub(super) urgency: Urgency,
}

impl SharedQueries {
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut HashMap<OperationKey, Rounds>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How a caller gets its answer.
pub(super) enum Joined {
    /// What is stored is new enough.
    Stored,
    /// From a round that somebody else drives.
    Round(watch::Receiver<Option<Answer>>),
    /// The same, and its query may have to wait less long now.
    Hurried(watch::Receiver<Option<Answer>>),
    /// From a round that the caller must have driven.
    First(watch::Receiver<Option<Answer>>),
}

/// Joins the round that answers a caller's question.
pub(super) fn join(
    all: &mut HashMap<OperationKey, Rounds>,
    record: &OperationRecord,
    freshness: Freshness,
) -> Joined {
    let running = all
        .get(&record.key)
        .and_then(|rounds| rounds.running.as_ref());
    if let (Freshness::Recent(_) | Freshness::Planned, Some(running)) = (freshness, running) {
        return Joined::Round(running.subscribe());
    }
    if let Freshness::Recent(age) = freshness {
        let asked = record.queried_at.unwrap_or(record.created_at);
        let queued = all
            .get(&record.key)
            .and_then(|rounds| rounds.queued.as_ref());
        // After a notification what is stored is old, however recently it was asked for.
        let hinted = queued.is_some_and(|queued| queued.urgency == Urgency::Decision);
        if !hinted && (0..age).contains(&now().saturating_sub(asked)) {
            return Joined::Stored;
        }
    }
    let urgency = freshness.urgency();
    let first = !all.contains_key(&record.key);
    let rounds = all.entry(record.key.clone()).or_default();
    let queued = rounds.queued.get_or_insert_with(|| Queued {
        sender: Sender::new(None),
        urgency,
    });
    let receiver = queued.sender.subscribe();
    queued.urgency = queued.urgency.max(urgency);
    if first {
        Joined::First(receiver)
    } else if urgency > Urgency::Background {
        Joined::Hurried(receiver)
    } else {
        Joined::Round(receiver)
    }
}
