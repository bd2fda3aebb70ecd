use payment_model::{Refund, Timestamp};

/// A refund as the service last told it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RefundRecord {
    pub(crate) refund: Refund,
    /// In cents; `None` when the amount cannot be read, and then it may be everything.
    pub(crate) cents: Option<u64>,
    /// True when it takes from what is left of this operation's transaction.
    pub(crate) counts: bool,
    /// Our attempt, if it is one.
    pub(crate) attempt_id: Option<String>,
    pub(crate) changed_at: Timestamp,
}
