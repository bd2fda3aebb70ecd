use payment_model::{Refund, Timestamp};

/// A refund of the service's last answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RefundRecord {
    pub(crate) refund: Refund,
    /// In cents; `None` when the amount cannot be read, which counts as everything.
    pub(crate) cents: Option<u64>,
    /// True when it reduces the refundable amount of this operation's transaction.
    pub(crate) counts: bool,
    /// Our attempt, if it is one.
    pub(crate) attempt_id: Option<String>,
    pub(crate) changed_at: Timestamp,
}
