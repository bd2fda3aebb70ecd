use crate::{PaymentMethodName, Refund, RefundType, TransactionState};
use std::fmt;

/// Why a refund may not be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundRefusal {
    /// The transaction is not settled.
    NotSettled,
    /// The service does not refund this method.
    MethodNotRefundable,
    /// The amount is zero.
    NothingAskedFor,
    /// More than what is left.
    MoreThanIsLeft {
        /// The amount that is left, in cents.
        left: u64,
    },
    /// A total refund where a part was refunded already, or of another amount than the whole.
    NotTheWhole,
    /// Neither `TOTAL` nor `PARTIAL`.
    UnknownType,
}

impl fmt::Display for RefundRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSettled => f.write_str("only a transaction in LIQUIDADO can be refunded"),
            Self::MethodNotRefundable => {
                f.write_str("only CARD, WALLET and INSTALLMENT can be refunded")
            }
            Self::NothingAskedFor => f.write_str("refund_amount must be more than zero"),
            Self::MoreThanIsLeft { left } => write!(
                f,
                "refund_amount is more than the {left} cents left to refund"
            ),
            Self::NotTheWhole => {
                f.write_str("a TOTAL refund must be of the whole amount; use PARTIAL for the rest")
            }
            Self::UnknownType => f.write_str("type must be TOTAL or PARTIAL"),
        }
    }
}

impl std::error::Error for RefundRefusal {}

/// The amount that is left to refund of a transaction, in cents: its `amount` less every refund
/// that was not rejected and less `in_doubt`, the cents of attempts whose outcome nobody knows.
///
/// `refunds` are those of this transaction alone; an operation's list may name others. A refund
/// whose amount is not a whole number of cents counts as everything.
#[must_use]
pub fn remaining_refundable<'a>(
    amount: u64,
    refunds: impl IntoIterator<Item = &'a Refund>,
    in_doubt: u64,
) -> u64 {
    let reserved = |refund: &Refund| refund.refund_amount.cents().unwrap_or(u64::MAX);
    refunds
        .into_iter()
        .filter(|refund| refund.state.reserves_its_amount())
        .fold(amount.saturating_sub(in_doubt), |left, refund| {
            left.saturating_sub(reserved(refund))
        })
}

/// Checks a refund before it is requested: `asked` of a transaction of `amount`, with `left` from
/// [`remaining_refundable`]; all in cents.
///
/// State, method and the two types are rules of the specification (States and transitions,
/// refunds). The others are ours, because it shows none: more than zero, no more than is left, and
/// `TOTAL` only of a whole of which nothing was refunded.
///
/// # Errors
/// The first rule that it breaks.
pub fn check_refund(
    state: &TransactionState,
    method: &PaymentMethodName,
    kind: &RefundType,
    asked: u64,
    amount: u64,
    left: u64,
) -> Result<(), RefundRefusal> {
    if *state != TransactionState::Settled {
        return Err(RefundRefusal::NotSettled);
    }
    if !method.is_refundable() {
        return Err(RefundRefusal::MethodNotRefundable);
    }
    if asked == 0 {
        return Err(RefundRefusal::NothingAskedFor);
    }
    let left = left.min(amount);
    match kind {
        RefundType::Total if asked != amount || left != amount => Err(RefundRefusal::NotTheWhole),
        RefundType::Total | RefundType::Partial if asked > left => {
            Err(RefundRefusal::MoreThanIsLeft { left })
        }
        RefundType::Total | RefundType::Partial => Ok(()),
        RefundType::Unknown(_) => Err(RefundRefusal::UnknownType),
    }
}
