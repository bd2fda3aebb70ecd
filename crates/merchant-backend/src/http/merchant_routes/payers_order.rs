use payment_model::{
    DateObject, MerchantCode, MerchantOperationNumber, Outcome, PaymentMethodName, TransactionId,
    TransactionState,
};
use payment_rules::operation::OperationRecord;
use payment_rules::order::{OrderFacts, OrderItem, OrderState};
use serde::Serialize;

/// An order as its payer may see it.
#[derive(Debug, Clone)]
pub struct PayersOrder {
    /// Its id.
    pub order_id: String,
    /// Its short name for people, if it has one.
    pub label: Option<String>,
    /// Its state: open or paid.
    pub state: OrderState,
    /// True when two operations of it were ever paid at once.
    pub paid_twice: bool,
    /// The amount in cents.
    pub amount: u64,
    /// The currency.
    pub currency: String,
    /// The name of the store that sells; `None` when it is not there any more.
    pub merchant_name: Option<String>,
    /// When it was registered.
    pub created_at: DateObject,
    /// The products.
    pub items: Vec<OrderItem>,
    /// Every attempt to pay it.
    pub operations: Vec<OrderOperation>,
}

/// An attempt to pay an order, in the words of the contract.
#[derive(Debug, Clone, Serialize)]
pub struct OrderOperation {
    /// The merchant code that it was sent with.
    pub merchant_code: MerchantCode,
    /// Its number.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The service's id of the transaction, once known.
    pub transaction_id: Option<TransactionId>,
    /// How it is paid.
    pub method_name: PaymentMethodName,
    /// The state in the service's last answer.
    pub state: Option<TransactionState>,
    /// How it ended; `None` while that is not known.
    pub outcome: Option<Outcome>,
    /// How much is known of it.
    pub phase: &'static str,
    /// True for the current operation of the order.
    pub live: bool,
    /// True when the service's answer had another amount, currency or number.
    pub mismatch: bool,
    /// When it began.
    pub created_at: DateObject,
}

impl PayersOrder {
    pub(super) fn new(
        order: OrderFacts,
        merchant_name: Option<String>,
        operations: &[OperationRecord],
    ) -> Self {
        Self {
            created_at: DateObject::from_timestamp(order.created_at),
            order_id: order.order_id,
            label: order.label,
            state: order.state,
            paid_twice: order.paid_twice,
            amount: order.amount,
            currency: order.currency,
            merchant_name,
            items: order.items,
            operations: operations.iter().map(OrderOperation::of).collect(),
        }
    }
}

impl OrderOperation {
    fn of(record: &OperationRecord) -> Self {
        Self {
            merchant_code: record.key.merchant_code.clone(),
            merchant_operation_number: record.key.number.clone(),
            transaction_id: record.transaction_id().cloned(),
            method_name: record.method.clone(),
            state: record.state().cloned(),
            outcome: record.outcome(),
            phase: record.phase.as_str(),
            live: record.live,
            mismatch: record.mismatch.is_some(),
            created_at: DateObject::from_timestamp(record.created_at),
        }
    }
}
