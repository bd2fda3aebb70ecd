use payment_model::{IdempotencyKey, PaymentMethodName};
use serde::{Deserialize, Serialize};

/// The payer's decision to pay once by one method, which may take several requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The key of every request of it.
    pub key: IdempotencyKey,
    /// The method.
    pub method: PaymentMethodName,
}
