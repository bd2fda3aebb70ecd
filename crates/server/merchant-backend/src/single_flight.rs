//! Single flight: all callers who need the same answer at the same time share one query to the payment
//! service.
//!
//! The map of the running and waiting queries is in memory, since each query of this process waits for its
//! turn by the most urgent of its callers. Between processes, the turn in the operation's row keeps
//! queries apart, and the stored answer is shared by its age.

use crate::payment_service::Urgency;
use crate::tasks::Tasks;
use payment_rules::operation::OperationKey;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// The age that an answer may have, and its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// A person reads it: an answer that is at most `most` old is enough. Payers take turns by `client`.
    Recent {
        most: Duration,
        client: Option<IpAddr>,
    },
    /// A notification came: the query must begin after it.
    Hinted,
    /// A decision depends on it: the query must begin after the caller asked.
    New,
    /// A program of the shop waits, behind all payers: the query must begin after it asked.
    ForProgram,
    /// No caller waits; the plan has come due.
    Planned,
}

impl Freshness {
    /// How urgent the query is.
    pub(crate) fn urgency(self) -> Urgency {
        match self {
            Self::Recent { client, .. } => Urgency::Payer(client),
            // A notification comes when there is a change, and a payer waits for it.
            Self::Hinted | Self::New => Urgency::Decision,
            Self::ForProgram | Self::Planned => Urgency::Background,
        }
    }
}

/// A query about an operation, and where its callers wait.
pub(crate) trait Fetch: Clone + Send + Sync + 'static {
    type Answer: Clone + Send + Sync + 'static;

    /// The queries of this kind that run or wait.
    fn in_flight(&self) -> &InFlight<Self::Answer>;

    /// Waits until a query may be sent; an error meanwhile is the answer.
    fn turn(
        &self,
        key: &OperationKey,
        urgency: Urgency,
    ) -> impl Future<Output = Result<(), Self::Answer>> + Send;

    /// An answer that was stored after a caller looked for one in vain, and before it queued.
    fn stored(&self, _: &OperationKey) -> impl Future<Output = Option<Self::Answer>> + Send {
        std::future::ready(None)
    }

    /// Raises the priority of the waiting query.
    fn raise_priority(&self, key: &OperationKey, urgency: Urgency);

    /// Sends the query, and stores the answer.
    fn fetch(&self, key: &OperationKey) -> impl Future<Output = Self::Answer> + Send;
}

/// The running and the waiting queries, by operation.
pub(crate) struct InFlight<A>(Arc<Mutex<HashMap<OperationKey, Flights<A>>>>);

/// The running query, and the waiting one after it. A caller who needs a new answer joins the
/// second.
struct Flights<A> {
    running: Option<Sender<A>>,
    queued: Option<Queued<A>>,
}

type Sender<A> = watch::Sender<Option<A>>;
type Receiver<A> = watch::Receiver<Option<A>>;

/// A waiting query: its most urgent caller decides when it begins.
struct Queued<A> {
    sender: Sender<A>,
    urgency: Urgency,
}

/// How a caller gets its answer.
enum Joined<A> {
    /// The stored answer is new enough.
    Stored,
    /// Another caller's task asks the query.
    Flight(Receiver<A>),
    /// Another caller's task asks the query, whose priority must be raised.
    Raised(Receiver<A>),
    /// The caller must start the task that asks the query.
    First(Receiver<A>),
}

/// The result of [`fetch_shared`].
pub(crate) enum Fetched<A> {
    /// The stored answer is new enough.
    Stored,
    Answered(A),
    /// The task that sent the query panicked.
    GivenUp,
}

/// Gets an answer, shared with all callers who need the same. `stored_is_new` is true if the stored
/// answer is young enough for a reader.
pub(crate) async fn fetch_shared<F: Fetch>(
    fetch: &F,
    tasks: &Tasks,
    key: &OperationKey,
    freshness: Freshness,
    stored_is_new: bool,
) -> Fetched<F::Answer> {
    let mut receiver = match fetch.in_flight().join(key, freshness, stored_is_new) {
        Joined::Stored => return Fetched::Stored,
        Joined::Flight(receiver) => receiver,
        Joined::Raised(receiver) => {
            fetch.raise_priority(key, freshness.urgency());
            receiver
        }
        Joined::First(receiver) => {
            tasks.spawn(run(fetch.clone(), key.clone()));
            receiver
        }
    };
    let answer = receiver.wait_for(Option::is_some).await;
    let answer = answer.ok().and_then(|answer| answer.clone());
    answer.map_or(Fetched::GivenUp, Fetched::Answered)
}

/// Sends queries about one operation until no caller waits. It is a task of its own, so that a caller that
/// goes away takes no other's answer with it.
async fn run<F: Fetch>(fetch: F, key: OperationKey) {
    let in_flight = fetch.in_flight();
    // If this task panics, its entry is removed, and the waiting callers get no answer.
    let _entry = Entry {
        in_flight,
        key: &key,
    };
    if matches!(in_flight.urgency(&key), Urgency::Payer(_))
        && let Some(answer) = fetch.stored(&key).await
        && in_flight.answer_unasked(&key, &answer)
    {
        return;
    }
    loop {
        let turn = fetch.turn(&key, in_flight.urgency(&key)).await;
        in_flight.begin(&key);
        let answer = match turn {
            Ok(()) => fetch.fetch(&key).await,
            Err(answer) => answer,
        };
        if !in_flight.end(&key, answer) {
            return;
        }
    }
}

struct Entry<'a, A> {
    in_flight: &'a InFlight<A>,
    key: &'a OperationKey,
}

impl<A> Drop for Entry<'_, A> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.in_flight.with(|all| all.remove(self.key));
        }
    }
}

impl<A> Clone for InFlight<A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<A> Default for InFlight<A> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<A> Default for Flights<A> {
    fn default() -> Self {
        Self {
            running: None,
            queued: None,
        }
    }
}

impl<A: Clone> InFlight<A> {
    /// Gives a stored answer to all waiting callers, if none needs it for a decision; `false` when
    /// the query has to be asked.
    fn answer_unasked(&self, key: &OperationKey, answer: &A) -> bool {
        self.with(|all| {
            let queued = all.get(key).and_then(|flights| flights.queued.as_ref());
            if queued.is_none_or(|queued| queued.urgency == Urgency::Decision) {
                return false;
            }
            if let Some(queued) = all.remove(key).and_then(|flights| flights.queued) {
                queued.sender.send_replace(Some(answer.clone()));
            }
            true
        })
    }
}

impl<A> InFlight<A> {
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<OperationKey, Flights<A>>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Joins the query that will answer a caller.
    fn join(&self, key: &OperationKey, freshness: Freshness, stored_is_new: bool) -> Joined<A> {
        self.with(|all| {
            let running = all.get(key).and_then(|flights| flights.running.as_ref());
            if let (Freshness::Recent { .. } | Freshness::Planned, Some(running)) =
                (freshness, running)
            {
                return Joined::Flight(running.subscribe());
            }
            if stored_is_new && matches!(freshness, Freshness::Recent { .. }) {
                return Joined::Stored;
            }
            let urgency = freshness.urgency();
            let first = !all.contains_key(key);
            let flights = all.entry(key.clone()).or_default();
            let queued = flights.queued.get_or_insert_with(|| Queued {
                sender: Sender::new(None),
                urgency,
            });
            let receiver = queued.sender.subscribe();
            if urgency.is_above(queued.urgency) {
                queued.urgency = urgency;
            }
            if first {
                Joined::First(receiver)
            } else if urgency.is_above(Urgency::Background) {
                Joined::Raised(receiver)
            } else {
                Joined::Flight(receiver)
            }
        })
    }

    /// The urgency of the waiting query.
    fn urgency(&self, key: &OperationKey) -> Urgency {
        self.with(|all| {
            let queued = all.get(key).and_then(|flights| flights.queued.as_ref());
            queued.map_or(Urgency::Background, |queued| queued.urgency)
        })
    }

    /// The waiting query begins: later callers wait for the next one.
    fn begin(&self, key: &OperationKey) {
        self.with(|all| {
            if let Some(flights) = all.get_mut(key) {
                flights.running = flights.queued.take().map(|queued| queued.sender);
            }
        });
    }

    /// Gives the answer to all callers of the running query; `true` when others wait for the
    /// next one.
    fn end(&self, key: &OperationKey, answer: A) -> bool {
        self.with(|all| {
            let Some(flights) = all.get_mut(key) else {
                return false;
            };
            if let Some(running) = flights.running.take() {
                running.send_replace(Some(answer));
            }
            if flights.queued.is_none() {
                all.remove(key);
                return false;
            }
            true
        })
    }
}

#[cfg(test)]
mod tests;
