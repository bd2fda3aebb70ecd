//! Cancelling the operation in front, as the payer wants.

use super::{Flow, Phase};
use crate::cancel::{Cancel, Intent};
use crate::command::Command;
use crate::event::{CallId, CancelledBy};
use crate::failure::Failure;
use crate::live_operation::LiveOperation;
use crate::notice::Action;
use crate::schedule;
use crate::tracked_operations::Slot;

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
                let call = self.send_cancel(slot);
                let lost_at = self.now().saturating_add(schedule::CANCEL_LOST);
                Some(Cancel::Sending {
                    intent,
                    call,
                    lost_at,
                })
            }
            Cancel::Verifying { .. } => None,
        };
        if let Phase::Live(live) = &mut self.phase {
            (live.cancel, live.cancel_failed) = (next.unwrap_or(Cancel::No), next.is_none());
        }
    }

    pub(super) fn send_cancel(&mut self, slot: Slot) -> CallId {
        let call = self.next_call();
        let tracked = &mut self.operations[slot];
        tracked.cancelled_by = CancelledBy::ThisPage;
        let operation = tracked.operation.clone();
        self.commands.push(Command::Cancel {
            call,
            operation,
            timeout: schedule::TIMEOUT,
        });
        call
    }

    /// The answer to a cancellation is no result: the flow asks the status endpoint.
    pub(super) fn cancel_answered(&mut self, call: CallId, failure: Option<&Failure>) {
        let Phase::Live(live) = &mut self.phase else {
            return self.withdrawal_answered(call, failure);
        };
        match live.cancel {
            Cancel::Sending {
                intent,
                call: expected,
                ..
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
}
