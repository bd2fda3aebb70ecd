//! Refunds that a program of the shop asks for: the way by which the money goes back, and how far it is.

use super::{AttemptRecord, Ledger, Requester, ReversalRecord};
use payment_model::{PaymentMethodName, RefundState, RefundType, Timestamp, TransactionState};
use serde::Serialize;
use staff_model::{AttemptState, ReversalState};

/// How money goes back to the payer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundWay {
    /// By a refund of the payment service.
    Refund {
        /// Whether the whole payment or a part is refunded.
        kind: RefundType,
        /// In cents.
        amount: u64,
    },
    /// By a reversal of the whole payment, before it is settled.
    Reversal,
}

/// Why no request can give the money back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRefundWay {
    /// No payment of the order is in force, or the named one is not.
    NotPaid,
    /// Several payments are in force, and the request names none.
    SeveralPayments,
    /// More is asked for than these cents, which can still be given back.
    MoreThanIsLeft {
        /// In cents.
        left: u64,
    },
    /// It is not known whether the order is paid, or whether its payment is being given back.
    Unconfirmed,
    /// Staff have to give the money back by other means.
    ByHand(ByHandReason),
}

/// Why staff have to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByHandReason {
    /// The service has no refund for its method, and the payment is settled or a part of it is asked for,
    /// which no reversal gives back.
    MethodNotRefundable,
    /// The payment is not settled, and a reversal gives back the whole amount only, of which a part
    /// is asked for or has gone back.
    NotSettled,
    /// The payment came in cash or by a transfer and is not settled: the merchant did not permit programs to
    /// reverse it, since the specification does not show how that money reaches the payer.
    ReversalNotPermitted,
}

/// How far a refund is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RefundProgress {
    /// The money was given back.
    Made,
    /// The service has the request, or it is on its way.
    Pending,
    /// The outcome is unknown; the amount stays reserved.
    Unknown,
    /// The money was not given back.
    Refused,
    /// The outcome stayed unknown, and staff took it as not given back.
    Released,
}

/// A refund as a program of the shop sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShopRefund {
    /// The id by which the program reads it again.
    pub id: String,
    /// How the money goes back.
    pub way: RefundWay,
    /// In cents.
    pub amount: u64,
    /// How far it is.
    pub progress: RefundProgress,
    /// The reason, in a sentence in English.
    pub detail: String,
    /// When it was asked for; for a reversal, when its last request left.
    pub at: Timestamp,
}

/// True for a payment that does not come from an account to which the service is known to return it.
fn is_cash(method: &PaymentMethodName) -> bool {
    matches!(
        method,
        PaymentMethodName::CashCode | PaymentMethodName::BankTransfer
    )
}

/// What a program reads instead of the reason that staff typed, which may name a person.
const RELEASED: &str = "staff took it as not given back";

impl Ledger {
    /// The way to give this amount back, or everything that is left. One request never gives money back
    /// by two ways. `reverses_cash` permits the reversal of cash codes and transfers.
    ///
    /// # Errors
    /// The reason why no request can.
    pub fn refund_way(
        &self,
        amount: Option<u64>,
        reverses_cash: bool,
    ) -> Result<RefundWay, NoRefundWay> {
        if !self.is_paid() {
            return Err(NoRefundWay::NotPaid);
        }
        if self.pending_reversal().is_some() || self.is_disputed() {
            return Err(NoRefundWay::Unconfirmed);
        }
        let left = self.left();
        let amount = amount.unwrap_or(left);
        if amount == 0 || amount > left {
            return Err(NoRefundWay::MoreThanIsLeft { left });
        }
        let is_whole = amount == self.amount && self.balance().is_untouched();
        match (&self.state, is_whole) {
            (Some(TransactionState::Settled), _) if !self.method.is_refundable() => {
                Err(NoRefundWay::ByHand(ByHandReason::MethodNotRefundable))
            }
            (Some(TransactionState::Settled), true) => Ok(RefundWay::Refund {
                kind: RefundType::Total,
                amount,
            }),
            (Some(TransactionState::Settled), false) => Ok(RefundWay::Refund {
                kind: RefundType::Partial,
                amount,
            }),
            _ if !reverses_cash && is_cash(&self.method) => {
                Err(NoRefundWay::ByHand(ByHandReason::ReversalNotPermitted))
            }
            (_, true) => Ok(RefundWay::Reversal),
            // To wait would help only a payment that the service refunds once it is settled.
            (_, false) => Err(NoRefundWay::ByHand(match self.method.is_refundable() {
                true => ByHandReason::NotSettled,
                false => ByHandReason::MethodNotRefundable,
            })),
        }
    }

    /// The refund that this request began earlier, if it reserved anything.
    pub fn shop_refund_of(&self, requester: &Requester) -> Option<ShopRefund> {
        let mut attempts = self.attempts.iter().rev();
        let attempt = attempts.find(|attempt| attempt.requester == *requester);
        // Only the programs of the operation's store give a key. The member of staff is the last one who
        // repeated the request, and says nothing about who began it.
        let asked = |reversal: &&ReversalRecord| reversal.key.as_ref() == Some(&requester.key);
        let reversal = || self.reversals.iter().rev().find(asked);
        match attempt {
            Some(attempt) => Some(self.shop_refund_by_attempt(attempt)),
            None => reversal().map(shop_refund_by_reversal),
        }
    }

    /// The refund with this id, whoever asked for it.
    pub fn shop_refund(&self, id: &str) -> Option<ShopRefund> {
        let attempt = self.attempts.iter().find(|attempt| attempt.id == id);
        match attempt {
            Some(attempt) => Some(self.shop_refund_by_attempt(attempt)),
            None => self.reversal(id).map(shop_refund_by_reversal),
        }
    }

    fn shop_refund_by_attempt(&self, attempt: &AttemptRecord) -> ShopRefund {
        let listed = self.refund_of(attempt).map(|record| &record.refund.state);
        let progress = match (attempt.state, listed) {
            (_, Some(RefundState::Resolved)) => RefundProgress::Made,
            (_, Some(RefundState::Rejected)) => RefundProgress::Refused,
            (_, Some(RefundState::Unknown(_))) => RefundProgress::Unknown,
            (_, Some(_)) => RefundProgress::Pending,
            (AttemptState::Sending | AttemptState::Registered, None) => RefundProgress::Pending,
            (AttemptState::Refused, None) => RefundProgress::Refused,
            (AttemptState::Released, None) => RefundProgress::Released,
            (AttemptState::InDoubt | AttemptState::Unknown, None) => RefundProgress::Unknown,
        };
        ShopRefund {
            id: attempt.id.clone(),
            way: RefundWay::Refund {
                kind: attempt.kind.clone(),
                amount: attempt.amount,
            },
            amount: attempt.amount,
            progress,
            detail: match attempt.state {
                AttemptState::Released => RELEASED.to_owned(),
                _ => attempt.detail.clone(),
            },
            at: attempt.requested_at,
        }
    }
}

fn shop_refund_by_reversal(reversal: &ReversalRecord) -> ShopRefund {
    ShopRefund {
        id: reversal.id.clone(),
        way: RefundWay::Reversal,
        amount: reversal.amount,
        progress: match reversal.state {
            ReversalState::Sending => RefundProgress::Pending,
            ReversalState::Done => RefundProgress::Made,
            ReversalState::NotDone => RefundProgress::Refused,
            ReversalState::Released => RefundProgress::Released,
            ReversalState::InDoubt | ReversalState::Unknown => RefundProgress::Unknown,
        },
        detail: match reversal.state {
            ReversalState::Released => RELEASED.to_owned(),
            _ => reversal.detail.clone(),
        },
        at: reversal.begun_at,
    }
}

#[cfg(test)]
mod tests;
