//! Shares one question to the payment service between all callers who need the same answer at the
//! same time.

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
    /// A person looks: one that is not older than `most` will do. Payers take turns by `client`.
    Recent {
        most: Duration,
        client: Option<IpAddr>,
    },
    /// A notification came: the question must begin after it.
    Hinted,
    /// A decision depends on it: the question must begin after the caller asked.
    New,
    /// No caller waits; the plan has come due.
    Planned,
}

impl Freshness {
    /// How urgent the question is.
    pub(crate) fn urgency(self) -> Urgency {
        match self {
            Self::Recent { client, .. } => Urgency::Payer(client),
            // A notification comes when there is a change, and a payer waits for it.
            Self::Hinted | Self::New => Urgency::Decision,
            Self::Planned => Urgency::Background,
        }
    }
}

/// A kind of question about an operation.
pub(crate) trait Question: Clone + Send + Sync + 'static {
    type Answer: Clone + Send + Sync + 'static;

    /// The callers who ask it now.
    fn askers(&self) -> &Askers<Self::Answer>;

    /// Waits for the turn to ask; an error meanwhile is the answer.
    fn turn(
        &self,
        key: &OperationKey,
        urgency: Urgency,
    ) -> impl Future<Output = Result<(), Self::Answer>> + Send;

    /// An answer that was stored after a caller looked for one in vain, and before it queued.
    fn stored(&self, _: &OperationKey) -> impl Future<Output = Option<Self::Answer>> + Send {
        std::future::ready(None)
    }

    /// Raises the priority of the waiting question.
    fn raise_priority(&self, key: &OperationKey, urgency: Urgency);

    /// Asks, and stores the answer.
    fn ask(&self, key: &OperationKey) -> impl Future<Output = Self::Answer> + Send;
}

/// The running and the waiting questions, by operation.
pub(crate) struct Askers<A>(Arc<Mutex<HashMap<OperationKey, Rounds<A>>>>);

/// The running question, and the waiting one after it. A caller who needs a new answer joins the
/// second.
struct Rounds<A> {
    running: Option<Sender<A>>,
    queued: Option<Queued<A>>,
}

type Sender<A> = watch::Sender<Option<A>>;
type Receiver<A> = watch::Receiver<Option<A>>;

/// A waiting question: its most urgent caller decides when it begins.
struct Queued<A> {
    sender: Sender<A>,
    urgency: Urgency,
}

/// How a caller gets its answer.
enum Joined<A> {
    /// The stored answer is new enough.
    Stored,
    /// Another caller's task asks the question.
    Round(Receiver<A>),
    /// Another caller's task asks the question, whose priority must be raised.
    Raised(Receiver<A>),
    /// The caller must start the task that asks the question.
    First(Receiver<A>),
}

/// The result of a shared look.
pub(crate) enum Looked<A> {
    /// The stored answer is new enough.
    Stored,
    Answered(A),
    /// The task that asked broke off.
    GivenUp,
}

/// Gets an answer, shared with all callers who need the same. `stored_is_new` is true if the stored
/// answer is young enough for a reader.
pub(crate) async fn look<Q: Question>(
    question: &Q,
    tasks: &Tasks,
    key: &OperationKey,
    freshness: Freshness,
    stored_is_new: bool,
) -> Looked<Q::Answer> {
    let mut receiver = match question.askers().join(key, freshness, stored_is_new) {
        Joined::Stored => return Looked::Stored,
        Joined::Round(receiver) => receiver,
        Joined::Raised(receiver) => {
            question.raise_priority(key, freshness.urgency());
            receiver
        }
        Joined::First(receiver) => {
            tasks.spawn(drive(question.clone(), key.clone()));
            receiver
        }
    };
    let answer = receiver.wait_for(Option::is_some).await;
    let answer = answer.ok().and_then(|answer| answer.clone());
    answer.map_or(Looked::GivenUp, Looked::Answered)
}

/// Asks about one operation until no caller waits. It is a task of its own, so that a caller that
/// goes away takes no other's answer with it.
async fn drive<Q: Question>(question: Q, key: OperationKey) {
    let askers = question.askers();
    // If this task breaks, its entry goes, and the waiting callers get no answer.
    let _entry = Entry { askers, key: &key };
    if matches!(askers.urgency(&key), Urgency::Payer(_))
        && let Some(answer) = question.stored(&key).await
        && askers.answer_unasked(&key, &answer)
    {
        return;
    }
    loop {
        let turn = question.turn(&key, askers.urgency(&key)).await;
        askers.begin(&key);
        let answer = match turn {
            Ok(()) => question.ask(&key).await,
            Err(answer) => answer,
        };
        if !askers.end(&key, answer) {
            return;
        }
    }
}

struct Entry<'a, A> {
    askers: &'a Askers<A>,
    key: &'a OperationKey,
}

impl<A> Drop for Entry<'_, A> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.askers.with(|all| all.remove(self.key));
        }
    }
}

impl<A> Clone for Askers<A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<A> Default for Askers<A> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<A> Default for Rounds<A> {
    fn default() -> Self {
        Self {
            running: None,
            queued: None,
        }
    }
}

impl<A: Clone> Askers<A> {
    /// Gives a stored answer to all waiting callers, if none needs it for a decision; `false` when
    /// the question has to be asked.
    fn answer_unasked(&self, key: &OperationKey, answer: &A) -> bool {
        self.with(|all| {
            let queued = all.get(key).and_then(|rounds| rounds.queued.as_ref());
            if queued.is_none_or(|queued| queued.urgency == Urgency::Decision) {
                return false;
            }
            if let Some(queued) = all.remove(key).and_then(|rounds| rounds.queued) {
                queued.sender.send_replace(Some(answer.clone()));
            }
            true
        })
    }
}

impl<A> Askers<A> {
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<OperationKey, Rounds<A>>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Joins the question that will answer a caller.
    fn join(&self, key: &OperationKey, freshness: Freshness, stored_is_new: bool) -> Joined<A> {
        self.with(|all| {
            let running = all.get(key).and_then(|rounds| rounds.running.as_ref());
            if let (Freshness::Recent { .. } | Freshness::Planned, Some(running)) =
                (freshness, running)
            {
                return Joined::Round(running.subscribe());
            }
            if stored_is_new && matches!(freshness, Freshness::Recent { .. }) {
                return Joined::Stored;
            }
            let urgency = freshness.urgency();
            let first = !all.contains_key(key);
            let rounds = all.entry(key.clone()).or_default();
            let queued = rounds.queued.get_or_insert_with(|| Queued {
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
                Joined::Round(receiver)
            }
        })
    }

    /// The urgency of the waiting question.
    fn urgency(&self, key: &OperationKey) -> Urgency {
        self.with(|all| {
            let queued = all.get(key).and_then(|rounds| rounds.queued.as_ref());
            queued.map_or(Urgency::Background, |queued| queued.urgency)
        })
    }

    /// The waiting question begins: later callers wait for the next one.
    fn begin(&self, key: &OperationKey) {
        self.with(|all| {
            if let Some(rounds) = all.get_mut(key) {
                rounds.running = rounds.queued.take().map(|queued| queued.sender);
            }
        });
    }

    /// Gives the answer to all callers of the running question; `true` when others wait for the
    /// next one.
    fn end(&self, key: &OperationKey, answer: A) -> bool {
        self.with(|all| {
            let Some(rounds) = all.get_mut(key) else {
                return false;
            };
            if let Some(running) = rounds.running.take() {
                running.send_replace(Some(answer));
            }
            if rounds.queued.is_none() {
                all.remove(key);
                return false;
            }
            true
        })
    }
}

#[cfg(test)]
mod tests;
