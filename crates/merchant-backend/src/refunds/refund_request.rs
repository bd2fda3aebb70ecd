//! A request of staff for refunds.

use payment_model::{Fields, MerchantCode, RefundType, Timestamp, TransactionId};
use payment_rules::ledger::{Asker, Limits};
use payment_rules::operation::OperationKey;

/// The request of a member of staff, read from the body.
pub(crate) struct RefundWanted {
    pub(crate) asker: Asker,
    pub(crate) fingerprint: String,
    pub(crate) merchant_code: MerchantCode,
    pub(crate) items: Vec<ItemWanted>,
    pub(crate) limits: Limits,
}

/// One refund of it.
pub(crate) struct ItemWanted {
    pub(crate) key: OperationKey,
    pub(crate) transaction_id: Option<TransactionId>,
    pub(crate) kind: RefundType,
    /// `None` when it is not a whole number of cents.
    pub(crate) amount: Option<u64>,
    pub(crate) fields: Fields,
}

/// An item with its existing operation.
pub(super) struct Checked<'a> {
    pub(super) item: &'a ItemWanted,
    pub(super) amount: u64,
    pub(super) transaction_id: TransactionId,
    /// When the look began that proves what it is checked against.
    pub(super) looked_at: Timestamp,
}
