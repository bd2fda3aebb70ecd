//! The payer chose another method than that of the order's live operation. The flow asks before that operation
//! ends: its code may be open in another tab or on another device, and may be paid at this moment.

use super::{Flow, Phase};
use crate::notice::Action;
use crate::operation_ref::{Attempt, OperationRef};
use payment_model::PaymentMethodName;

impl Flow {
    /// The server authorized nothing, since this operation can still be paid, so the key of the attempt stays
    /// unused. Meanwhile the flow asks about the operation, so that a payment is shown at once.
    pub(super) fn ask_to_replace(
        &mut self,
        attempt: Attempt,
        may_have_begun: bool,
        operation: OperationRef,
        method: PaymentMethodName,
    ) {
        let slot = self.ask_about_named(operation);
        self.phase = Phase::AskingToReplace {
            attempt,
            may_have_begun,
            slot,
            method,
        };
    }

    /// The payer wants to see the live operation. The attempt is over.
    pub(super) fn show_live(&mut self) {
        let Phase::AskingToReplace { slot, method, .. } = self.phase.clone() else {
            return;
        };
        let operation = self.operations[slot].operation.clone();
        self.bring_named_to_front(operation);
        self.report_action(Action::LiveShown, Some(method));
    }

    /// The payer agrees that the live operation ends. The same attempt goes on, and names that operation.
    pub(super) fn replace(&mut self) {
        let Phase::AskingToReplace {
            attempt,
            may_have_begun,
            slot,
            method,
        } = self.phase.clone()
        else {
            return;
        };
        let number = &self.operations[slot].operation.merchant_operation_number;
        let replaces = Some(number.clone());
        let attempt = Attempt {
            replaces,
            ..attempt
        };
        self.authorize(attempt, may_have_begun);
        self.report_action(Action::LiveReplaced, Some(method));
    }
}
