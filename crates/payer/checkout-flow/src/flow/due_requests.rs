//! Starts the requests that are due, and plans the next timer.

use super::{Authorizing, Flow, Phase};
use crate::cancel::Cancel;
use crate::command::Command;
use crate::failure::Failure;
use crate::schedule;
use crate::time::FlowTime;
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
        let cancelling = match &self.phase {
            Phase::Live(live) => match live.cancel {
                Cancel::Sending { call, lost_at, .. } => Some((call, lost_at)),
                _ => None,
            },
            _ => None,
        };
        let withdrawals = self
            .operations
            .iter()
            .filter_map(|(_, t)| t.withdrawal?.call);
        let lost = cancelling
            .into_iter()
            .chain(withdrawals)
            .filter(|(_, lost_at)| now >= *lost_at)
            .collect::<Vec<_>>();
        for (call, _) in lost {
            self.commands.push(Command::Abort { call });
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
        // The key must be stored before the request leaves, so that a reload repeats it.
        self.persist();
        let call = self.next_call();
        // The server may need its full time twice: once for an older operation, once for this one.
        let timeout = schedule::TIMEOUT.saturating_mul(3);
        self.commands.push(Command::Authorize {
            call,
            key: attempt.key,
            method: attempt.method,
            replaces: attempt.replaces,
            timeout,
        });
        if let Phase::Authorizing(authorizing) = &mut self.phase {
            let lost_at = now.saturating_add(timeout.saturating_add(schedule::MARGIN));
            authorizing.call = Some((call, lost_at));
        }
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
            Phase::Live(live) => match live.cancel {
                Cancel::Sending { lost_at, .. } => Some(lost_at),
                _ => None,
            },
            Phase::New
            | Phase::Choosing
            | Phase::AskingToReplace { .. }
            | Phase::Ended { .. }
            | Phase::Failed { .. } => None,
        };
        let withdrawals = self
            .operations
            .iter()
            .filter_map(|(_, t)| t.withdrawal?.call);
        let withdrawal = withdrawals.map(|(_, lost_at)| lost_at).min();
        let abandoned = self.abandoned.map(|(_, lost_at)| lost_at);
        let screen = self.next_screen_change();
        let live = self.live_question.map(|question| question.next());
        let next = [lost, query, live, phase, abandoned, withdrawal, screen];
        let next = next.into_iter().flatten().min();
        if let Some(next) = next {
            let after = next.duration_since(now).min(LONGEST_SLEEP);
            self.commands.push(Command::Wake { after });
        }
    }

    /// When the screen changes next without an event: at the deadline, at the end of the grace, or when a new code
    /// may be asked for.
    fn next_screen_change(&self) -> Option<FlowTime> {
        let Phase::Live(live) = &self.phase else {
            return None;
        };
        let tracked = &self.operations[live.slot];
        let at = |instant| self.time.at_server_time(instant);
        let deadline = tracked.offer.deadline;
        let grace = deadline.map(|at| at.saturating_add(schedule::GRACE));
        let changes = [deadline.map(at), grace.map(at), tracked.new_code_from];
        let later = changes.into_iter().flatten().filter(|at| *at > self.now());
        later.min()
    }
}
