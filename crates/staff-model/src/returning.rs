use crate::strict::{false_if_null, not_empty};
use crate::word::words;
use payment_model::{Cents, Timestamp};
use serde::{Deserialize, Serialize};

words! {
    /// The state of a return by hand.
    pub enum ReturnState {
        /// Its amount is reserved: a member of staff is about to give it back. One that was made
        /// already waits for a second person who confirms it.
        Open = "open",
        /// The money was given back.
        Done = "done",
        /// The return is given up.
        GivenUp = "given_up",
    }
}

/// Money that a member of staff gives back where the service cannot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManualReturn {
    /// Its id.
    pub return_id: String,
    /// Its state.
    pub state: ReturnState,
    /// How much, in cents.
    pub amount: Cents,
    /// How, and why not through the service.
    pub reason: String,
    /// The account that reserved or recorded it.
    pub staff: String,
    /// When.
    pub at: Timestamp,
    /// The money had left before anybody reserved it.
    #[serde(default)]
    pub already_made: bool,
    /// The account that asked to give it up; a second one does it.
    #[serde(default)]
    pub give_up_asked_by: Option<String>,
    /// Why.
    #[serde(default)]
    pub give_up_reason: Option<String>,
    /// The account that recorded its end.
    #[serde(default)]
    pub ended_by: Option<String>,
    /// When.
    #[serde(default)]
    pub ended_at: Option<Timestamp>,
    /// How it was made, or why not.
    #[serde(default)]
    pub end_reason: Option<String>,
}

/// The body of `POST /staff/returns`; takes an `Idempotency-Key`, and answers 201 with
/// [`ManualReturn`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordReturn {
    /// The merchant's code.
    #[serde(deserialize_with = "not_empty")]
    pub merchant_code: String,
    /// The operation.
    #[serde(deserialize_with = "not_empty")]
    pub merchant_operation_number: String,
    /// How much, in cents; at most what is paid and not yet given back, or what was paid if it was
    /// made already.
    pub amount: Cents,
    /// How, and why not through the service; not empty.
    pub reason: String,
    /// True when the money has left. The server then records it as an exception; beyond the rest or
    /// the account's limit a second person has to confirm it.
    #[serde(
        default,
        deserialize_with = "false_if_null",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub already_made: bool,
}

/// The body of `POST /staff/returns/{return_id}/done` and of `…/given-up`; the answer is the
/// [`ManualReturn`], with 202 while a second person has to give it up too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndReturn {
    /// How it was made, or why not; not empty.
    pub reason: String,
}
