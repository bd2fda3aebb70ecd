use payment_model::{Refund, Timestamp};

/// A refund of the service's last answer.
#[derive(Debug, Clone, PartialEq)]
pub struct RefundRecord {
    pub refund: Refund,
    /// In cents; `None` when the amount cannot be read, which counts as everything.
    pub cents: Option<u64>,
    /// True when it reduces the refundable amount of this operation's transaction.
    pub counts: bool,
    /// Our attempt, if it is one.
    pub attempt_id: Option<String>,
    pub changed_at: Timestamp,
}
