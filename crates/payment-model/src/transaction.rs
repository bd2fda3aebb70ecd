use crate::tolerant::null_is_default;
use crate::{
    Amount, Currency, DateObject, Fields, Outcome, PaymentMethodName, ProcessorResponse,
    TransactionId, TransactionState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One movement of money within an operation (Transaction).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(from = "WireTransaction")]
pub struct Transaction {
    /// The service's identifier.
    pub transaction_id: TransactionId,
    /// `ecommerce` is expected.
    pub channel: String,
    /// The state, which alone says whether it is paid.
    pub state: TransactionState,
    /// A free text about the state.
    pub state_reason: String,
    /// The amount; its unit in answers is not shown.
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
    /// The method and what was sent with it.
    pub payment_method: PaymentMethod,
    /// Where the payer continues, while pending in a redirect flow; from outside, so to be
    /// checked before anybody is led there.
    pub continue_url: Option<String>,
    /// Until when it can be paid, while pending.
    pub expiration_date: Option<DateObject>,
    /// What the processor added, by method.
    pub processor_response: Option<ProcessorResponse>,
    /// Data sent in the request.
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown> | null"))]
    pub additional_fields: Option<Fields>,
    /// The states it went through, oldest first.
    pub lifecycle: Vec<LifecycleEntry>,
}

impl Transaction {
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

/// A state and when it was entered (`lifecycle`).
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

/// The method of a transaction (`payment_method`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(from = "WirePaymentMethod")]
pub struct PaymentMethod {
    /// The method's name.
    pub method_name: PaymentMethodName,
    /// What was sent with it, echoed; read from `method_details` or `method_detail`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method_details: Option<MethodDetails>,
}

/// The details of a method, with whatever keys they have.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(tsify::Tsify),
    tsify(type = "{ redirect_url?: string, callback_url?: string, [key: string]: unknown }")
)]
#[serde(transparent)]
pub struct MethodDetails(pub Fields);

impl MethodDetails {
    /// Echo of the merchant's route for the payer's return.
    #[must_use]
    pub fn redirect_url(&self) -> Option<&str> {
        self.0.get("redirect_url")?.as_str()
    }

    /// Echo of the merchant's address for notifications.
    #[must_use]
    pub fn callback_url(&self) -> Option<&str> {
        self.0.get("callback_url")?.as_str()
    }
}

/// A transaction as it comes: the processor's response can be read only once the method is
/// known.
#[derive(Deserialize)]
struct WireTransaction {
    transaction_id: TransactionId,
    #[serde(default, deserialize_with = "null_is_default")]
    channel: String,
    #[serde(default)]
    state: TransactionState,
    #[serde(default, deserialize_with = "null_is_default")]
    state_reason: String,
    amount: Amount,
    currency: Currency,
    payment_method: PaymentMethod,
    #[serde(default)]
    continue_url: Option<String>,
    #[serde(default)]
    expiration_date: Option<DateObject>,
    #[serde(default)]
    processor_response: Option<Value>,
    #[serde(default)]
    additional_fields: Option<Fields>,
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

/// A payment method as it comes, under either key for its details.
#[derive(Deserialize)]
struct WirePaymentMethod {
    #[serde(default)]
    method_name: PaymentMethodName,
    #[serde(default)]
    method_details: Option<MethodDetails>,
    #[serde(default)]
    method_detail: Option<MethodDetails>,
}

impl From<WirePaymentMethod> for PaymentMethod {
    fn from(wire: WirePaymentMethod) -> Self {
        Self {
            method_name: wire.method_name,
            method_details: wire.method_details.or(wire.method_detail),
        }
    }
}
