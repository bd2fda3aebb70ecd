//! Reports changes to the page around the element.

use super::offer::money_of;
use super::operations::Slot;
use super::{Flow, Phase};
use crate::failure::ErrorCode;
use crate::notice::{Action, Notice, ResultNotice, StatusNotice};
use crate::operation_ref::Attempt;
use payment_model::{PaymentMethodName, ProblemMoney};

impl Flow {
    /// Puts an operation that ended in front.
    pub(super) fn end(&mut self, slot: Slot) {
        self.phase = Phase::Ended { slot };
        self.check.ended();
        self.report_result(slot);
    }

    /// Reports to the page how an operation ended, once for each outcome.
    pub(super) fn report_result(&mut self, slot: Slot) {
        let tracked = &self.operations[slot];
        let (Some(outcome), Some(status)) = (tracked.outcome, self.status_notice(slot)) else {
            return;
        };
        if tracked.reported.outcome == Some(outcome) {
            return;
        }
        let superseded = self
            .operations
            .others(Some(slot))
            .map(|other| other.operation.merchant_operation_number.clone())
            .collect();
        let result = ResultNotice {
            status,
            outcome,
            previous: tracked.reported.outcome,
            superseded,
            resumed: !tracked.seen_waiting,
            paid_twice: self.is_paid_twice(),
        };
        self.operations[slot].reported.outcome = Some(outcome);
        self.report(Notice::Result(Box::new(result)));
    }

    pub(super) fn fail(
        &mut self,
        code: ErrorCode,
        money: ProblemMoney,
        attempt: Option<Attempt>,
        operation: Option<Slot>,
    ) {
        self.phase = Phase::Failed {
            code,
            money,
            attempt,
            operation,
        };
        self.report(Notice::Error(code));
    }

    /// Reports to the page that the operation in front waits and can be shown, once for each operation.
    pub(super) fn report_pending(&mut self) {
        let Some(slot) = self.live().map(|live| live.slot) else {
            return;
        };
        let tracked = &mut self.operations[slot];
        let shown = tracked.offer.fault.is_none() && tracked.new_code_from.is_none();
        if tracked.reported.pending || !shown || !tracked.is_waiting() {
            return;
        }
        tracked.reported.pending = true;
        if let Some(status) = self.status_notice(slot) {
            self.report(Notice::Pending(status));
        }
    }

    /// Reports a press that had an effect, and the method concerned.
    pub(super) fn report_action(&mut self, action: Action, method: Option<PaymentMethodName>) {
        self.report(Notice::Action { action, method });
    }

    pub(super) fn report_state(&mut self, slot: Slot) {
        if let Some(status) = self.status_notice(slot) {
            self.report(Notice::Status(status));
        }
    }

    pub(super) fn report_fault(&mut self, slot: Slot) {
        if let Some(code) = self.operations[slot].offer.fault {
            self.report(Notice::Error(code));
        }
    }

    fn status_notice(&self, slot: Slot) -> Option<StatusNotice> {
        let tracked = &self.operations[slot];
        let transaction = tracked.transaction.as_ref()?;
        Some(StatusNotice {
            operation: tracked.operation.clone(),
            method: transaction.payment_method.method_name.clone(),
            state: transaction.state.clone(),
            money: money_of(transaction),
        })
    }
}
