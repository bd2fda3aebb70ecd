use crate::lenient::null_is_default;
use crate::{MerchantCode, Meta, Operation, success};
use serde::{Deserialize, Serialize};

/// The answer of `GET /charges/{merchant_code}/{merchant_operation_number}/{transaction_id}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct QueryResponse {
    /// Technical result of the request.
    #[serde(default, deserialize_with = "success::read")]
    pub success: bool,
    /// The merchant's code at the service.
    pub merchant_code: MerchantCode,
    /// The operation, with the transaction that was asked for.
    pub operation: Operation,
    /// Technical result.
    #[serde(default, deserialize_with = "null_is_default")]
    pub meta: Meta,
}
