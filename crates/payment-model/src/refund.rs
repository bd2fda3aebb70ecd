use crate::lenient::{null_is_default, open_fields, text};
use crate::{
    Amount, Currency, DateObject, Fields, MerchantCode, MerchantOperationNumber, Meta, OpenFields,
    PaymentMethodName, RefundAction, RefundId, RefundState, RefundType, TransactionId, success,
};
use serde::{Deserialize, Deserializer, Serialize};

/// The body of `POST /refund`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct RefundRequest {
    /// The merchant's code at the service.
    pub merchant_code: MerchantCode,
    /// The refunds to make, one in each item.
    pub operations: Vec<RefundItem>,
}

/// One refund that is asked for (`operations[]` of the request).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct RefundItem {
    /// All of the transaction or a part.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "typescript", tsify(type = "'TOTAL' | 'PARTIAL'"))]
    pub kind: RefundType,
    /// The operation's number.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The transaction; null lets the service find it.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", tsify(type = "TransactionId | null"))]
    pub transaction_id: Option<TransactionId>,
    /// The amount to give back, in whole cents.
    pub refund_amount: Amount,
    /// Any keys; the service echoes them.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown> | null"))]
    pub additional_fields: Option<Fields>,
}

/// A refund as the service reports it (Refund operation).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Refund {
    /// The service's identifier.
    pub refund_id: RefundId,
    /// The state.
    #[serde(default)]
    pub state: RefundState,
    /// A text that explains the state.
    #[serde(default, deserialize_with = "text")]
    pub refund_reason: String,
    /// All of the transaction or a part.
    #[serde(default, rename = "type")]
    pub kind: RefundType,
    /// The operation's number.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The transaction, resolved by the service even when the request sent null.
    pub transaction_id: TransactionId,
    /// The amount given back; its unit in answers is not shown.
    pub refund_amount: Amount,
    /// The amount of the refunded transaction; its unit in answers is not shown.
    pub transaction_amount: Amount,
    /// The currency.
    pub currency: Currency,
    /// Echo of the request.
    #[serde(default, deserialize_with = "open_fields")]
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown> | null"))]
    pub additional_fields: Option<OpenFields>,
    /// How it had been paid.
    pub payment_method: RefundMethod,
    /// The states it went through, oldest first.
    #[serde(default, deserialize_with = "null_is_default")]
    pub lifecycle: Vec<RefundLifecycleEntry>,
}

/// How a refunded transaction had been paid (Refund operation, `payment_method`). Parts that
/// a method does not have are empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct RefundMethod {
    /// The method.
    #[serde(default)]
    pub name: PaymentMethodName,
    /// The brand of a card.
    #[serde(default, deserialize_with = "text")]
    pub brand: String,
    /// The masked number of a card.
    #[serde(default, deserialize_with = "text")]
    pub masked_pan: String,
}

/// A state and when a refund entered it (Refund operation, `lifecycle`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct RefundLifecycleEntry {
    /// The state entered.
    #[serde(default)]
    pub state: RefundState,
    /// When.
    #[serde(default, deserialize_with = "null_is_default")]
    pub date: DateObject,
}

fn any_action<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RefundAction, D::Error> {
    text(deserializer).map(|_| RefundAction)
}

/// The answer of `POST /refund`: the requests were registered, no money has moved yet.
///
/// Without `operations` it is unreadable: it would not say what was registered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct RefundResponse {
    /// Technical result of the request, as text on the wire.
    #[serde(
        default,
        deserialize_with = "success::read",
        serialize_with = "success::write_text"
    )]
    #[cfg_attr(feature = "typescript", tsify(type = "'true' | 'false'"))]
    pub success: bool,
    /// `refund`.
    ///
    /// Read from any word, since an unreadable answer would leave money in doubt.
    #[serde(default, deserialize_with = "any_action")]
    pub action: RefundAction,
    /// The merchant's code at the service.
    pub merchant_code: MerchantCode,
    /// The refunds, one for each item of the request.
    pub operations: Vec<Refund>,
    /// Technical result.
    #[serde(default, deserialize_with = "null_is_default")]
    pub meta: Meta,
}

/// The answer of `GET /refund/{merchant_code}/{merchant_operation_number}`.
///
/// A missing list is read as an empty one; before anything is concluded from what is not in
/// it, see [`RefundQueryResponse::is_complete`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct RefundQueryResponse {
    /// Technical result of the request, as text on the wire.
    #[serde(
        default,
        deserialize_with = "success::read",
        serialize_with = "success::write_text"
    )]
    #[cfg_attr(feature = "typescript", tsify(type = "'true' | 'false'"))]
    pub success: bool,
    /// The merchant's code at the service.
    pub merchant_code: MerchantCode,
    /// How many refunds follow, as text.
    #[serde(default, deserialize_with = "text")]
    pub operations_count: String,
    /// Every refund of the operation.
    #[serde(default, deserialize_with = "null_is_default")]
    pub operations: Vec<Refund>,
    /// Technical result.
    #[serde(default, deserialize_with = "null_is_default")]
    pub meta: Meta,
}

impl RefundQueryResponse {
    /// True when as many refunds came as the answer counts. A list that is not complete must not be
    /// taken for all of an operation's refunds, or money could be given back twice.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.operations_count.trim().parse() == Ok(self.operations.len())
    }
}
