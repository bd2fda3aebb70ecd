use crate::limits::Beyond;
use payment_model::TransactionState;
use std::fmt;

/// A change of a charge after its registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The payer pays in time.
    Pay,
    /// A payment arrives after the charge has ended without one.
    PayLate,
    /// The processor or the payer declines.
    Decline,
    /// The time to pay passes.
    Expire,
    /// The service rejects the charge.
    Invalidate,
    /// The money is being transferred to the merchant.
    Settle,
    /// The processor gives the payment back.
    Reverse,
    /// The merchant cancels the charge, or reverses it if it is paid.
    Cancel,
}

impl Step {
    #[cfg(test)]
    const ALL: [Self; 8] = [
        Self::Pay,
        Self::PayLate,
        Self::Decline,
        Self::Expire,
        Self::Invalidate,
        Self::Settle,
        Self::Reverse,
        Self::Cancel,
    ];

    /// The state after the step.
    ///
    /// # Errors
    /// The state `from` does not allow the step.
    pub(crate) fn leads(self, from: &TransactionState) -> Result<TransactionState, Refusal> {
        use TransactionState as S;
        let to = match (self, from) {
            (Self::Pay, S::Pending) | (Self::PayLate, S::Declined | S::Cancelled | S::Expired) => {
                S::Authorized
            }
            (Self::Decline, S::Pending) => S::Declined,
            (Self::Expire, S::Pending) => S::Expired,
            (Self::Invalidate, S::Registered | S::Pending) => S::Invalid,
            (Self::Settle, S::Authorized) => S::Settled,
            (Self::Reverse, S::Authorized | S::Settled) => S::Reversed,
            (Self::Cancel, S::Registered | S::Pending | S::Authorized) => S::Cancelled,
            _ => {
                return Err(Refusal::State {
                    step: self,
                    from: from.clone(),
                });
            }
        };
        Ok(to)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pay => "pay",
            Self::PayLate => "pay late",
            Self::Decline => "decline",
            Self::Expire => "expire",
            Self::Invalidate => "invalidate",
            Self::Settle => "settle",
            Self::Reverse => "reverse",
            Self::Cancel => "cancel",
        }
    }

    /// The states that allow the step.
    fn starts(self) -> Vec<&'static str> {
        TransactionState::KNOWN
            .iter()
            .filter(|state| self.leads(state).is_ok())
            .map(TransactionState::as_str)
            .collect()
    }
}

/// A step that is not possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The state of the charge does not allow it.
    State { step: Step, from: TransactionState },
    /// The payer's side does not take the amount.
    Limits(Beyond),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::State { step, from } => {
                let (step, starts) = (step.name(), step.starts().join(", "));
                write!(
                    f,
                    "\"{step}\" is not possible: the operation is {from}, it must be {starts}"
                )
            }
            Self::Limits(beyond) => write!(f, "\"pay\" is not possible: {beyond}"),
        }
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::Step;
    use payment_model::TransactionState;

    #[test]
    fn each_step_leads_out_of_exactly_these_states() {
        let expected = [
            (Step::Pay, "PENDIENTE", "AUTORIZADO"),
            (Step::PayLate, "DENEGADO", "AUTORIZADO"),
            (Step::PayLate, "CANCELADO", "AUTORIZADO"),
            (Step::PayLate, "EXPIRADO", "AUTORIZADO"),
            (Step::Decline, "PENDIENTE", "DENEGADO"),
            (Step::Expire, "PENDIENTE", "EXPIRADO"),
            (Step::Invalidate, "REGISTRADO", "INVALIDO"),
            (Step::Invalidate, "PENDIENTE", "INVALIDO"),
            (Step::Settle, "AUTORIZADO", "LIQUIDADO"),
            (Step::Reverse, "AUTORIZADO", "EXTORNADO"),
            (Step::Reverse, "LIQUIDADO", "EXTORNADO"),
            (Step::Cancel, "REGISTRADO", "CANCELADO"),
            (Step::Cancel, "PENDIENTE", "CANCELADO"),
            (Step::Cancel, "AUTORIZADO", "CANCELADO"),
        ];
        let mut states = TransactionState::KNOWN.to_vec();
        states.push(TransactionState::from("NUEVO"));
        for step in Step::ALL {
            for from in &states {
                let to = expected
                    .iter()
                    .find(|(s, f, _)| *s == step && *f == from.as_str())
                    .map(|(_, _, to)| TransactionState::from(*to));
                assert_eq!(step.leads(from).ok(), to, "{step:?} out of {from}");
            }
        }
    }

    #[test]
    fn a_refusal_says_what_would_have_been_possible() {
        let refusal = Step::Pay.leads(&TransactionState::Expired).unwrap_err();
        let expected = "\"pay\" is not possible: the operation is EXPIRADO, it must be PENDIENTE";
        assert_eq!(refusal.to_string(), expected);
    }
}
