use crate::lenient::{null_is_default, open_fields, success, success_as_text, text};
use crate::words::wire_enum;
use crate::{
    Amount, Currency, DateObject, Fields, MerchantCode, MerchantOperationNumber, Meta, OpenFields,
    PaymentMethodName, RefundAction, RefundId, TransactionId, TransactionState,
};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

mod state {
    use super::wire_enum;

    wire_enum! {
        /// The state of a refund (Refund operation).
        pub enum RefundState as "'REGISTERED' | 'IN_PROCESS' | 'RESOLVED' | 'REJECTED' | (string & {})" {
            /// The request for it was taken.
            Registered = "REGISTERED",
            /// Under way.
            InProcess = "IN_PROCESS",
            /// The money was given back.
            Resolved = "RESOLVED",
            /// It was not given back.
            Rejected = "REJECTED",
        }
    }
}

mod kind {
    use super::wire_enum;

    wire_enum! {
        /// The kind of a refund (`type`): it gives back all of a transaction or a part.
        pub enum RefundType as "'TOTAL' | 'PARTIAL' | (string & {})" {
            /// The whole amount of the transaction.
            Total = "TOTAL",
            /// A part of it.
            Partial = "PARTIAL",
        }
    }
}

pub use kind::RefundType;
pub use state::RefundState;

impl RefundState {
    /// True when the refund will change no more.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Resolved | Self::Rejected)
    }

    /// True when the refund takes from what is left to refund. Only a rejected one does not. An
    /// unknown state does, since counting it as free could give money back twice.
    #[must_use]
    pub fn reserves_its_amount(&self) -> bool {
        !matches!(self, Self::Rejected)
    }
}

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
        deserialize_with = "success",
        serialize_with = "success_as_text"
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
        deserialize_with = "success",
        serialize_with = "success_as_text"
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

/// Why a refund may not be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundRefusal {
    /// The transaction is not settled.
    NotSettled,
    /// The service does not refund this method.
    MethodNotRefundable,
    /// The amount is zero.
    NothingAskedFor,
    /// More than what is left.
    MoreThanIsLeft {
        /// The amount that is left, in cents.
        left: u64,
    },
    /// A total refund where a part was refunded already, or of another amount than the whole.
    NotTheWhole,
    /// Neither `TOTAL` nor `PARTIAL`.
    UnknownType,
}

impl fmt::Display for RefundRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSettled => f.write_str("only a transaction in LIQUIDADO can be refunded"),
            Self::MethodNotRefundable => {
                f.write_str("only CARD, WALLET and INSTALLMENT can be refunded")
            }
            Self::NothingAskedFor => f.write_str("refund_amount must be more than zero"),
            Self::MoreThanIsLeft { left } => write!(
                f,
                "refund_amount is more than the {left} cents left to refund"
            ),
            Self::NotTheWhole => {
                f.write_str("a TOTAL refund must be of the whole amount; use PARTIAL for the rest")
            }
            Self::UnknownType => f.write_str("type must be TOTAL or PARTIAL"),
        }
    }
}

impl std::error::Error for RefundRefusal {}

/// The amount that is left to refund of a transaction, in cents: its `amount` less every refund
/// that was not rejected and less `in_doubt`, the cents of attempts whose outcome nobody knows.
///
/// `refunds` are those of this transaction alone; an operation's list may name others. A refund
/// whose amount is not a whole number of cents counts as everything.
#[must_use]
pub fn remaining_refundable<'a>(
    amount: u64,
    refunds: impl IntoIterator<Item = &'a Refund>,
    in_doubt: u64,
) -> u64 {
    let reserved = |refund: &Refund| refund.refund_amount.cents().unwrap_or(u64::MAX);
    refunds
        .into_iter()
        .filter(|refund| refund.state.reserves_its_amount())
        .fold(amount.saturating_sub(in_doubt), |left, refund| {
            left.saturating_sub(reserved(refund))
        })
}

/// Checks a refund before it is requested: `asked` of a transaction of `amount`, with `left` from
/// [`remaining_refundable`]; all in cents.
///
/// State, method and the two types are rules of the specification (States and transitions,
/// refunds). The others are ours, because it shows none: more than zero, no more than is left, and
/// `TOTAL` only of a whole of which nothing was refunded.
///
/// # Errors
/// The first rule that it breaks.
pub fn check_refund(
    state: &TransactionState,
    method: &PaymentMethodName,
    kind: &RefundType,
    asked: u64,
    amount: u64,
    left: u64,
) -> Result<(), RefundRefusal> {
    if *state != TransactionState::Settled {
        return Err(RefundRefusal::NotSettled);
    }
    if !method.is_refundable() {
        return Err(RefundRefusal::MethodNotRefundable);
    }
    if asked == 0 {
        return Err(RefundRefusal::NothingAskedFor);
    }
    let left = left.min(amount);
    match kind {
        RefundType::Total if asked != amount || left != amount => Err(RefundRefusal::NotTheWhole),
        RefundType::Total | RefundType::Partial if asked > left => {
            Err(RefundRefusal::MoreThanIsLeft { left })
        }
        RefundType::Total | RefundType::Partial => Ok(()),
        RefundType::Unknown(_) => Err(RefundRefusal::UnknownType),
    }
}

#[cfg(test)]
mod tests {
    use super::RefundState;

    #[test]
    fn a_refund_is_final_once_the_money_is_given_back_or_kept() {
        for (state, last) in [
            ("REGISTERED", false),
            ("IN_PROCESS", false),
            ("RESOLVED", true),
            ("REJECTED", true),
            ("NEW", false),
        ] {
            assert_eq!(RefundState::from(state).is_final(), last, "{state}");
        }
    }
}
