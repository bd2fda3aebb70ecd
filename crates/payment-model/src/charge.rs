use crate::lenient::{absent, null_is_default, open_fields, success, success_as_text, text};
use crate::{
    Amount, AuthorizeAction, AuthorizeMethod, Channel, Currency, DateObject, MerchantCode,
    MerchantOperationNumber, Meta, OpenFields, OpenValue, Outcome, PaymentMethod, Person,
    ProcessorResponse, TransactionId, TransactionState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

/// One movement of money within an operation (Transaction).
///
/// Null and absent fields that the specification calls optional are `None`; a missing state
/// or method is an unknown one, a missing lifecycle is empty. Reading fails without
/// `transaction_id`, `amount`, `currency` or `payment_method`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(from = "WireTransaction")]
pub struct Transaction {
    /// The service's identifier, unique.
    pub transaction_id: TransactionId,
    /// `ecommerce` is expected.
    pub channel: String,
    /// The state, which alone says whether it is paid.
    pub state: TransactionState,
    /// A free text about the state.
    pub state_reason: String,
    /// The amount; its unit in answers is not shown (requests carry cents).
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
    /// The method and what was sent with it.
    pub payment_method: PaymentMethod,
    /// The address at which the payer continues, while pending in a redirect flow. It comes from
    /// outside, so check it before anybody is led there.
    #[cfg_attr(feature = "typescript", tsify(optional, type = "string | null"))]
    pub continue_url: Option<String>,
    /// Until when it can be paid, while pending; null afterwards.
    #[cfg_attr(feature = "typescript", tsify(optional, type = "DateObject | null"))]
    pub expiration_date: Option<DateObject>,
    /// The processor's own members, by method; null while pending in redirect flows.
    #[cfg_attr(
        feature = "typescript",
        tsify(optional, type = "ProcessorResponse | null")
    )]
    pub processor_response: Option<ProcessorResponse>,
    /// Data sent in the request.
    #[cfg_attr(
        feature = "typescript",
        tsify(optional, type = "Record<string, unknown> | null")
    )]
    pub additional_fields: Option<OpenFields>,
    /// The states it went through, oldest first.
    pub lifecycle: Vec<LifecycleEntry>,
}

impl Transaction {
    /// True when the service takes refunds of it: settled, and by a method that it refunds (States
    /// and transitions, refunds). [`remaining_refundable`](crate::remaining_refundable) says how
    /// much is left.
    #[must_use]
    pub fn is_refundable(&self) -> bool {
        self.state == TransactionState::Settled && self.payment_method.method_name.is_refundable()
    }

    /// How the payment ended; `None` while it waits or its state is unknown.
    ///
    /// `CANCELADO` after a paid state, told by the lifecycle, is a reversal.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self.state {
            TransactionState::Cancelled
                if self.lifecycle.iter().any(|entry| entry.state.is_paid()) =>
            {
                Some(Outcome::Reversed)
            }
            ref state => Outcome::of_state(state),
        }
    }
}

/// A state and when it was entered (Transaction, `lifecycle`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct LifecycleEntry {
    /// The state entered.
    #[serde(default)]
    pub state: TransactionState,
    /// When.
    #[serde(default, deserialize_with = "null_is_default")]
    pub date: DateObject,
}

/// A transaction as it comes: the processor's response can be read only once the method is
/// known.
#[derive(Deserialize)]
struct WireTransaction {
    transaction_id: TransactionId,
    #[serde(default, deserialize_with = "text")]
    channel: String,
    #[serde(default)]
    state: TransactionState,
    #[serde(default, deserialize_with = "text")]
    state_reason: String,
    amount: Amount,
    currency: Currency,
    payment_method: PaymentMethod,
    #[serde(default)]
    continue_url: Option<String>,
    #[serde(default)]
    expiration_date: Option<DateObject>,
    #[serde(default)]
    processor_response: Option<OpenValue>,
    #[serde(default, deserialize_with = "open_fields")]
    additional_fields: Option<OpenFields>,
    #[serde(default, deserialize_with = "null_is_default")]
    lifecycle: Vec<LifecycleEntry>,
}

impl From<WireTransaction> for Transaction {
    fn from(wire: WireTransaction) -> Self {
        let method = &wire.payment_method.method_name;
        let processor_response = wire
            .processor_response
            .map(|value| ProcessorResponse::read(method, value));
        Self {
            transaction_id: wire.transaction_id,
            channel: wire.channel,
            state: wire.state,
            state_reason: wire.state_reason,
            amount: wire.amount,
            currency: wire.currency,
            payment_method: wire.payment_method,
            continue_url: wire.continue_url,
            expiration_date: wire.expiration_date,
            processor_response,
            additional_fields: wire.additional_fields,
            lifecycle: wire.lifecycle,
        }
    }
}

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
        deserialize_with = "success",
        serialize_with = "success_as_text"
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

/// The answer of `GET /charges/{merchant_code}/{merchant_operation_number}/{transaction_id}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct QueryResponse {
    /// Technical result of the request.
    #[serde(default, deserialize_with = "success")]
    pub success: bool,
    /// The merchant's code at the service.
    pub merchant_code: MerchantCode,
    /// The operation, with the transaction that was asked for.
    pub operation: Operation,
    /// Technical result.
    #[serde(default, deserialize_with = "null_is_default")]
    pub meta: Meta,
}

/// The answer of `DELETE /charges/{merchant_code}/{merchant_operation_number}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct CancelResponse {
    /// Technical result of the request.
    #[serde(default, deserialize_with = "success")]
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
