use crate::strict::{false_if_null, not_empty};
use crate::word::words;
use payment_model::{Cents, Timestamp};
use serde::{Deserialize, Serialize};

words! {
    /// The state of a manual return.
    pub enum ReturnState {
        /// The amount is reserved: staff will give it back, or a second person must confirm a return that
        /// was made already.
        Open = "open",
        /// The money was given back.
        Done = "done",
        /// The return was given up.
        GivenUp = "given_up",
    }
}

/// A manual return: money that staff give back outside of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManualReturn {
    /// The id of the return.
    pub return_id: String,
    /// The state of the return.
    pub state: ReturnState,
    /// The amount in cents.
    pub amount: Cents,
    /// How the money is given back, and the reason for which the service is not used.
    pub reason: String,
    /// The account that reserved or recorded it.
    pub staff: String,
    /// The time at which it was reserved or recorded.
    pub at: Timestamp,
    /// True when the money was given back before it was reserved.
    #[serde(default)]
    pub already_made: bool,
    /// The account that asked to give the return up, while a second one must confirm that.
    #[serde(default)]
    pub give_up_asked_by: Option<String>,
    /// The reason for which it should be given up.
    #[serde(default)]
    pub give_up_reason: Option<String>,
    /// The account that recorded the end of the return.
    #[serde(default)]
    pub ended_by: Option<String>,
    /// The time of the end.
    #[serde(default)]
    pub ended_at: Option<Timestamp>,
    /// How the return was made, or the reason for which it was given up.
    #[serde(default)]
    pub end_reason: Option<String>,
}

/// The body of `POST /staff/returns`, which needs an `Idempotency-Key`. The answer is 201 with a
/// [`ManualReturn`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordReturn {
    /// The merchant's code.
    #[serde(deserialize_with = "not_empty")]
    pub merchant_code: String,
    /// The operation's number.
    #[serde(deserialize_with = "not_empty")]
    pub merchant_operation_number: String,
    /// The amount in cents: at most the remaining amount, or at most the paid amount if the money was given
    /// back already.
    pub amount: Cents,
    /// How the money is given back, and the reason for which the service is not used; not empty.
    pub reason: String,
    /// True when the money was given back already. The server then records an exception, and a second
    /// person must confirm an amount over the remaining one or over the limit of the account.
    #[serde(
        default,
        deserialize_with = "false_if_null",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub already_made: bool,
}

/// The body of `POST /staff/returns/{return_id}/done` and of `…/given-up`. The answer is the
/// [`ManualReturn`]; its status is 202 while a second person must give the return up too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndReturn {
    /// How the return was made, or the reason for which it is given up; not empty.
    pub reason: String,
}
