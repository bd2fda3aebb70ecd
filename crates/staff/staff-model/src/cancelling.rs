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
