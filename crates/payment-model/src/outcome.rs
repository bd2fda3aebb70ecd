use crate::TransactionState;
use serde::{Deserialize, Serialize};

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
