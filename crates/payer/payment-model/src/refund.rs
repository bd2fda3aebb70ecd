use crate::lenient::{
    UNREADABLE_FIELDS, null_is_default, object, objects, open_fields, success, success_as_text,
    text, word,
};
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
            /// The service has accepted the request.
            Registered = "REGISTERED",
            /// The refund is being processed.
            InProcess = "IN_PROCESS",
            /// The money was given back.
            Resolved = "RESOLVED",
            /// The refund was rejected, and no money was given back.
            Rejected = "REJECTED",
        }
    }
}

mod kind {
    use super::wire_enum;

    wire_enum! {
        /// The kind of a refund (`type`): of the whole transaction or of a part.
        pub enum RefundType as "'TOTAL' | 'PARTIAL' | (string & {})" {
            /// The whole amount of the transaction.
            Total = "TOTAL",
            /// A part of the transaction's amount.
            Partial = "PARTIAL",
        }
    }
}

pub use kind::RefundType;
pub use state::RefundState;

impl RefundState {
    /// True when the state will not change again.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Resolved | Self::Rejected)
    }

    /// True when the refund reduces the amount that can still be refunded. Only a rejected refund does not.
    /// An unknown state does, since ignoring such a refund could give its money back twice.
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
    /// The requested refunds.
    pub operations: Vec<RefundItem>,
}

/// An item of a refund request (`operations[]`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct RefundItem {
    /// Whether the whole transaction or a part is refunded.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "typescript", tsify(type = "'TOTAL' | 'PARTIAL'"))]
    pub kind: RefundType,
    /// The operation's number.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The transaction. With null, the service finds it by the operation's number.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", tsify(type = "TransactionId | null"))]
    pub transaction_id: Option<TransactionId>,
    /// The amount to give back, in whole cents.
    pub refund_amount: Amount,
    /// Any data, which the service repeats in its answers.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown> | null"))]
    pub additional_fields: Option<Fields>,
}

/// A refund as the service reports it (Refund operation). A text that is missing, null or of another form is
/// empty, and another form of the additional fields is kept under the empty name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Refund {
    /// The service's identifier.
    #[serde(default, deserialize_with = "word")]
    pub refund_id: RefundId,
    /// The state.
    #[serde(default)]
    pub state: RefundState,
    /// A text for people that explains the state.
    #[serde(default, deserialize_with = "text")]
    pub refund_reason: String,
    /// Whether the whole transaction or a part is refunded.
    #[serde(default, rename = "type")]
    pub kind: RefundType,
    /// The operation's number.
    #[serde(default, deserialize_with = "word")]
    pub merchant_operation_number: MerchantOperationNumber,
    /// The transaction, even if the request had null.
    #[serde(default, deserialize_with = "word")]
    pub transaction_id: TransactionId,
    /// The amount to give back. The specification does not define its unit in answers.
    #[serde(default, deserialize_with = "word")]
    pub refund_amount: Amount,
    /// The amount of the refunded transaction. The specification does not define its unit in answers.
    #[serde(default, deserialize_with = "word")]
    pub transaction_amount: Amount,
    /// The currency.
    #[serde(default, deserialize_with = "word")]
    pub currency: Currency,
    /// The additional fields of the request.
    #[serde(default, deserialize_with = "open_fields")]
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown> | null"))]
    pub additional_fields: Option<OpenFields>,
    /// How the transaction was paid.
    #[serde(default, deserialize_with = "object")]
    pub payment_method: RefundMethod,
    /// The previous states and the current one, oldest first.
    #[serde(default, deserialize_with = "objects")]
    pub lifecycle: Vec<RefundLifecycleEntry>,
}

/// How a refunded transaction was paid (Refund operation, `payment_method`). Fields that do not apply to
/// the method are empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
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

/// A state with the time at which a refund entered it (Refund operation, `lifecycle`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct RefundLifecycleEntry {
    /// The state.
    #[serde(default)]
    pub state: RefundState,
    /// The time at which it was entered.
    #[serde(default, deserialize_with = "object")]
    pub date: DateObject,
}

fn any_action<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RefundAction, D::Error> {
    text(deserializer).map(|_| RefundAction)
}

/// The answer of `POST /refund`: the refunds were registered, but no money has moved yet.
///
/// Parsing fails without `operations`, since the answer would not show what was registered.
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
    /// Expected to be `refund`. Any other word is accepted too, since an unreadable answer would leave the
    /// refund in doubt.
    #[serde(default, deserialize_with = "any_action")]
    pub action: RefundAction,
    /// The merchant's code at the service.
    pub merchant_code: MerchantCode,
    /// The refunds, one for each item of the request.
    pub operations: Vec<Refund>,
    /// Technical result.
    #[serde(default, deserialize_with = "object")]
    pub meta: Meta,
}

/// The answer of `GET /refund/{merchant_code}/{merchant_operation_number}`.
///
/// A missing list becomes an empty one. Check [`RefundQueryResponse::is_complete`] before you conclude that
/// a refund does not exist.
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
    /// The number of refunds, as text.
    #[serde(default, deserialize_with = "text")]
    pub operations_count: String,
    /// All refunds of the operation.
    #[serde(default, deserialize_with = "null_is_default")]
    pub operations: Vec<Refund>,
    /// Technical result.
    #[serde(default, deserialize_with = "object")]
    pub meta: Meta,
}

impl RefundQueryResponse {
    /// True when the list has as many refunds as `operations_count` says, and the additional fields of each
    /// can be read. If a refund is missing from an incomplete list, it may exist nevertheless: repeating it
    /// could give its money back twice.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let is_readable = |refund: &Refund| {
            let fields = refund.additional_fields.as_ref();
            fields.is_none_or(|fields| fields.get(UNREADABLE_FIELDS).is_none())
        };
        self.operations_count.trim().parse() == Ok(self.operations.len())
            && self.operations.iter().all(is_readable)
    }
}

/// A rule that a refund breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundRefusal {
    /// The transaction is not settled.
    NotSettled,
    /// The service does not refund payments by this method.
    MethodNotRefundable,
    /// The requested amount is zero.
    NothingAskedFor,
    /// The requested amount is larger than the remaining one.
    MoreThanIsLeft {
        /// The remaining amount in cents.
        left: u64,
    },
    /// A `TOTAL` refund does not have the whole amount, or a part was refunded already.
    NotTheWhole,
    /// The type is neither `TOTAL` nor `PARTIAL`.
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

/// The amount of a transaction that can still be refunded, in cents: `amount`, minus all refunds that were
/// not rejected, minus `in_doubt`, the total of the attempts with an unknown outcome.
///
/// `refunds` must be those of this transaction only; an operation's list may have others. After a refund
/// whose amount is not a whole number of cents, nothing can be refunded.
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

/// Checks a refund of `asked` before it is requested, where `amount` is that of the transaction and `left`
/// comes from [`remaining_refundable`], all in cents.
///
/// The rules about the state, the method and the type are from the specification (States and transitions,
/// refunds). The rules about amounts are ours: more than zero, at most the remaining amount, and `TOTAL`
/// only for the whole amount of a transaction without refunds.
///
/// # Errors
/// The first broken rule.
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
