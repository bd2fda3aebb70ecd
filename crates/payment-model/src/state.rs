use crate::words::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// The state of a transaction, and of the operation around it (States and transitions).
    pub enum TransactionState as "'REGISTRADO' | 'PENDIENTE' | 'INVALIDO' | 'AUTORIZADO' | 'DENEGADO' | 'CANCELADO' | 'EXPIRADO' | 'LIQUIDADO' | 'EXTORNADO' | (string & {})" {
        /// The service has taken the request and not started on it.
        Registered = "REGISTRADO",
        /// Waiting for the payer; never a payment, whatever else the answer says.
        Pending = "PENDIENTE",
        /// Rejected at creation.
        Invalid = "INVALIDO",
        /// Paid.
        Authorized = "AUTORIZADO",
        /// The processor said no.
        Declined = "DENEGADO",
        /// Cancelled; with a paid state in its lifecycle it was reversed.
        Cancelled = "CANCELADO",
        /// The time to pay has passed.
        Expired = "EXPIRADO",
        /// Paid, and the money is on its way to the merchant.
        Settled = "LIQUIDADO",
        /// Paid, and given back.
        Reversed = "EXTORNADO",
    }
}

impl TransactionState {
    /// True when the payer's money arrived: authorized or settled.
    #[must_use]
    pub fn is_paid(&self) -> bool {
        matches!(self, Self::Authorized | Self::Settled)
    }

    /// True while the service still waits for the payer.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        matches!(self, Self::Registered | Self::Pending)
    }

    /// True when the payment has ended. A final state can still be corrected (settled, reversed,
    /// paid late), but never goes back to waiting. An unknown state is not final.
    #[must_use]
    pub fn is_final(&self) -> bool {
        !self.is_waiting() && !matches!(self, Self::Unknown(_))
    }
}

/// How a payment ended, in the words that payers and pages are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The money arrived.
    Paid,
    /// The processor said no.
    Declined,
    /// Rejected at creation.
    Invalid,
    /// Cancelled before it was paid.
    Cancelled,
    /// The time to pay passed.
    Expired,
    /// Paid and given back.
    Reversed,
}

impl Outcome {
    /// Its word.
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

    /// The outcome of a state by itself; `None` for a waiting and for an unknown one. A
    /// transaction's lifecycle can say more: see [`crate::Transaction::outcome`].
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

    /// True when a result may be followed by this other one: unpaid may become paid, paid may
    /// become reversed, and nothing else changes.
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
