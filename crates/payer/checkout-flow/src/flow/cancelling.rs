//! Cancels the operation in front, as the payer wants, and operations that must not be paid any more, since another one
//! was paid.

use super::operations::Slot;
use super::schedule::{self, Sent, Withdrawal};
use super::tracked_operation::Knowledge;
use super::{Flow, LiveOperation, Phase};
use crate::command::Command;
use crate::event::CancelledBy;
use crate::failure::Failure;
use crate::notice::Action;
use crate::operation_ref::CallId;

/// The progress of a cancellation by the payer: the payer confirms it, the flow asks for the state, cancels, and
/// asks for the state again. The payer sees no result before the last answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Cancel {
    /// There is none.
    #[default]
    No,
    /// The payer is asked to confirm the cancellation.
    Asking { intent: Intent },
    /// The flow asks for the state, since the operation may be paid.
    Checking { intent: Intent, failures: u32 },
    /// The cancellation is on its way.
    Sending { intent: Intent, sent: Sent },
    /// The flow asks for the state, since only the state shows how the cancellation ended.
    Verifying { intent: Intent, failures: u32 },
}

/// What the payer wants after the cancellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// Not to pay.
    Stop,
    /// To pay by another method.
    AnotherWay,
}

impl Cancel {
    pub(super) fn is_running(self) -> bool {
        !matches!(self, Self::No | Self::Asking { .. })
    }

    /// The wish that the payer is asked to confirm.
    pub(super) fn asked(self) -> Option<Intent> {
        match self {
            Self::Asking { intent } => Some(intent),
            _ => None,
        }
    }

    pub(super) fn sent(self) -> Option<Sent> {
        match self {
            Self::Sending { sent, .. } => Some(sent),
            _ => None,
        }
    }

    /// The wish that is being carried out.
    pub(super) fn intent(self) -> Option<Intent> {
        match self {
            Self::No | Self::Asking { .. } => None,
            Self::Checking { intent, .. }
            | Self::Sending { intent, .. }
            | Self::Verifying { intent, .. } => Some(intent),
        }
    }
}

impl Flow {
    /// Asks the payer to confirm this wish; `None` closes the question. Returns true when a new question is open.
    pub(super) fn ask_to_cancel(&mut self, intent: Option<Intent>) -> bool {
        let intent = intent.filter(|_| !self.is_read_only());
        match &mut self.phase {
            Phase::Live(live) if !live.cancel.is_running() => {
                let before = live.cancel.asked();
                live.cancel = intent.map_or(Cancel::No, |intent| Cancel::Asking { intent });
                intent.is_some() && intent != before
            }
            _ => false,
        }
    }

    pub(super) fn cancel_pressed(&mut self) {
        if self.ask_to_cancel(Some(Intent::Stop)) {
            let method = self.view().method.cloned();
            self.report_action(Action::CancelAsked, method);
        }
    }

    /// Closes the question whether to leave the operation that waits.
    pub(super) fn keep_waiting(&mut self) {
        if self.view().asks_to_cancel.is_some() {
            self.ask_to_cancel(None);
            let method = self.view().method.cloned();
            self.report_action(Action::Kept, method);
        }
    }

    pub(super) fn cancel_confirmed(&mut self) {
        if let Phase::Live(live) = &self.phase
            && !live.cancel.is_running()
            && !self.is_read_only()
        {
            let intent = live.cancel.asked().unwrap_or(Intent::Stop);
            let method = self.view().method.cloned();
            self.report_action(Action::CancelConfirmed, method);
            self.cancel(intent);
        }
    }

    pub(super) fn cancel(&mut self, intent: Intent) {
        if self.is_read_only() {
            return;
        }
        if let Phase::Live(live) = &mut self.phase
            && !live.cancel.is_running()
        {
            live.cancel = Cancel::Checking {
                intent,
                failures: 0,
            };
            live.cancel_failed = false;
            self.ask_at_once();
        }
    }

    /// Continues the cancellation, if there is one, after an answer that the operation in front has not ended.
    pub(super) fn go_on_cancelling(&mut self) {
        let Phase::Live(LiveOperation { slot, cancel, .. }) = self.phase else {
            return;
        };
        let next = match cancel {
            Cancel::No | Cancel::Asking { .. } | Cancel::Sending { .. } => return,
            // An operation in an unknown state may be paid, so the flow does not cancel it.
            Cancel::Checking { .. } if !self.operations[slot].is_waiting() => None,
            Cancel::Checking { intent, .. } => {
                let sent = self.send_cancel(slot);
                Some(Cancel::Sending { intent, sent })
            }
            Cancel::Verifying { .. } => None,
        };
        if let Phase::Live(live) = &mut self.phase {
            (live.cancel, live.cancel_failed) = (next.unwrap_or(Cancel::No), next.is_none());
        }
    }

    fn send_cancel(&mut self, slot: Slot) -> Sent {
        let timeout = schedule::TIMEOUT;
        let sent = self.next_call_within(timeout);
        let tracked = &mut self.operations[slot];
        tracked.cancelled_by = CancelledBy::ThisPage;
        let operation = tracked.operation.clone();
        self.commands.push(Command::Cancel {
            call: sent.0,
            operation,
            timeout,
        });
        sent
    }

    /// The answer to a cancellation is no result: the flow asks the status endpoint.
    pub(super) fn cancel_answered(&mut self, call: CallId, failure: Option<&Failure>) {
        let Phase::Live(live) = &mut self.phase else {
            return self.withdrawal_answered(call, failure);
        };
        match live.cancel {
            Cancel::Sending {
                intent,
                sent: (expected, _),
            } if expected == call => {
                live.cancel = Cancel::Verifying {
                    intent,
                    failures: 0,
                };
                self.ask_at_once();
            }
            _ => self.withdrawal_answered(call, failure),
        }
    }

    /// Begins to withdraw an operation that has not ended. `call` is its cancellation, if one was sent already.
    pub(super) fn withdraw(&mut self, slot: Slot, call: Option<Sent>) {
        let now = self.now();
        let tracked = &mut self.operations[slot];
        if tracked.outcome.is_none() && tracked.knowledge != Knowledge::UnknownToServer {
            tracked.withdrawal = Some(Withdrawal::new(call, now));
            tracked.plan.due = Some(now);
        }
    }

    /// Continues the withdrawal of an operation, if there is one, after an answer of the status endpoint that the
    /// operation has not ended.
    pub(super) fn go_on_withdrawing(&mut self, slot: Slot) {
        let now = self.now();
        let tracked = &mut self.operations[slot];
        let (waiting, overdue) = (tracked.is_waiting(), tracked.is_overdue());
        let Some(withdrawal) = &mut tracked.withdrawal else {
            return;
        };
        if withdrawal.call.is_some() || now < withdrawal.due {
            return;
        }
        if overdue || withdrawal.is_hopeless() {
            tracked.withdrawal = None;
        } else if waiting {
            let sent = self.send_cancel(slot);
            if let Some(withdrawal) = &mut self.operations[slot].withdrawal {
                withdrawal.call = Some(sent);
            }
        } else {
            // An operation in an unknown state may be paid, so the flow does not cancel it now.
            withdrawal.due = now.saturating_add(schedule::withdrawal(u32::MAX));
        }
    }

    fn withdrawal_answered(&mut self, call: CallId, failure: Option<&Failure>) {
        let now = self.now();
        for (_, tracked) in self.operations.iter_mut() {
            if let Some(withdrawal) = &mut tracked.withdrawal
                && withdrawal.waits_for(call)
            {
                withdrawal.returned(failure.and_then(Failure::retry_after), now);
                tracked.plan.due = Some(now);
            }
        }
    }
}
