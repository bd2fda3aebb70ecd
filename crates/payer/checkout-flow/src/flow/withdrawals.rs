//! Cancels operations that must not be paid any more, since another one was paid.

use super::Flow;
use crate::event::CallId;
use crate::failure::Failure;
use crate::schedule;
use crate::time::FlowTime;
use crate::tracked_operation::Knowledge;
use crate::tracked_operations::Slot;
use crate::withdrawal::Withdrawal;

impl Flow {
    /// Begins to withdraw an operation that has not ended. `call` is its cancellation, if one was sent already.
    pub(super) fn withdraw(&mut self, slot: Slot, call: Option<(CallId, FlowTime)>) {
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
            let call = self.send_cancel(slot);
            if let Some(withdrawal) = &mut self.operations[slot].withdrawal {
                withdrawal.call = Some((call, now.saturating_add(schedule::CANCEL_LOST)));
            }
        } else {
            // An operation in an unknown state may be paid, so the flow does not cancel it now.
            withdrawal.due = now.saturating_add(schedule::withdrawal(u32::MAX));
        }
    }

    pub(super) fn withdrawal_answered(&mut self, call: CallId, failure: Option<&Failure>) {
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
