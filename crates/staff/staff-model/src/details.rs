use crate::word::kept_words;
use crate::{AuditEntry, Exception, ManualReturn, OperationRow, Payer, RefundAttempt, Reversal};
use payment_model::{Cents, Operation, Refund, Timestamp};
use serde::{Deserialize, Serialize};

/// Everything that the server has stored about an operation: the answer of `GET
/// /staff/operations/{merchant_code}/{merchant_operation_number}`. The server queries the service only for
/// the refunds of a paid operation, when their look-up is due.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OperationDetails {
    /// The operation, as in a list.
    pub row: OperationRow,
    /// The operation from the service's last answer; `null` before the first answer.
    #[serde(default)]
    pub operation: Option<Operation>,
    /// The time of the last query to the service.
    #[serde(default)]
    pub queried_at: Option<Timestamp>,
    /// The reason for which the operation is in doubt or was refused, as a sentence in English.
    #[serde(default)]
    pub trouble: Option<String>,
    /// The order.
    pub order: OrderSummary,
    /// The unresolved exceptions of the operation.
    pub exceptions: Vec<Exception>,
    /// The refunds from the service's last answer.
    pub refunds: Vec<Refund>,
    /// The refunds that were requested through this server, the newest first.
    pub attempts: Vec<RefundAttempt>,
    /// The amount that can still be given back, in cents: the amount minus what was given back, is reserved
    /// or is in doubt. Zero while a reversal may be in progress.
    pub refundable: Cents,
    /// The manual returns.
    pub returns: Vec<ManualReturn>,
    /// The requests to cancel or to reverse the operation, the newest first.
    #[serde(default)]
    pub reversals: Vec<Reversal>,
    /// The acts of staff, the newest first.
    pub audit: Vec<AuditEntry>,
}

kept_words! {
    /// The state of an order.
    pub enum OrderState {
        /// No payment is in force: none was made, or it was reversed.
        Open = "open",
        /// A payment of the whole amount is in force.
        Paid = "paid",
    }
}

/// The order of an operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrderSummary {
    /// The id of the order.
    pub order_id: String,
    /// A short name of the order for people, if the shop gave one.
    #[serde(default)]
    pub label: Option<String>,
    /// The state of the order.
    pub state: OrderState,
    /// True when two operations of the order were ever paid at the same time.
    pub paid_twice: bool,
    /// The payer; `null` if unknown.
    #[serde(default)]
    pub payer: Option<Payer>,
    /// The products, in the sequence of the shop.
    #[serde(default)]
    pub lines: Vec<OrderLine>,
    /// All operations of the order, the oldest first.
    pub operations: Vec<OperationRow>,
}

/// A product of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLine {
    /// The name of the product.
    pub name: String,
    /// The number of pieces.
    pub quantity: u32,
    /// The price of one piece in cents.
    pub unit_price: Cents,
}
