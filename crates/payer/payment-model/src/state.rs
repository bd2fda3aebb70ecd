use crate::words::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// The state of a transaction and of its operation (States and transitions).
    pub enum TransactionState as "'REGISTRADO' | 'PENDIENTE' | 'INVALIDO' | 'AUTORIZADO' | 'DENEGADO' | 'CANCELADO' | 'EXPIRADO' | 'LIQUIDADO' | 'EXTORNADO' | (string & {})" {
        /// The service has accepted the request, but not started to process it.
        Registered = "REGISTRADO",
        /// The service waits for the payer. This is never a payment, whatever else the answer contains.
        Pending = "PENDIENTE",
        /// Rejected at creation.
        Invalid = "INVALIDO",
        /// Paid.
        Authorized = "AUTORIZADO",
        /// Declined by the processor.
        Declined = "DENEGADO",
        /// Cancelled. A transaction with a paid state in its lifecycle was reversed.
        Cancelled = "CANCELADO",
        /// The time to pay has passed.
        Expired = "EXPIRADO",
        /// Paid, and the money is being transferred to the merchant.
        Settled = "LIQUIDADO",
        /// Paid, then given back.
        Reversed = "EXTORNADO",
    }
}

impl TransactionState {
    /// True for the states that prove a payment: authorized and settled.
    #[must_use]
    pub fn is_paid(&self) -> bool {
        matches!(self, Self::Authorized | Self::Settled)
    }

    /// True while the service still waits for the payer.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        matches!(self, Self::Registered | Self::Pending)
    }

    /// True when the transaction no longer waits. A final state can still change (to settled, reversed or
    /// paid late), but never back to waiting. An unknown state is not final.
    #[must_use]
    pub fn is_final(&self) -> bool {
        !self.is_waiting() && !matches!(self, Self::Unknown(_))
    }
}

/// The result of a payment, as pages and payers see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Authorized or settled.
    Paid,
    /// Declined by the processor.
    Declined,
    /// Rejected at creation.
    Invalid,
    /// Cancelled before it was paid.
    Cancelled,
    /// The time to pay has passed.
    Expired,
    /// Paid, then given back.
    Reversed,
}

impl Outcome {
    /// The word in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Declined => "declined",
            Self::Invalid => "invalid",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Reversed => "reversed",
        }
    }

    /// The outcome of a state; `None` for a waiting or an unknown state.
    /// [`Transaction::outcome`](crate::Transaction::outcome) also considers the lifecycle.
    #[must_use]
    pub fn of_state(state: &TransactionState) -> Option<Self> {
        match state {
            TransactionState::Authorized | TransactionState::Settled => Some(Self::Paid),
            TransactionState::Declined => Some(Self::Declined),
            TransactionState::Invalid => Some(Self::Invalid),
            TransactionState::Cancelled => Some(Self::Cancelled),
            TransactionState::Expired => Some(Self::Expired),
            TransactionState::Reversed => Some(Self::Reversed),
            TransactionState::Registered
            | TransactionState::Pending
            | TransactionState::Unknown(_) => None,
        }
    }

    /// True when this outcome can change to `next`: an unpaid one to paid or reversed, and paid to
    /// reversed.
    #[must_use]
    pub fn may_become(self, next: Self) -> bool {
        match self {
            Self::Paid => next == Self::Reversed,
            Self::Reversed => false,
            Self::Declined | Self::Invalid | Self::Cancelled | Self::Expired => {
                matches!(next, Self::Paid | Self::Reversed)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TransactionState;

    #[test]
    fn each_state_is_waiting_or_final_and_two_are_paid() {
        let list = |test: fn(&TransactionState) -> bool| {
            TransactionState::KNOWN
                .iter()
                .filter(|s| test(s))
                .map(TransactionState::as_str)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            list(TransactionState::is_waiting),
            ["REGISTRADO", "PENDIENTE"]
        );
        assert_eq!(list(TransactionState::is_paid), ["AUTORIZADO", "LIQUIDADO"]);
        assert_eq!(list(TransactionState::is_final).len(), 7);
        let unknown = TransactionState::from("NUEVO");
        assert!(!unknown.is_final() && !unknown.is_paid() && !unknown.is_waiting());
    }
}
