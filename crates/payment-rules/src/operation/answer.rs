//! The specification's bodies, from the stored operation.

use super::{OperationRecord, Phase};
use payment_model::{
    Amount, CancelResponse, Currency, Meta, Operation, QueryResponse, TransactionState,
};

/// The state of an operation whose state this server does not tell yet. It is no state of the
/// payment service, so that pages show it as still being confirmed, as every word that they do not
/// know.
fn being_confirmed() -> TransactionState {
    TransactionState::from("POR_CONFIRMAR")
}

impl OperationRecord {
    /// The body of a status answer; `None` before the service named a transaction.
    pub fn query_response(&self) -> Option<QueryResponse> {
        Some(QueryResponse {
            success: true,
            merchant_code: self.key.merchant_code.clone(),
            operation: self.operation.clone()?,
            meta: Meta::accepted(),
        })
    }

    /// The body of a status answer for the payer. Of a payment that is not announced it has neither
    /// the paid state nor anything to pay with.
    pub fn payers_response(&self) -> Option<QueryResponse> {
        let Some(mut response) = self.query_response() else {
            return self.doubt_response();
        };
        if self.is_held() {
            let operation = &mut response.operation;
            operation.state = being_confirmed();
            for transaction in &mut operation.transactions {
                transaction.state = being_confirmed();
                transaction.state_reason = String::new();
                transaction.continue_url = None;
                transaction.expiration_date = None;
                transaction.processor_response = None;
                transaction
                    .lifecycle
                    .retain(|entry| entry.state.is_waiting());
            }
        }
        Some(response)
    }

    /// The body about an operation whose request left, and of which the service named no transaction.
    fn doubt_response(&self) -> Option<QueryResponse> {
        matches!(self.phase, Phase::Sending | Phase::InDoubt).then(|| QueryResponse {
            success: true,
            merchant_code: self.key.merchant_code.clone(),
            operation: Operation {
                merchant_operation_number: self.key.number.clone(),
                state: being_confirmed(),
                created_at: None,
                amount: Amount::from_cents(self.amount),
                currency: Currency::new(self.currency.clone()),
                transactions: Vec::new(),
            },
            meta: Meta::accepted(),
        })
    }

    /// The body of the answer to a cancellation.
    pub fn cancel_response(&self) -> Option<CancelResponse> {
        Some(CancelResponse {
            success: true,
            merchant_code: self.key.merchant_code.clone(),
            merchant_operation_number: Some(self.key.number.clone()),
            operation: self.operation.clone()?,
            meta: Meta::accepted(),
        })
    }
}
