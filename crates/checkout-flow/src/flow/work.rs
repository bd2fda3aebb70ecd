use super::{Authorizing, Flow, Phase};
use crate::cancel::Cancel;
use crate::tracked::Withdrawal;
use crate::{Command, Failure, schedule};
use payment_model::Outcome;

/// However far away the next thing is, the flow looks at its clock this often.
const LONGEST_SLEEP: i64 = 15 * 60_000;

impl Flow {
    /// Starts whatever is due, and says when to look again.
    pub(super) fn work(&mut self) {
        self.notice_lost_calls();
        self.send_authorize();
        self.send_withdrawals();
        self.send_query();
        self.plan_wake();
    }

    /// An answer that never came, though the browser should have reported a time-out by now.
    fn notice_lost_calls(&mut self) {
        let now = self.now();
        if let Phase::Authorizing(authorizing) = &self.phase
            && let Some((call, lost_at)) = authorizing.call
            && now >= lost_at
        {
            let authorizing = authorizing.clone();
            self.commands.push(Command::Abort { call });
            self.authorize_failed(authorizing, &Failure::Timeout);
        }
        if let Some(in_flight) = self.poller.in_flight
            && now >= in_flight.lost_at
        {
            self.abort_query();
            self.status_failed(in_flight.index, &Failure::Timeout);
        }
        if let Phase::Live(live) = &self.phase
            && let Cancel::Sending { call, lost_at, .. } = live.cancel
            && now >= lost_at
        {
            self.cancel_answered(call, Some(&Failure::Timeout));
        }
        let lost = self
            .operations
            .iter()
            .filter_map(|t| t.withdrawal?.call)
            .find(|(_, lost_at)| now >= *lost_at);
        if let Some((call, _)) = lost {
            self.cancel_answered(call, Some(&Failure::Timeout));
        }
    }

    fn send_authorize(&mut self) {
        let now = self.now();
        let Phase::Authorizing(Authorizing {
            attempt,
            call: None,
            due,
            ..
        }) = &self.phase
        else {
            return;
        };
        if now < *due {
            return;
        }
        let attempt = attempt.clone();
        // The key is kept before the request leaves: a reload repeats it.
        self.persist();
        let call = self.next_call();
        // The server may take its time twice: once for an older operation, once for this one.
        let timeout = 3 * schedule::TIMEOUT;
        self.commands.push(Command::Authorize {
            call,
            key: attempt.key,
            method: attempt.method,
            timeout,
        });
        if let Phase::Authorizing(authorizing) = &mut self.phase {
            authorizing.call = Some((call, now.saturating_add(timeout + 5_000)));
        }
    }

    fn send_withdrawals(&mut self) {
        let now = self.now();
        for index in 0..self.operations.len() {
            let Some(Withdrawal {
                call: None,
                tries,
                due,
            }) = self.operations[index].withdrawal
            else {
                continue;
            };
            if now < due {
                continue;
            }
            let call = (
                self.send_cancel(index),
                now.saturating_add(schedule::TIMEOUT + 5_000),
            );
            self.operations[index].withdrawal = Some(Withdrawal {
                call: Some(call),
                tries,
                due,
            });
        }
    }

    fn send_query(&mut self) {
        let now = self.now();
        if self.poller.in_flight.is_some()
            || self.poller.open_from(now).is_none_or(|from| now < from)
        {
            return;
        }
        let asked = |index: &usize| self.operations[*index].due.is_some_and(|due| due <= now);
        let Some(index) = (0..self.operations.len())
            .filter(asked)
            .min_by_key(|i| self.operations[*i].due)
        else {
            return;
        };
        let wait = self.wait_for(index);
        let timeout = schedule::TIMEOUT + wait.unwrap_or(0) * 1_000;
        let call = self.next_call();
        self.poller.started(call, index, now, timeout);
        let tracked = &mut self.operations[index];
        tracked.due = None;
        let operation = tracked.operation.clone();
        self.commands.push(Command::QueryStatus {
            call,
            operation,
            wait,
            timeout,
        });
    }

    /// How many seconds the server may hold the request: only where a payer looks at an
    /// operation that waits, nothing else is to be asked, and never beyond its deadline.
    fn wait_for(&self, index: usize) -> Option<i64> {
        let Phase::Live(live) = &self.phase else {
            return None;
        };
        let tracked = &self.operations[index];
        if live.index != index
            || live.cancel.is_running()
            || !tracked.seen_waiting
            || self.poller.failures > 0
        {
            return None;
        }
        let left = tracked.deadline.map_or(i64::MAX, |deadline| {
            deadline.saturating_sub(self.time.server_now())
        });
        // At and after the deadline the answer must be fresh.
        let wait = schedule::WAIT_S.min(left / 1_000);
        (wait > 0).then_some(wait)
    }

    /// When this operation is asked about again after an answer.
    pub(super) fn plan(&mut self, index: usize, at_once: bool) {
        let (now, server_now, entropy) = (self.now(), self.time.server_now(), self.entropy);
        let in_front = self.front_index() == Some(index);
        let Some(tracked) = self.operations.get_mut(index) else {
            return;
        };
        let delay = tracked.delay(in_front, now, server_now);
        let delay = delay.map(|delay| {
            if at_once && in_front && tracked.outcome.is_none() {
                0
            } else {
                delay
            }
        });
        let mut due = delay.map(|delay| now.saturating_add(schedule::jittered(delay, entropy)));
        // The deadline is a moment to ask at, however far the next one is.
        if in_front && tracked.outcome.is_none() {
            let deadline = tracked
                .deadline
                .map(|deadline| self.time.at_server_time(deadline));
            due = due.map(|due| {
                deadline
                    .filter(|at| *at > now)
                    .map_or(due, |at| due.min(at))
            });
        }
        // Planned already, because something happened that needs an answer now.
        if self.operations[index].due.is_none() {
            self.operations[index].due = due;
        }
    }

    /// Asks about the operation in front now, with a fresh request.
    pub(super) fn ask_at_once(&mut self) {
        let now = self.now();
        if let Phase::Authorizing(authorizing) = &mut self.phase
            && authorizing.call.is_none()
        {
            authorizing.due = now;
        }
        let Some(index) = self.front_index() else {
            return;
        };
        if self.operations[index].outcome == Some(Outcome::Reversed) {
            return;
        }
        // One that was held through a sleep may be dead; one that just left is as good as new.
        let must_be_fresh = matches!(&self.phase, Phase::Live(live) if live.cancel.is_running());
        if self.poller.in_flight.is_some() && self.poller.has_just_started(now) && !must_be_fresh {
            return;
        }
        self.abort_query();
        self.operations[index].due = Some(now);
    }

    fn abort_query(&mut self) {
        if let Some(in_flight) = self.poller.in_flight.take() {
            self.commands.push(Command::Abort {
                call: in_flight.call,
            });
            // Whoever it asked about is still to be asked about.
            let now = self.now();
            if let Some(tracked) = self.operations.get_mut(in_flight.index) {
                tracked.due.get_or_insert(now);
            }
        }
    }

    fn plan_wake(&mut self) {
        let now = self.now();
        let open = self.poller.open_from(now);
        let lost = self.poller.in_flight.map(|in_flight| in_flight.lost_at);
        let query = self
            .operations
            .iter()
            .filter_map(|tracked| tracked.due)
            .min();
        let query = query
            .zip(open)
            .map(|(due, open)| due.max(open))
            .filter(|_| lost.is_none());
        let phase = match &self.phase {
            Phase::Authorizing(Authorizing {
                call: Some((_, lost_at)),
                ..
            }) => Some(*lost_at),
            Phase::Authorizing(Authorizing { due, .. }) => Some(*due),
            Phase::Live(live) => match live.cancel {
                Cancel::Sending { lost_at, .. } => Some(lost_at),
                _ => None,
            },
            Phase::New | Phase::Choosing | Phase::Ended { .. } | Phase::Failed { .. } => None,
        };
        let withdrawal = self
            .operations
            .iter()
            .filter_map(|tracked| tracked.withdrawal);
        let withdrawal = withdrawal
            .map(|w| w.call.map_or(w.due, |(_, lost_at)| lost_at))
            .min();
        let next = [lost, query, phase, withdrawal, self.next_screen_change()]
            .into_iter()
            .flatten()
            .min();
        if let Some(next) = next {
            let after = next.saturating_sub(now).clamp(0, LONGEST_SLEEP);
            self.commands.push(Command::Wake { after });
        }
    }

    /// When the screen changes by time alone: at the deadline, and when its grace is over.
    fn next_screen_change(&self) -> Option<i64> {
        let Phase::Live(live) = &self.phase else {
            return None;
        };
        let deadline = self.operations[live.index].deadline?;
        let (now, at) = (self.now(), self.time.at_server_time(deadline));
        [at, at.saturating_add(crate::time::GRACE)]
            .into_iter()
            .find(|at| *at > now)
    }
}
