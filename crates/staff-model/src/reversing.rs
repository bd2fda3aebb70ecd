use crate::word::words;
use payment_model::{Cents, Timestamp};
use serde::{Deserialize, Serialize};

words! {
    /// The state of a request to cancel or to reverse an operation.
    pub enum ReversalState {
        /// The request is on its way to the service.
        Sending = "sending",
        /// It is not known whether the service carries it out; the whole amount stays reserved.
        InDoubt = "in_doubt",
        /// The operation has ended.
        Done = "done",
        /// The service did not carry it out.
        NotDone = "not_done",
        /// A second member of staff released the amount.
        Released = "released",
    }
}

/// A request to cancel or to reverse an operation, which gives its payment back if there is
/// one by then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reversal {
    /// Its id.
    pub reversal_id: String,
    /// Its state.
    pub state: ReversalState,
    /// How much, in cents: all of the operation.
    pub amount: Cents,
    /// The account that asked for it; `null` when it was the payer or the server itself.
    #[serde(default)]
    pub staff: Option<String>,
    /// When it was sent last.
    pub at: Timestamp,
    /// Why it stands as it does, in a sentence in English.
    pub detail: String,
    /// The account that released its amount.
    #[serde(default)]
    pub released_by: Option<String>,
}

/// The body of `POST /staff/reversals/{reversal_id}/release`; the answer is the [`Reversal`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseReversal {
    /// How it is known that the service does not carry it out; not empty.
    pub reason: String,
}
