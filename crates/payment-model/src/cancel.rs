use crate::lenient::{absent, null_is_default};
use crate::{MerchantCode, MerchantOperationNumber, Meta, Operation, success};
use serde::{Deserialize, Serialize};

/// The answer of `DELETE /charges/{merchant_code}/{merchant_operation_number}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct CancelResponse {
    /// Technical result of the request.
    #[serde(default, deserialize_with = "success::read")]
    pub success: bool,
    /// The merchant's code at the service.
    pub merchant_code: MerchantCode,
    /// The operation's number; optional.
    #[serde(default, skip_serializing_if = "absent")]
    pub merchant_operation_number: Option<MerchantOperationNumber>,
    /// The operation as it is after the request.
    pub operation: Operation,
    /// Technical result.
    #[serde(default, deserialize_with = "null_is_default")]
    pub meta: Meta,
}
