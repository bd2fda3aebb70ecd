use crate::lenient::{null_is_default, text};
use crate::{
    Amount, AuthorizeAction, AuthorizeMethod, Channel, Currency, MerchantCode,
    MerchantOperationNumber, Meta, Person, Transaction, success,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The body of `POST /charges`.
///
/// Reading it is strict: a missing field, another `action` or `channel` and wrong details of
/// the method are errors that name the field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct AuthorizeRequest {
    /// Always `authorize`.
    pub action: AuthorizeAction,
    /// Always `ecommerce`.
    pub channel: Channel,
    /// The merchant's code at the service.
    pub merchant_code: MerchantCode,
    /// The operation's number, never used before.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The method and its details.
    pub payment_method: AuthorizeMethod,
    /// The amount, the persons and the goods.
    pub payment_details: PaymentDetails,
}

/// The amount, the persons and the goods of a payment (`POST /charges`, `payment_details`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct PaymentDetails {
    /// The amount in whole cents.
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
    /// The person who is billed.
    pub billing: Person,
    /// The person who receives the goods.
    pub shipping: Person,
    /// The person who buys.
    pub customer: Person,
    /// The goods; the items' shape is not shown.
    #[cfg_attr(feature = "typescript", tsify(type = "unknown[]"))]
    pub product_details: Vec<Value>,
}

/// The answer of `POST /charges`; never final, whatever it says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct AuthorizeResponse {
    /// Technical result of the request, as text on the wire.
    #[serde(
        default,
        deserialize_with = "success::read",
        serialize_with = "success::write_text"
    )]
    #[cfg_attr(feature = "typescript", tsify(type = "'true' | 'false'"))]
    pub success: bool,
    /// `authorize`.
    #[serde(default, deserialize_with = "text")]
    #[cfg_attr(feature = "typescript", tsify(type = "AuthorizeAction"))]
    pub action: String,
    /// The merchant's code at the service.
    pub merchant_code: MerchantCode,
    /// The operation's number.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The transaction that was registered.
    pub transaction: Transaction,
    /// Technical result.
    #[serde(default, deserialize_with = "null_is_default")]
    pub meta: Meta,
}
