use crate::word::words;
use payment_model::{Cents, Timestamp};
use serde::{Deserialize, Serialize};

words! {
    /// The state of a request to cancel or to reverse an operation.
    pub enum ReversalState {
        /// The request is being sent to the service.
        Sending = "sending",
        /// It is unknown whether the service carries the request out, so the whole amount stays reserved.
        InDoubt = "in_doubt",
        /// The operation has ended.
        Done = "done",
        /// The service did not carry the request out.
        NotDone = "not_done",
        /// A second member of staff released the reserved amount.
        Released = "released",
    }
}

/// A request to cancel or to reverse an operation. If the operation was paid in the meantime, the service
/// gives the payment back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reversal {
    /// The id of the request.
    pub reversal_id: String,
    /// The state of the request.
    pub state: ReversalState,
    /// The whole amount of the operation in cents.
    pub amount: Cents,
    /// The account that requested it; `null` if the payer or the server did.
    #[serde(default)]
    pub staff: Option<String>,
    /// The time at which it was last sent.
    pub at: Timestamp,
    /// The reason for the state, as a sentence in English.
    pub detail: String,
    /// The account that released the reserved amount.
    #[serde(default)]
    pub released_by: Option<String>,
}

/// The body of `POST /staff/reversals/{reversal_id}/release`. The answer is the [`Reversal`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseReversal {
    /// How staff know that the service does not carry the request out; not empty.
    pub reason: String,
}
