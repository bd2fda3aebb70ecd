//! Limits the rate of this server's queries to the payment service, and sends the urgent ones first.

use super::response_signals::Backoff;
use crate::ambient;
use payment_rules::operation::OperationKey;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, sleep_until};

/// The priority of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// The query is due by its schedule, or a program of the shop asked: no person waits for it.
    Background,
    /// A payer at this address waits for the answer.
    Payer(Option<IpAddr>),
    /// A cancellation or a refund depends on the answer, or a notification announced a change.
    Decision,
}

impl Urgency {
    pub(crate) fn is_above(self, other: Self) -> bool {
        match self {
            Self::Background => false,
            Self::Payer(_) => other == Self::Background,
            Self::Decision => other != Self::Decision,
        }
    }
}

/// Queries continue at this pace during a backoff: a complete stop would hide payments from waiting
/// payers.
const BACKOFF_QUERY_PAUSE: Duration = Duration::from_millis(500);
/// After this many queries for payers in a row, one background query is sent, so that the
/// background is not starved.
const PAYER_QUERIES_BEFORE_BACKGROUND: u32 = 4;

/// Grants permits for queries. Queries for decisions have a queue with a rate of their own, so that
/// a thousand waiting payers do not delay a cancellation.
pub(super) struct QueryScheduler(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Notify,
    backoff: Backoff,
    /// The pause between two queries of one queue outside of a backoff.
    pause: Duration,
}

struct State {
    decisions: VecDeque<Ticket>,
    payers: PayerQueues,
    background: VecDeque<Ticket>,
    next_common: Instant,
    next_decision: Instant,
    /// True when the last permit of the common queue was for a decision.
    last_was_decision: bool,
    payers_since_background: u32,
    closed: bool,
}

/// A query that waits for its permit.
struct Ticket {
    key: OperationKey,
    permit: oneshot::Sender<()>,
}

impl QueryScheduler {
    /// Starts the task that grants the permits, so it must run within tokio.
    pub(super) fn new(queries_per_second: u32) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                decisions: VecDeque::new(),
                payers: PayerQueues::default(),
                background: VecDeque::new(),
                next_common: Instant::now(),
                next_decision: Instant::now(),
                last_was_decision: false,
                payers_since_background: 0,
                closed: false,
            }),
            changed: Notify::new(),
            backoff: Backoff::default(),
            pause: Duration::from_secs(1) / queries_per_second.max(1),
        });
        tokio::spawn(ambient::task(Arc::clone(&shared).serve()));
        Self(shared)
    }

    /// Waits for the permit to query this operation.
    pub(super) async fn acquire(&self, key: &OperationKey, urgency: Urgency) {
        let (permit, granted) = oneshot::channel();
        let ticket = Ticket {
            key: key.clone(),
            permit,
        };
        self.0.lock().push(urgency, ticket);
        self.0.changed.notify_one();
        // The scheduler closes when the server stops. A query may still be sent then.
        let _ = granted.await;
    }

    /// Moves the waiting query of this operation to a more urgent queue.
    pub(super) fn raise_priority(&self, key: &OperationKey, urgency: Urgency) {
        let mut state = self.0.lock();
        let mut ticket = None;
        if urgency.is_above(Urgency::Background) {
            ticket = remove(&mut state.background, key);
        }
        if ticket.is_none() && urgency == Urgency::Decision {
            ticket = state.payers.remove(key);
        }
        if let Some(ticket) = ticket {
            state.push(urgency, ticket);
            self.0.changed.notify_one();
        }
    }

    /// Slows all queries down, since the service answered one with `Retry-After`.
    pub(super) fn back_off(&self, retry_after: Duration) {
        self.0.backoff.begin(retry_after);
        let mut state = self.0.lock();
        let next = Instant::now() + BACKOFF_QUERY_PAUSE;
        state.next_common = state.next_common.max(next);
    }
}

fn remove(queue: &mut VecDeque<Ticket>, key: &OperationKey) -> Option<Ticket> {
    let place = queue.iter().position(|ticket| ticket.key == *key)?;
    queue.remove(place)
}

/// Queries for payers, one queue for each client. Clients take turns, so that a client with many
/// operations delays only itself.
#[derive(Default)]
struct PayerQueues {
    turns: VecDeque<Option<IpAddr>>,
    by_client: HashMap<Option<IpAddr>, VecDeque<Ticket>>,
}

impl PayerQueues {
    fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    fn push(&mut self, client: Option<IpAddr>, ticket: Ticket) {
        let queue = self.by_client.entry(client).or_default();
        if queue.is_empty() {
            self.turns.push_back(client);
        }
        queue.push_back(ticket);
    }

    fn pop(&mut self) -> Option<Ticket> {
        let client = self.turns.pop_front()?;
        let ticket = self.by_client.get_mut(&client)?.pop_front();
        self.requeue(client);
        ticket
    }

    fn remove(&mut self, key: &OperationKey) -> Option<Ticket> {
        let mut queues = self.by_client.iter_mut();
        let (client, ticket) =
            queues.find_map(|(client, queue)| Some((*client, remove(queue, key)?)))?;
        if let Some(place) = self.turns.iter().position(|other| *other == client) {
            self.turns.remove(place);
        }
        self.requeue(client);
        Some(ticket)
    }

    /// Gives a client its next turn if it has more queries.
    fn requeue(&mut self, client: Option<IpAddr>) {
        if self.by_client.get(&client).is_some_and(VecDeque::is_empty) {
            self.by_client.remove(&client);
        } else {
            self.turns.push_back(client);
        }
    }
}

impl Drop for QueryScheduler {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_one();
    }
}

/// When the scheduler must look at its queues again.
enum Step {
    At(Instant),
    WhenChanged,
    Never,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn serve(self: Arc<Self>) {
        loop {
            match self.step() {
                Step::Never => return,
                Step::WhenChanged => self.changed.notified().await,
                Step::At(instant) => tokio::select! {
                    () = sleep_until(instant) => {}
                    () = self.changed.notified() => {}
                },
            }
        }
    }

    /// Grants the permits that are due.
    fn step(&self) -> Step {
        let mut state = self.lock();
        if state.closed {
            return Step::Never;
        }
        let now = Instant::now();
        if self.backoff.remaining().is_some() {
            // During a backoff decisions have no rate of their own: all queries share one.
            return state.grant_common(now, BACKOFF_QUERY_PAUSE, true);
        }
        let decision = state.grant_decisions(now, self.pause);
        let common = state.grant_common(now, self.pause, false);
        match (decision, common) {
            (Step::At(one), Step::At(other)) => Step::At(one.min(other)),
            (Step::At(at), _) | (_, Step::At(at)) => Step::At(at),
            _ => Step::WhenChanged,
        }
    }
}

impl State {
    fn push(&mut self, urgency: Urgency, ticket: Ticket) {
        match urgency {
            Urgency::Decision => self.decisions.push_back(ticket),
            Urgency::Payer(client) => self.payers.push(client, ticket),
            Urgency::Background => self.background.push_back(ticket),
        }
    }

    fn grant_decisions(&mut self, now: Instant, pause: Duration) -> Step {
        while !self.decisions.is_empty() {
            if self.next_decision > now {
                return Step::At(self.next_decision);
            }
            if self.decisions.pop_front().is_some_and(Ticket::grant) {
                self.next_decision = now + pause;
            }
        }
        Step::WhenChanged
    }

    fn grant_common(&mut self, now: Instant, pause: Duration, backing_off: bool) -> Step {
        loop {
            // During a backoff decisions go first, but never twice in a row while a payer waits.
            let may_decide = self.payers.is_empty() || !self.last_was_decision;
            let for_decision = backing_off && may_decide && !self.decisions.is_empty();
            if !for_decision && self.payers.is_empty() && self.background.is_empty() {
                return Step::WhenChanged;
            }
            if self.next_common > now {
                return Step::At(self.next_common);
            }
            let background_is_due =
                !backing_off && self.payers_since_background >= PAYER_QUERIES_BEFORE_BACKGROUND;
            let for_payer =
                !self.payers.is_empty() && (!background_is_due || self.background.is_empty());
            let ticket = if for_decision {
                self.decisions.pop_front()
            } else if for_payer {
                self.payers.pop()
            } else {
                self.background.pop_front()
            };
            if ticket.is_some_and(Ticket::grant) {
                self.next_common = now + pause;
                self.last_was_decision = for_decision;
                self.payers_since_background = if for_decision || for_payer {
                    self.payers_since_background.saturating_add(1)
                } else {
                    0
                };
            }
        }
    }
}

impl Ticket {
    /// Grants the permit; `false` when the caller no longer waits.
    fn grant(self) -> bool {
        self.permit.send(()).is_ok()
    }
}

#[cfg(test)]
mod tests;
