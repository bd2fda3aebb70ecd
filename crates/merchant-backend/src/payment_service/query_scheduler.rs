//! Limits the look-ups a second of the whole installation, and orders them by urgency.

use super::rests::Rest;
use payment_rules::operation::OperationKey;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, sleep_until};

/// How urgent a look-up is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// No caller waits; the plan has come due.
    Background,
    /// A payer waits for it, at this address.
    Payer(Option<IpAddr>),
    /// A cancellation or a refund depends on it, or a notification announced a change.
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

/// The pause between look-ups during a rest: two a second go on.
const PAUSE_IN_REST: Duration = Duration::from_millis(500);
/// After so many look-ups for payers, one for the background goes, so that none waits for ever.
const PAYERS_BEFORE_BACKGROUND: u32 = 4;

/// Queues of look-ups. Look-ups for decisions have a lane of their own, as wide as the other one,
/// so that a thousand waiting payers do not delay a cancellation.
pub(super) struct Lanes(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Notify,
    rest: Rest,
    pause: Duration,
}

struct State {
    decisions: VecDeque<Ticket>,
    payers: Turns,
    background: VecDeque<Ticket>,
    next: Instant,
    next_decision: Instant,
    /// True when the last look-up of the common lane was for a decision.
    decided: bool,
    /// Look-ups for payers since the last one for the background.
    payers_in_a_row: u32,
    closed: bool,
}

struct Ticket {
    key: OperationKey,
    go: oneshot::Sender<()>,
}

impl Lanes {
    /// Lanes for so many look-ups a second. Must run within tokio.
    pub(super) fn new(a_second: u32) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                decisions: VecDeque::new(),
                payers: Turns::default(),
                background: VecDeque::new(),
                next: Instant::now(),
                next_decision: Instant::now(),
                decided: false,
                payers_in_a_row: 0,
                closed: false,
            }),
            changed: Notify::new(),
            rest: Rest::default(),
            pause: Duration::from_secs(1) / a_second.max(1),
        });
        tokio::spawn(Arc::clone(&shared).serve());
        Self(shared)
    }

    /// Waits for the turn of a look-up of this operation.
    pub(super) async fn enter(&self, key: &OperationKey, urgency: Urgency) {
        let (go, turn) = oneshot::channel();
        let ticket = Ticket {
            key: key.clone(),
            go,
        };
        self.0.lock().push(urgency, ticket);
        self.0.changed.notify_one();
        // The lanes end with the server; a query may still be sent then.
        let _ = turn.await;
    }

    /// Makes a waiting look-up of this operation more urgent.
    pub(super) fn hurry(&self, key: &OperationKey, urgency: Urgency) {
        let mut state = self.0.lock();
        let mut ticket = None;
        if urgency.is_above(Urgency::Background) {
            ticket = take_out(&mut state.background, key);
        }
        if ticket.is_none() && urgency == Urgency::Decision {
            ticket = state.payers.take_out(key);
        }
        if let Some(ticket) = ticket {
            state.push(urgency, ticket);
            self.0.changed.notify_one();
        }
    }

    /// Begins a rest, since the service refused a look-up and asked for one.
    pub(super) fn rest(&self, rest: Duration) {
        self.0.rest.begin(rest);
        let mut state = self.0.lock();
        let next = Instant::now() + PAUSE_IN_REST;
        state.next = state.next.max(next);
    }
}

/// Takes the look-up of an operation out of a queue.
fn take_out(queue: &mut VecDeque<Ticket>, key: &OperationKey) -> Option<Ticket> {
    let place = queue.iter().position(|ticket| ticket.key == *key)?;
    queue.remove(place)
}

/// Look-ups for payers. Clients take turns, so that one with many operations delays only itself.
#[derive(Default)]
struct Turns {
    order: VecDeque<Option<IpAddr>>,
    of_client: HashMap<Option<IpAddr>, VecDeque<Ticket>>,
}

impl Turns {
    fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    fn push(&mut self, client: Option<IpAddr>, ticket: Ticket) {
        let queue = self.of_client.entry(client).or_default();
        if queue.is_empty() {
            self.order.push_back(client);
        }
        queue.push_back(ticket);
    }

    fn pop(&mut self) -> Option<Ticket> {
        let client = self.order.pop_front()?;
        let ticket = self.of_client.get_mut(&client)?.pop_front();
        self.keep(client);
        ticket
    }

    fn take_out(&mut self, key: &OperationKey) -> Option<Ticket> {
        let mut queues = self.of_client.iter_mut();
        let (client, ticket) =
            queues.find_map(|(client, queue)| Some((*client, take_out(queue, key)?)))?;
        if let Some(place) = self.order.iter().position(|other| *other == client) {
            self.order.remove(place);
        }
        self.keep(client);
        Some(ticket)
    }

    /// Gives a client its next turn, if it has more look-ups.
    fn keep(&mut self, client: Option<IpAddr>) {
        if self.of_client.get(&client).is_some_and(VecDeque::is_empty) {
            self.of_client.remove(&client);
        } else {
            self.order.push_back(client);
        }
    }
}

impl Drop for Lanes {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_one();
    }
}

/// When to step through the lanes again.
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

    /// Lets the next look-ups go.
    fn step(&self) -> Step {
        let mut state = self.lock();
        if state.closed {
            return Step::Never;
        }
        let now = Instant::now();
        let resting = self.rest.left().is_some();
        if resting {
            // In a rest all share one lane: first those with a waiting caller.
            return state.common(now, PAUSE_IN_REST, true);
        }
        let decision = state.decision(now, self.pause);
        let common = state.common(now, self.pause, false);
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

    fn decision(&mut self, now: Instant, pause: Duration) -> Step {
        while !self.decisions.is_empty() {
            if self.next_decision > now {
                return Step::At(self.next_decision);
            }
            if self.decisions.pop_front().is_some_and(Ticket::goes) {
                self.next_decision = now + pause;
            }
        }
        Step::WhenChanged
    }

    fn common(&mut self, now: Instant, pause: Duration, resting: bool) -> Step {
        loop {
            // In a rest decisions go first, but never twice in a row before payers.
            let fair = self.payers.is_empty() || !self.decided;
            let decides = resting && fair && !self.decisions.is_empty();
            if !decides && self.payers.is_empty() && self.background.is_empty() {
                return Step::WhenChanged;
            }
            if self.next > now {
                return Step::At(self.next);
            }
            let tired = !resting && self.payers_in_a_row >= PAYERS_BEFORE_BACKGROUND;
            let for_payer = !self.payers.is_empty() && (!tired || self.background.is_empty());
            let ticket = if decides {
                self.decisions.pop_front()
            } else if for_payer {
                self.payers.pop()
            } else {
                self.background.pop_front()
            };
            if ticket.is_some_and(Ticket::goes) {
                self.next = now + pause;
                self.decided = decides;
                self.payers_in_a_row = if decides || for_payer {
                    self.payers_in_a_row.saturating_add(1)
                } else {
                    0
                };
            }
        }
    }
}

impl Ticket {
    /// Lets a look-up go; `false` when its caller is gone.
    fn goes(self) -> bool {
        self.go.send(()).is_ok()
    }
}

#[cfg(test)]
mod tests;
