//! Limits the look-ups a second of the whole installation, and orders them by urgency.

use super::rests::Rest;
use crate::domain::operation::OperationKey;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, sleep_until};

/// How urgent a look-up is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Urgency {
    /// No caller waits; the plan has come due.
    Background,
    /// A payer waits for it.
    Payer,
    /// A cancellation or a refund depends on it, or a notification announced a change.
    Decision,
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
    payers: VecDeque<Ticket>,
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
        // The lanes end with the server; a query may still be sent then.
        let _ = turn.await;
    }

    /// Makes a waiting look-up of this operation more urgent.
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

    /// Begins a rest, since the service refused a look-up and asked for one.
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
    /// Lets a look-up go; `false` when its caller is gone.
    fn goes(self) -> bool {
        self.go.send(()).is_ok()
    }
}

#[cfg(test)]
mod tests;
