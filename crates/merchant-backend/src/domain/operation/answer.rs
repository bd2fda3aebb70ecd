//! The specification's bodies, from the stored operation.

use super::OperationRecord;
use payment_model::{CancelResponse, Meta, QueryResponse};

impl OperationRecord {
    /// The body of a status answer; `None` before the service named a transaction.
    pub(crate) fn query_response(&self) -> Option<QueryResponse> {
        Some(QueryResponse {
            success: true,
            merchant_code: self.key.merchant_code.clone(),
            operation: self.operation.clone()?,
            meta: Meta::accepted(),
        })
    }

    /// The body of the answer to a cancellation.
    pub(crate) fn cancel_response(&self) -> Option<CancelResponse> {
        Some(CancelResponse {
            success: true,
            merchant_code: self.key.merchant_code.clone(),
            merchant_operation_number: Some(self.key.number.clone()),
            operation: self.operation.clone()?,
            meta: Meta::accepted(),
        })
    }
}
