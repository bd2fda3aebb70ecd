use super::attempt::AttemptRecord;
use super::returned::ReturnRecord;
use crate::clock::Millis;
use crate::operation::OperationKey;
use payment_model::{
    Amount, PaymentMethodName, Refund, RefundRefusal, RefundType, TransactionId, TransactionState,
    check_refund, remaining_refundable,
};

/// Everything that is given back of one operation, was asked for, or may be under way.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ledger {
    pub(crate) key: OperationKey,
    pub(crate) transaction_id: Option<TransactionId>,
    pub(crate) method: PaymentMethodName,
    pub(crate) state: Option<TransactionState>,
    /// Whether its payment stands.
    pub(crate) paid: bool,
    /// What was paid, in cents.
    pub(crate) amount: u64,
    pub(crate) currency: String,
    /// What was asked for through this server, the oldest first.
    pub(crate) attempts: Vec<AttemptRecord>,
    /// What the service told, in the order in which it was first told. None is ever forgotten:
    /// a list that does not have it any more may be an old one.
    pub(crate) refunds: Vec<RefundRecord>,
    /// What somebody gave back by another way, the oldest first.
    pub(crate) returns: Vec<ReturnRecord>,
    pub(crate) watch: Watch,
}

/// A refund as the service last told it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RefundRecord {
    pub(crate) refund: Refund,
    /// In cents; `None` when the amount cannot be read, and then it may be everything.
    pub(crate) cents: Option<u64>,
    /// Whether it takes from what is left of this operation's transaction.
    pub(crate) counts: bool,
    /// Our attempt, if it is one.
    pub(crate) attempt_id: Option<String>,
    pub(crate) changed_at: Millis,
}

/// When the service's list is looked up though nobody asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Watch {
    pub(crate) due_at: Option<Millis>,
    /// How many looks failed since one succeeded.
    pub(crate) failures: u32,
    /// When a look began whose list was whole.
    pub(crate) whole_at: Option<Millis>,
}

impl Ledger {
    /// What is left to refund, in cents.
    pub(crate) fn left(&self) -> u64 {
        let of_this = self.refunds.iter().filter(|record| record.counts);
        let in_cents: Vec<Refund> = of_this.map(RefundRecord::in_cents).collect();
        let unseen = self
            .attempts
            .iter()
            .filter(|attempt| self.is_unseen(attempt));
        let pending = unseen.map(|attempt| attempt.amount);
        let returned = self.returns.iter().map(|returned| returned.amount);
        let elsewhere = pending.chain(returned).fold(0, u64::saturating_add);
        remaining_refundable(self.amount, &in_cents, elsewhere)
    }

    /// Whether an attempt takes from what is left without standing in the service's list.
    fn is_unseen(&self, attempt: &AttemptRecord) -> bool {
        let registered = attempt.state == staff_model::AttemptState::Registered;
        attempt.is_pending() || (registered && self.refund_of(attempt).is_none())
    }

    /// Checks a refund of so many cents.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub(crate) fn check(&self, kind: &RefundType, asked: u64) -> Result<(), RefundRefusal> {
        let state = self.state.clone().unwrap_or_default();
        check_refund(&state, &self.method, kind, asked, self.amount, self.left())
    }
}

impl RefundRecord {
    /// The refund with its amount as the rule reads it.
    fn in_cents(&self) -> Refund {
        let mut refund = self.refund.clone();
        refund.refund_amount = self.cents.map_or_else(Amount::default, Amount::from_cents);
        refund
    }
}

#[cfg(test)]
mod tests;
