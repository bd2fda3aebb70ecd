use crate::word::words;
use payment_model::{Cents, Timestamp};
use serde::{Deserialize, Serialize};

/// The purpose of a cancellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// End a waiting operation; a paid operation is not changed.
    Cancel,
    /// Reverse a paid operation, and cancel one that is not paid.
    Reverse,
}

impl Intent {
    /// The word in the query.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cancel => "cancel",
            Self::Reverse => "reverse",
        }
    }

    /// Parses the word. The empty text is the intent that never reverses a payment.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "" | "cancel" => Some(Self::Cancel),
            "reverse" => Some(Self::Reverse),
            _ => None,
        }
    }
}

/// The query of `DELETE /staff/charges/{merchant_code}/{merchant_operation_number}`. The intent is a text, so
/// that the error message can quote an invalid one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CancelQuery {
    /// The word of an [`Intent`].
    pub intent: String,
}

impl CancelQuery {
    /// The names and values of the query.
    #[must_use]
    pub fn fields(intent: Intent) -> [(&'static str, &'static str); 1] {
        [("intent", intent.as_str())]
    }
}

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

#[cfg(test)]
mod tests {
    use super::{CancelQuery, Intent};

    #[test]
    fn an_intent_is_read_as_it_is_written() {
        for intent in [Intent::Cancel, Intent::Reverse] {
            let [(name, word)] = CancelQuery::fields(intent);
            assert_eq!(Intent::from_word(word), Some(intent));
            let read: CancelQuery =
                serde_json::from_value(serde_json::json!({ name: word })).unwrap();
            assert_eq!(read.intent, word);
        }
        assert_eq!(Intent::from_word(""), Some(Intent::Cancel));
        assert_eq!(Intent::from_word("refund"), None);
    }
}
