use crate::word::kept_words;
use crate::{
    AuditEntry, Exception, ManualReturn, OperationRow, OrderLine, Payer, RefundAttempt, Reversal,
};
use payment_model::{Cents, Operation, Refund, Timestamp};
use serde::{Deserialize, Serialize};

/// Everything the merchant's server has about one operation: the answer of `GET
/// /staff/operations/{merchant_code}/{merchant_operation_number}`. The server asks the service
/// nothing for it, except for the refunds of a paid operation when their look-up is due.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OperationDetails {
    /// The operation as in a list.
    pub row: OperationRow,
    /// The operation in the service's last answer; `null` without one.
    #[serde(default)]
    pub operation: Option<Operation>,
    /// When the service was last asked.
    #[serde(default)]
    pub queried_at: Option<Timestamp>,
    /// Why it is in doubt or was refused, in a sentence in English.
    #[serde(default)]
    pub trouble: Option<String>,
    /// The order.
    pub order: OrderSummary,
    /// The unresolved exceptions.
    pub exceptions: Vec<Exception>,
    /// The refunds of the service's last answer.
    pub refunds: Vec<Refund>,
    /// The refunds that were asked for through this server, the newest first.
    pub attempts: Vec<RefundAttempt>,
    /// The cents that can still be given back: the amount less all that is given back, reserved, or
    /// in doubt; zero while a reversal may be under way.
    pub refundable: Cents,
    /// Money given back outside of the service.
    pub returns: Vec<ManualReturn>,
    /// Requests to cancel or to reverse it, the newest first.
    #[serde(default)]
    pub reversals: Vec<Reversal>,
    /// The acts of staff, the newest first.
    pub audit: Vec<AuditEntry>,
}

kept_words! {
    /// The state of an order.
    pub enum OrderState {
        /// To be paid, also after a reversal.
        Open = "open",
        /// A payment of the whole amount is in force.
        Paid = "paid",
    }
}

/// The order of an operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrderSummary {
    /// Its id.
    pub order_id: String,
    /// Its short name for people, if the shop gave one.
    #[serde(default)]
    pub label: Option<String>,
    /// Its state.
    pub state: OrderState,
    /// True when two operations of it were ever paid at once.
    pub paid_twice: bool,
    /// Who pays it; `null` when nobody is known.
    #[serde(default)]
    pub payer: Option<Payer>,
    /// What is bought, in the order of the shop.
    #[serde(default)]
    pub lines: Vec<OrderLine>,
    /// Every operation of it, the oldest first.
    pub operations: Vec<OperationRow>,
}
