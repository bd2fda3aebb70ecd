use crate::lenient::{absent, null_is_default};
use crate::{
    Amount, Currency, DateObject, MerchantOperationNumber, Transaction, TransactionId,
    TransactionState,
};
use serde::{Deserialize, Serialize};

/// One attempt to pay, with its transactions (Operation; returned by query and
/// cancellation).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Operation {
    /// The merchant's identifier.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The operation's state. A payment is judged by its transaction's state instead.
    #[serde(default)]
    pub state: TransactionState,
    /// When it was registered; present in some answers.
    #[serde(default, skip_serializing_if = "absent")]
    pub created_at: Option<DateObject>,
    /// The amount; its unit in answers is not shown.
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
    /// The transactions; a query answers with the one that was asked for.
    #[serde(default, deserialize_with = "null_is_default")]
    pub transactions: Vec<Transaction>,
}

impl Operation {
    /// The transaction with this identifier, if the answer has it.
    #[must_use]
    pub fn transaction(&self, id: &TransactionId) -> Option<&Transaction> {
        self.transactions
            .iter()
            .find(|transaction| transaction.transaction_id == *id)
    }
}
