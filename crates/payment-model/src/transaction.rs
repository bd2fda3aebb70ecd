use crate::lenient::{null_is_default, open_fields, text};
use crate::{
    Amount, Currency, DateObject, OpenFields, OpenValue, Outcome, PaymentMethod, ProcessorResponse,
    TransactionId, TransactionState,
};
use serde::{Deserialize, Serialize};

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
