//! The names of operations, attempts and requests.

use payment_model::{
    IdempotencyKey, MerchantCode, MerchantOperationNumber, PaymentMethodName, TransactionId,
};
use serde::{Deserialize, Serialize};

/// The numbers under which the merchant's server knows an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationRef {
    /// The merchant's code at the payment service.
    pub merchant_code: MerchantCode,
    /// The operation's number.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The transaction; absent while the operation is known only from a return token.
    pub transaction_id: Option<TransactionId>,
}

impl OperationRef {
    /// True when both name the same operation.
    #[must_use]
    pub fn is_same_operation(&self, other: &Self) -> bool {
        self.merchant_code == other.merchant_code
            && self.merchant_operation_number == other.merchant_operation_number
    }
}

/// The payer's decision to pay once by one method, which may take several requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The idempotency key of all its requests.
    pub key: IdempotencyKey,
    /// The method.
    pub method: PaymentMethodName,
    /// The live operation of another method that the payer agreed to end for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<MerchantOperationNumber>,
}

/// The id of a request. The flow matches answers to requests by it, and recognizes late answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(pub(crate) u32);
