use crate::charge::{Charge, Key};
use crate::random::{self, NoRandomness};
use payment_model::{
    DateObject, PaymentMethodName, Refund, RefundId, RefundItem, RefundLifecycleEntry,
    RefundMethod, RefundRefusal, RefundState, Timestamp, check_refund, remaining_refundable,
};

/// A stored refund.
#[derive(Debug, Clone)]
pub(crate) struct KeptRefund {
    pub(crate) key: Key,
    pub(crate) refund: Refund,
}

/// A change of a refund after its registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefundStep {
    Process,
    Resolve,
    Reject,
}

impl RefundStep {
    /// The state after the step; `None` if the state `from` does not allow it.
    fn leads(self, from: &RefundState) -> Option<RefundState> {
        match (self, from) {
            (Self::Process, RefundState::Registered) => Some(RefundState::InProcess),
            (Self::Resolve, RefundState::Registered | RefundState::InProcess) => {
                Some(RefundState::Resolved)
            }
            (Self::Reject, RefundState::Registered | RefundState::InProcess) => {
                Some(RefundState::Rejected)
            }
            _ => None,
        }
    }
}

impl KeptRefund {
    /// Checks and creates a refund, without storing it. `earlier` are the refunds of the same operation,
    /// including those of the same request.
    ///
    /// # Errors
    /// The inner error is a broken rule, the outer one a lack of random bytes.
    pub(crate) fn register<'a>(
        charge: &Charge,
        item: &RefundItem,
        earlier: impl Iterator<Item = &'a Refund>,
        now: Timestamp,
    ) -> Result<Result<Self, RefundRefusal>, NoRandomness> {
        let amount = charge.asked.amount.cents().unwrap_or_default();
        let asked = item.refund_amount.cents().unwrap_or_default();
        let left = remaining_refundable(amount, earlier, 0);
        let method = &charge.asked.method;
        if let Err(refusal) = check_refund(&charge.state, method, &item.kind, asked, amount, left) {
            return Ok(Err(refusal));
        }
        let mut refund = Refund {
            refund_id: RefundId::new(random::token()?),
            state: RefundState::Registered,
            refund_reason: String::new(),
            kind: item.kind.clone(),
            merchant_operation_number: charge.asked.key.number.clone(),
            transaction_id: charge.transaction_id.clone(),
            refund_amount: item.refund_amount.clone(),
            transaction_amount: charge.asked.amount.clone(),
            currency: charge.asked.currency.clone(),
            additional_fields: item.additional_fields.clone(),
            payment_method: paid_with(method),
            lifecycle: Vec::new(),
        };
        enter(&mut refund, RefundState::Registered, now);
        Ok(Ok(Self {
            key: charge.asked.key.clone(),
            refund,
        }))
    }

    /// Carries a step out; `false` if the state does not allow it.
    pub(crate) fn apply(&mut self, step: RefundStep, now: Timestamp) -> bool {
        match step.leads(&self.refund.state) {
            Some(state) => {
                enter(&mut self.refund, state, now);
                true
            }
            None => false,
        }
    }
}

fn enter(refund: &mut Refund, state: RefundState, now: Timestamp) {
    refund.refund_reason = match state {
        RefundState::Registered => "Devolución registrada",
        RefundState::InProcess => "Devolución en proceso",
        RefundState::Resolved => "Devolución realizada",
        RefundState::Rejected => "Devolución rechazada por el procesador",
        RefundState::Unknown(_) => "",
    }
    .to_owned();
    refund.lifecycle.push(RefundLifecycleEntry {
        state: state.clone(),
        date: DateObject::from_timestamp(now),
    });
    refund.state = state;
}

fn paid_with(method: &PaymentMethodName) -> RefundMethod {
    let card = *method == PaymentMethodName::Card;
    RefundMethod {
        name: method.clone(),
        brand: if card { "TEST" } else { "" }.to_owned(),
        masked_pan: if card { "411111******1111" } else { "" }.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::RefundStep;
    use payment_model::RefundState;

    #[test]
    fn a_refund_ends_once() {
        let expected = [
            (RefundStep::Process, "REGISTERED", "IN_PROCESS"),
            (RefundStep::Resolve, "REGISTERED", "RESOLVED"),
            (RefundStep::Resolve, "IN_PROCESS", "RESOLVED"),
            (RefundStep::Reject, "REGISTERED", "REJECTED"),
            (RefundStep::Reject, "IN_PROCESS", "REJECTED"),
        ];
        for step in [RefundStep::Process, RefundStep::Resolve, RefundStep::Reject] {
            for from in RefundState::KNOWN {
                let to = expected
                    .iter()
                    .find(|(s, f, _)| *s == step && *f == from.as_str())
                    .map(|(_, _, to)| RefundState::from(*to));
                assert_eq!(step.leads(from), to, "{step:?} out of {from}");
            }
        }
    }
}
