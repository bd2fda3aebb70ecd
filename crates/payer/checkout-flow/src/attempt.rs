use payment_model::{IdempotencyKey, MerchantOperationNumber, PaymentMethodName};
use serde::{Deserialize, Serialize};

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
