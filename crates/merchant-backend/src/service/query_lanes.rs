//! How many look-ups a second the whole installation sends, and whose goes first.

use super::pauses::Rest;
use crate::domain::operation::OperationKey;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, sleep_until};

/// How urgent a look-up is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Urgency {
    /// Nobody looks; the plan says that it is time.
    Background,
    /// A payer looks.
    Payer,
    /// A cancellation or a refund depends on it, or a notification says that there is something to
    /// see.
    Decision,
}

/// While a rest lasts, the look-ups that go on, two a second.
const PAUSE_IN_REST: Duration = Duration::from_millis(500);
/// So many look-ups for payers, then one for the background: nobody is starved.
const PAYERS_BEFORE_BACKGROUND: u32 = 4;

/// Queues of look-ups. Those that a decision depends on have a lane of their own, as wide as the
/// other one, so that a thousand waiting payers do not keep one of them from cancelling.
pub(super) struct Lanes(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Notify,
    rest: Rest,
    pause: Duration,
}

struct State {
    decisions: VecDeque<Ticket>,
    payers: VecDeque<Ticket>,
    background: VecDeque<Ticket>,
    next: Instant,
    next_decision: Instant,
    /// The last one of the common lane went for a decision.
    decided: bool,
    /// Payers that went since the background did.
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
                payers: VecDeque::new(),
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
        self.0.lock().queue(urgency).push_back(ticket);
        self.0.changed.notify_one();
        // The lanes end with the server; a query may still be asked then.
        let _ = turn.await;
    }

    /// Lets what waits for this operation go before less urgent ones.
    pub(super) fn hurry(&self, key: &OperationKey, urgency: Urgency) {
        let mut state = self.0.lock();
        let lower = [Urgency::Background, Urgency::Payer];
        for from in lower.into_iter().filter(|from| *from < urgency) {
            let queue = state.queue(from);
            let place = queue.iter().position(|ticket| ticket.key == *key);
            if let Some(ticket) = place.and_then(|place| queue.remove(place)) {
                state.queue(urgency).push_back(ticket);
                self.0.changed.notify_one();
                return;
            }
        }
    }

    /// The service turned a look-up away and asked for patience.
    pub(super) fn rest(&self, rest: Duration) {
        self.0.rest.begin(rest);
        let mut state = self.0.lock();
        let next = Instant::now() + PAUSE_IN_REST;
        state.next = state.next.max(next);
    }
}

impl Drop for Lanes {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_one();
    }
}

/// When to look at the lanes again.
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

    /// Lets go who may go now.
    fn step(&self) -> Step {
        let mut state = self.lock();
        if state.closed {
            return Step::Never;
        }
        let now = Instant::now();
        let resting = self.rest.left().is_some();
        if resting {
            // All share the little that there is: first those on whom somebody waits.
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
    fn queue(&mut self, urgency: Urgency) -> &mut VecDeque<Ticket> {
        match urgency {
            Urgency::Decision => &mut self.decisions,
            Urgency::Payer => &mut self.payers,
            Urgency::Background => &mut self.background,
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
            // Decisions go first in a rest, but never twice in a row before payers.
            let fair = self.payers.is_empty() || !self.decided;
            let decides = resting && fair && !self.decisions.is_empty();
            if !decides && self.payers.is_empty() && self.background.is_empty() {
                return Step::WhenChanged;
            }
            if self.next > now {
                return Step::At(self.next);
            }
            let tired = !resting && self.payers_in_a_row >= PAYERS_BEFORE_BACKGROUND;
            let from = if decides {
                Urgency::Decision
            } else if self.payers.is_empty() || (tired && !self.background.is_empty()) {
                Urgency::Background
            } else {
                Urgency::Payer
            };
            if self.queue(from).pop_front().is_some_and(Ticket::goes) {
                self.next = now + pause;
                self.decided = decides;
                self.payers_in_a_row = match from {
                    Urgency::Background => 0,
                    Urgency::Payer | Urgency::Decision => self.payers_in_a_row.saturating_add(1),
                };
            }
        }
    }
}

impl Ticket {
    /// Lets it go; `false` when nobody waits any more.
    fn goes(self) -> bool {
        self.go.send(()).is_ok()
    }
}

#[cfg(test)]
mod tests;
