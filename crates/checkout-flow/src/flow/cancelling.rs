//! Cancelling the operation in front, and withdrawing one that must not be paid any more.

use super::{Flow, MOST_TRIES, Phase};
use crate::cancel::{Cancel, Intent};
use crate::live::Live;
use crate::{CallId, Command, Failure, schedule};

impl Flow {
    pub(super) fn ask_to_cancel(&mut self, asks: bool) {
        if let Phase::Live(live) = &mut self.phase
            && !live.cancel.is_running()
        {
            live.cancel = if asks { Cancel::Asking } else { Cancel::No };
        }
    }

    pub(super) fn cancel(&mut self, intent: Intent) {
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

    /// The operation in front still waits: on with its cancellation, if there is one.
    pub(super) fn go_on_cancelling(&mut self) {
        let Phase::Live(Live { index, cancel, .. }) = self.phase else {
            return;
        };
        let (next, failed) = match cancel {
            Cancel::No | Cancel::Asking | Cancel::Sending { .. } => return,
            Cancel::Checking { intent, .. } => {
                let call = self.send_cancel(index);
                let lost_at = self.now().saturating_add(schedule::TIMEOUT + 5_000);
                (
                    Cancel::Sending {
                        intent,
                        call,
                        lost_at,
                    },
                    false,
                )
            }
            Cancel::Verifying { .. } => (Cancel::No, true),
        };
        if let Phase::Live(live) = &mut self.phase {
            (live.cancel, live.cancel_failed) = (next, failed);
        }
    }

    pub(super) fn send_cancel(&mut self, index: usize) -> CallId {
        let call = self.next_call();
        let operation = self.operations[index].operation.clone();
        self.commands.push(Command::Cancel {
            call,
            operation,
            timeout: schedule::TIMEOUT,
        });
        call
    }

    /// What a cancellation answered is not believed either: the status endpoint is asked.
    pub(super) fn cancel_answered(&mut self, call: CallId, failure: Option<&Failure>) {
        let now = self.now();
        if let Phase::Live(live) = &mut self.phase
            && let Cancel::Sending {
                intent,
                call: expected,
                ..
            } = live.cancel
            && expected == call
        {
            live.cancel = Cancel::Verifying {
                intent,
                failures: 0,
            };
            self.ask_at_once();
            return;
        }
        for tracked in &mut self.operations {
            let Some(withdrawal) = &mut tracked.withdrawal else {
                continue;
            };
            if withdrawal.call.is_none_or(|(expected, _)| expected != call) {
                continue;
            }
            tracked.due = Some(now);
            withdrawal.call = None;
            withdrawal.tries += 1;
            withdrawal.due = now.saturating_add(schedule::retry(withdrawal.tries));
            if failure.is_none() || withdrawal.tries >= MOST_TRIES {
                tracked.withdrawal = None;
            }
        }
    }
}
