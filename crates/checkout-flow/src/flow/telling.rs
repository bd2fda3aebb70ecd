//! What the page around the element is told.

use super::{Flow, Phase};
use crate::{ErrorCode, Notice, OperationRef, ResultNotice, StatusNotice};
use payment_model::{Outcome, Transaction};

impl Flow {
    pub(super) fn end(&mut self, index: usize, previous: Option<Outcome>) {
        self.phase = Phase::Ended { index };
        let front = &self.operations[index];
        if let (Some(outcome), Some(status)) = (front.outcome, self.status_notice(index)) {
            let others = self
                .operations
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index);
            let superseded = others
                .map(|(_, t)| t.operation.merchant_operation_number.clone())
                .collect();
            let (resumed, paid_twice) = (!front.seen_waiting, self.is_paid_twice());
            let result = ResultNotice {
                status,
                outcome,
                previous,
                superseded,
                resumed,
                paid_twice,
            };
            self.tell(Notice::Result(Box::new(result)));
        }
    }

    pub(super) fn fail(
        &mut self,
        code: ErrorCode,
        attempt: Option<crate::Attempt>,
        operation: Option<OperationRef>,
    ) {
        self.phase = Phase::Failed {
            code,
            attempt,
            operation,
        };
        self.tell(Notice::Error(code));
    }

    /// Tells the page the state of the operation in front, and once that it waits.
    pub(super) fn tell_of_front(&mut self) {
        let Some(index) = self.front_index() else {
            return;
        };
        let tracked = &mut self.operations[index];
        let Some(state) = tracked
            .transaction
            .as_ref()
            .map(|transaction: &Transaction| transaction.state.clone())
        else {
            return;
        };
        let shown = tracked.fault.is_none() && state.is_waiting();
        let first = shown && !tracked.pending_told;
        tracked.pending_told |= shown;
        let confirmed = tracked.confirmed;
        let Some(status) = self.status_notice(index) else {
            return;
        };
        if first {
            self.tell(Notice::Pending(status.clone()));
        }
        if confirmed {
            self.tell(Notice::Status(status));
        } else {
            self.tell_of_fault(index);
        }
    }

    pub(super) fn tell_of_fault(&mut self, index: usize) {
        if let Some(code) = self.operations[index].fault {
            self.tell(Notice::Error(code));
        }
    }

    pub(super) fn status_notice(&self, index: usize) -> Option<StatusNotice> {
        let tracked = self.operations.get(index)?;
        let transaction = tracked.transaction.as_ref()?;
        Some(StatusNotice {
            operation: tracked.operation.clone(),
            method: transaction.payment_method.method_name.clone(),
            state: transaction.state.clone(),
            money: crate::tracked::money_of(transaction),
        })
    }
}
