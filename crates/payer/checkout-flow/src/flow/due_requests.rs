//! Starts the requests that are due, chooses about which operation to ask and for how long the server may hold the
//! question, and plans the next timer.

use super::authorizing::Authorizing;
use super::operations::Slot;
use super::poller::InFlight;
use super::schedule::{self, Sent};
use super::{Flow, Phase};
use crate::command::Command;
use crate::failure::Failure;
use crate::time::FlowTime;
use payment_model::Outcome;
use std::time::Duration;

/// The longest timer: clocks may jump, so the flow looks at them at least this often.
const LONGEST_SLEEP: Duration = Duration::from_secs(15 * 60);

impl Flow {
    /// Starts all requests that are due, and plans the next timer.
    pub(super) fn work(&mut self) {
        self.notice_lost_calls();
        self.notice_silent_page();
        self.end_what_was_cancelled();
        self.send_authorize();
        self.send_live_question();
        self.send_query();
        self.plan_wake();
    }

    /// Gives up requests for which the browser should have reported a time-out by now.
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
        if let Some((call, _)) = self.abandoned.take_if(|(_, lost_at)| now >= *lost_at) {
            self.commands.push(Command::Abort { call });
        }
        let lost = |(_, lost_at): &(_, FlowTime)| now >= *lost_at;
        if self
            .live_question
            .is_some_and(|q| q.call.as_ref().is_some_and(lost))
        {
            self.drop_live_question();
        }
        if let Some(in_flight) = self.poller.in_flight
            && now >= in_flight.lost_at
        {
            self.abort_query();
            self.status_failed(in_flight, &Failure::Timeout);
        }
        let lost = self.cancellations().filter(lost).collect::<Vec<_>>();
        for (call, _) in lost {
            self.commands.push(Command::Abort { call });
            self.cancel_answered(call, Some(&Failure::Timeout));
        }
    }

    /// The cancellations on their way, and when they count as lost.
    fn cancellations(&self) -> impl Iterator<Item = Sent> {
        let cancelling = self.live().and_then(|live| live.cancel.sent());
        let operations = self.operations.iter();
        cancelling
            .into_iter()
            .chain(operations.filter_map(|(_, tracked)| tracked.withdrawal?.call))
    }

    fn plan_wake(&mut self) {
        let now = self.now();
        let lost = self.poller.in_flight.map(|in_flight| in_flight.lost_at);
        let due = self.operations.iter().filter_map(|(_, t)| t.plan.due).min();
        let query = due
            .zip(self.poller.open_from(now))
            .map(|(due, open)| due.max(open))
            .filter(|_| lost.is_none());
        let phase = match &self.phase {
            Phase::Authorizing(Authorizing {
                call: Some((_, lost_at)),
                ..
            }) => Some(*lost_at),
            Phase::Authorizing(Authorizing { due, .. }) => Some(*due),
            Phase::AskingPage(asking) => Some(asking.lost_at),
            Phase::New
            | Phase::Choosing
            | Phase::Live(_)
            | Phase::AskingToReplace { .. }
            | Phase::Ended { .. }
            | Phase::Failed { .. } => None,
        };
        let cancellation = self.cancellations().map(|(_, lost_at)| lost_at).min();
        let abandoned = self.abandoned.map(|(_, lost_at)| lost_at);
        let screen = self.next_screen_change();
        let live = self.live_question.map(|question| question.next());
        let next = [lost, query, live, phase, abandoned, cancellation, screen];
        let next = next.into_iter().flatten().min();
        if let Some(next) = next {
            let after = next.duration_since(now).min(LONGEST_SLEEP);
            self.commands.push(Command::Wake { after });
        }
    }

    /// When the screen changes next without an event: at the deadline, at the end of the grace, or when a new code
    /// may be asked for.
    fn next_screen_change(&self) -> Option<FlowTime> {
        let tracked = &self.operations[self.live()?.slot];
        let at = |instant| self.time.at_server_time(instant);
        let deadline = tracked.offer.deadline;
        let grace = deadline.map(|at| at.saturating_add(schedule::GRACE));
        let changes = [deadline.map(at), grace.map(at), tracked.new_code_from];
        let later = changes.into_iter().flatten().filter(|at| *at > self.now());
        later.min()
    }

    fn send_query(&mut self) {
        let now = self.now();
        if self.poller.in_flight.is_some()
            || self.poller.open_from(now).is_none_or(|from| now < from)
        {
            return;
        }
        let Some(slot) = self.next_to_ask(now) else {
            return;
        };
        let wait = self.wait_for(slot);
        let timeout = schedule::TIMEOUT;
        let longest = timeout.saturating_add(wait.unwrap_or_default());
        let (call, lost_at) = self.next_call_within(longest);
        // After a failure the request has no optional header, which a server of another origin may not allow.
        let plainly = self.poller.failures > 0;
        let known = self.operations[slot].tag.clone().filter(|_| !plainly);
        self.poller.started(InFlight {
            call,
            slot,
            started: now,
            wait,
            names: known.is_some(),
            lost_at,
        });
        let tracked = &mut self.operations[slot];
        tracked.plan.asked();
        let operation = tracked.operation.clone();
        self.commands.push(Command::QueryStatus {
            call,
            operation,
            wait,
            known,
            fresh: self.poller.cached,
            timeout,
        });
    }

    /// Chooses among the operations that are due: the one in front, unless another one has waited for long. With
    /// long polling the one in front is always due.
    fn next_to_ask(&self, now: FlowTime) -> Option<Slot> {
        let front = self.front_slot();
        let due = self.operations.iter().filter_map(|(slot, tracked)| {
            let due = tracked.plan.due.filter(|due| *due <= now)?;
            let handicap = if front == Some(slot) {
                Duration::ZERO
            } else {
                schedule::HEAD_START
            };
            Some((!tracked.plan.urgent, due.saturating_add(handicap), slot))
        });
        due.min_by_key(|(later, due, _)| (*later, *due))
            .map(|(.., slot)| slot)
    }

    /// How long the server may hold the request, in whole seconds; `None` for not at all. The server may hold
    /// only a request about the waiting operation in front, before its deadline. It may not hold the first
    /// request, since the state may have changed since the authorization, nor one before which the screen has
    /// nothing to show, nor the payer's own question.
    fn wait_for(&self, slot: Slot) -> Option<Duration> {
        let live = self.live()?;
        let tracked = &self.operations[slot];
        if live.slot != slot
            || live.cancel.is_running()
            || !tracked.seen_waiting
            || !tracked.knowledge.is_confirmed()
            || tracked.transaction.is_none()
            || self.poller.failures > 0
            || self.check.awaited
        {
            return None;
        }
        let left = tracked.offer.deadline.map_or(Duration::MAX, |deadline| {
            deadline.duration_since(self.time.server_now())
        });
        // At and after the deadline the answer must be fresh.
        let wait = schedule::WAIT.min(Duration::from_secs(left.as_secs()));
        (!wait.is_zero()).then_some(wait)
    }

    /// Plans the next question about this operation after an answer. `soon` replaces the usual delay for the
    /// operation in front.
    pub(super) fn plan(&mut self, slot: Slot, soon: Option<Duration>) {
        let looks = self.payer_looks_at(slot);
        let tracked = &self.operations[slot];
        // An event meanwhile needs an answer, and has planned the question.
        if tracked.plan.due.is_some() {
            return;
        }
        let delay = tracked.delay(looks, self.now(), self.time.server_now());
        let soon = soon.filter(|_| looks && tracked.outcome.is_none());
        let due = delay
            .map(|delay| soon.unwrap_or(delay))
            .map(|delay| self.moment_to_ask(slot, delay));
        self.operations[slot].plan.due = due;
    }

    /// Plans the next question about this operation after a failure: sooner than usual at first. A server that goes
    /// on failing gets no more requests than one that answers.
    pub(super) fn plan_after_failure(&mut self, slot: Slot, soon: bool, spread: bool) {
        let looks = self.payer_looks_at(slot);
        let usual = self.operations[slot].delay(looks, self.now(), self.time.server_now());
        let retry = if spread {
            schedule::spread(self.entropy)
        } else {
            schedule::retry(self.poller.failures)
        };
        let delay = if soon && self.poller.failures < schedule::MAX_TRIES {
            Some(retry)
        } else {
            usual.map(|usual| usual.max(retry))
        };
        self.operations[slot].plan.due = delay.map(|delay| self.moment_to_ask(slot, delay));
        if delay.is_none() {
            // The operation has ended and is not asked about any more, so nothing would clear the notice about the
            // connection.
            self.poller.failures = 0;
        }
    }

    /// True for the operation in front, and for the live one that the payer is asked about.
    fn payer_looks_at(&self, slot: Slot) -> bool {
        let asked =
            matches!(&self.phase, Phase::AskingToReplace { slot: asked, .. } if *asked == slot);
        asked || self.front_slot() == Some(slot)
    }

    /// The time after about this delay, but not after the deadline of an operation that has not ended, nor after
    /// the end of its grace: the flow asks at both.
    pub(super) fn moment_to_ask(&self, slot: Slot, delay: Duration) -> FlowTime {
        let now = self.now();
        let due = now.saturating_add(schedule::jittered(delay, self.entropy));
        let tracked = &self.operations[slot];
        let Some(deadline) = tracked.offer.deadline.filter(|_| tracked.outcome.is_none()) else {
            return due;
        };
        [deadline, deadline.saturating_add(schedule::GRACE)]
            .into_iter()
            .map(|instant| self.time.at_server_time(instant))
            .find(|at| *at > now)
            .map_or(due, |at| due.min(at))
    }

    /// Asks about the operation in front now, with a fresh request.
    pub(super) fn ask_at_once(&mut self) {
        let now = self.now();
        if let Phase::Authorizing(authorizing) = &mut self.phase
            && authorizing.call.is_none()
        {
            authorizing.due = now.max(authorizing.closed_until);
        }
        let Some(slot) = self.front_slot() else {
            return;
        };
        if self.operations[slot].outcome == Some(Outcome::Reversed) {
            return;
        }
        // A request that was held while the device slept may be dead, so it is replaced. A request that has just
        // left is as good as a new one, unless the payer cancelled after it left, or wants to see that nothing
        // is new, which a server that holds the request would answer much later.
        let cancels = self.live().is_some_and(|live| live.cancel.is_running());
        let must_be_fresh = self.check.awaited || cancels;
        let asks = self.poller.in_flight.is_some_and(|i| i.slot == slot);
        if asks && self.poller.has_just_started(now) && !must_be_fresh {
            return;
        }
        self.abort_query();
        let tracked = &mut self.operations[slot];
        tracked.plan.ask_now(now);
    }

    fn abort_query(&mut self) {
        if let Some(in_flight) = self.poller.in_flight.take() {
            self.commands.push(Command::Abort {
                call: in_flight.call,
            });
            // The question got no answer, so it has to be asked again.
            let now = self.now();
            self.operations[in_flight.slot].plan.due.get_or_insert(now);
        }
    }
}
