use crate::lenient::{
    Objects, absent, null_is_default, object, object_if_any, only_text, open_fields, success,
    success_as_text, text, word_if_any,
};
use crate::{
    Amount, AuthorizeAction, AuthorizeMethod, Channel, Currency, DateObject, MerchantCode,
    MerchantOperationNumber, Meta, OpenFields, OpenValue, Outcome, PaymentMethod, Person,
    ProcessorResponse, TransactionId, TransactionState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An attempt to pay with its transactions, in the answers to a query and a cancellation (Operation).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Operation {
    /// The merchant's identifier.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The operation's state. Whether it is paid is decided by the state of the transaction.
    #[serde(default)]
    pub state: TransactionState,
    /// The time of the registration, in some answers.
    #[serde(
        default,
        deserialize_with = "object_if_any",
        skip_serializing_if = "absent"
    )]
    pub created_at: Option<DateObject>,
    /// The amount; its unit in answers is not shown.
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
    /// The transactions. The answer to a query has the queried one.
    #[serde(default, deserialize_with = "null_is_default")]
    pub transactions: Vec<Transaction>,
}

impl Operation {
    /// Finds the transaction with this identifier.
    #[must_use]
    pub fn transaction(&self, id: &TransactionId) -> Option<&Transaction> {
        self.transactions
            .iter()
            .find(|transaction| transaction.transaction_id == *id)
    }
}

/// A movement of money within an operation (Transaction).
///
/// Optional fields are `None` when they are null, absent or of another form. Such a state or method becomes an
/// unknown one, such a lifecycle an empty one. Parsing fails without `transaction_id`, `amount` or `currency`,
/// and for a `CANCELADO` whose lifecycle cannot be read, since it may have been paid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(try_from = "WireTransaction")]
pub struct Transaction {
    /// The service's unique identifier.
    pub transaction_id: TransactionId,
    /// Expected to be `ecommerce`.
    pub channel: String,
    /// The state. No other field proves a payment.
    pub state: TransactionState,
    /// A free text about the state.
    pub state_reason: String,
    /// The amount. The specification does not define its unit in answers; requests have cents.
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
    /// The method with its details.
    pub payment_method: PaymentMethod,
    /// The address at which the payer continues, while pending in a redirect flow. It is untrusted input:
    /// check it before you lead a payer there.
    #[cfg_attr(feature = "typescript", tsify(optional, type = "string | null"))]
    pub continue_url: Option<String>,
    /// The deadline for the payer, while pending; null afterwards.
    #[cfg_attr(feature = "typescript", tsify(optional, type = "DateObject | null"))]
    pub expiration_date: Option<DateObject>,
    /// The processor's own data, whose form depends on the method; null while pending in redirect flows.
    #[cfg_attr(
        feature = "typescript",
        tsify(optional, type = "ProcessorResponse | null")
    )]
    pub processor_response: Option<ProcessorResponse>,
    /// The additional fields of the request.
    #[cfg_attr(
        feature = "typescript",
        tsify(optional, type = "Record<string, unknown> | null")
    )]
    pub additional_fields: Option<OpenFields>,
    /// The previous states and the current one, oldest first.
    pub lifecycle: Vec<LifecycleEntry>,
}

impl Transaction {
    /// True when the service accepts refunds: the transaction is settled, and its method is refundable
    /// (States and transitions, refunds). See [`remaining_refundable`](crate::remaining_refundable) for
    /// the amount.
    #[must_use]
    pub fn is_refundable(&self) -> bool {
        self.state == TransactionState::Settled && self.payment_method.method_name.is_refundable()
    }

    /// The outcome of the payment; `None` while it waits or if its state is unknown.
    ///
    /// `CANCELADO` with a paid state in the lifecycle is a reversal.
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

/// A state with the time at which a transaction entered it (Transaction, `lifecycle`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct LifecycleEntry {
    /// The state.
    #[serde(default)]
    pub state: TransactionState,
    /// The time at which it was entered.
    #[serde(default, deserialize_with = "object")]
    pub date: DateObject,
}

/// The JSON form of a transaction. The processor's response can only be parsed after the method is known.
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
    #[serde(default, deserialize_with = "object")]
    payment_method: PaymentMethod,
    #[serde(default, deserialize_with = "only_text")]
    continue_url: Option<String>,
    #[serde(default, deserialize_with = "object_if_any")]
    expiration_date: Option<DateObject>,
    #[serde(default)]
    processor_response: Option<OpenValue>,
    #[serde(default, deserialize_with = "open_fields")]
    additional_fields: Option<OpenFields>,
    #[serde(default)]
    lifecycle: Objects<LifecycleEntry>,
}

impl WireTransaction {
    /// True for a cancellation whose history may have a payment that cannot be read.
    fn hides_a_payment(&self) -> bool {
        let mut entries = self.lifecycle.items.iter();
        let is_whole =
            self.lifecycle.is_whole && entries.all(|entry| !entry.state.as_str().is_empty());
        self.state == TransactionState::Cancelled && !is_whole
    }
}

impl TryFrom<WireTransaction> for Transaction {
    type Error = &'static str;

    fn try_from(wire: WireTransaction) -> Result<Self, Self::Error> {
        if wire.hides_a_payment() {
            return Err("the lifecycle of CANCELADO cannot be read");
        }
        let method = &wire.payment_method.method_name;
        let processor_response = wire
            .processor_response
            .map(|value| ProcessorResponse::read(method, value));
        Ok(Self {
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
            lifecycle: wire.lifecycle.items,
        })
    }
}

/// The body of `POST /charges`.
///
/// Parsing is strict: a missing field, another `action` or `channel` and invalid details of the method are
/// errors that name the field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct AuthorizeRequest {
    /// Always `authorize`.
    pub action: AuthorizeAction,
    /// Always `ecommerce`.
    pub channel: Channel,
    /// The merchant's code at the service.
    pub merchant_code: MerchantCode,
    /// The operation's number, which must never have been used before.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The method and its details.
    pub payment_method: AuthorizeMethod,
    /// The amount, the persons and the products.
    pub payment_details: PaymentDetails,
}

/// The amount, the persons and the products of a payment (`POST /charges`, `payment_details`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct PaymentDetails {
    /// The amount in whole cents.
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
    /// The person who is billed.
    pub billing: Person,
    /// The person who receives the products.
    pub shipping: Person,
    /// The person who buys.
    pub customer: Person,
    /// The products. The specification does not show the form of the items.
    #[cfg_attr(feature = "typescript", tsify(type = "unknown[]"))]
    pub product_details: Vec<Value>,
}

/// The answer of `POST /charges`. It is never a final result.
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
    /// Expected to be `authorize`.
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
    #[serde(default, deserialize_with = "object")]
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
    /// The operation, with the queried transaction.
    pub operation: Operation,
    /// Technical result.
    #[serde(default, deserialize_with = "object")]
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
    /// The operation's number, in some answers.
    #[serde(
        default,
        deserialize_with = "word_if_any",
        skip_serializing_if = "absent"
    )]
    pub merchant_operation_number: Option<MerchantOperationNumber>,
    /// The operation after the cancellation.
    pub operation: Operation,
    /// Technical result.
    #[serde(default, deserialize_with = "object")]
    pub meta: Meta,
}
