use crate::wire::WireError;
use payment_model::{LocalizedMessage, TransactionId};
use payment_rules::operation::{OperationKey, QueryFailure};
use payment_rules::outgoing::SendFailure;
use std::time::Duration;

/// A request to the payment service without a usable answer. The messages quote nothing of the
/// answer, so that they can be logged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ServiceError {
    #[error("no answer in time")]
    Timeout,
    /// No connection could be made, so nothing was sent.
    #[error("not sent: no connection")]
    Unreached,
    /// The connection was reset or closed before the whole answer.
    #[error("the connection was cut")]
    Connection,
    /// 5xx, 408, 429, a redirect or another status that does not decide the request.
    #[error("status {status}")]
    Trouble {
        status: u16,
        retry_after: Option<Duration>,
    },
    /// A 200 whose body is too large or does not have the specified form.
    #[error("unreadable answer: {0}")]
    Unreadable(String),
    /// A 200 without success, or with a code that is not accepted. It proves neither that the request
    /// was carried out nor that it was not.
    #[error("an answer that is not accepted, with code {code}")]
    NotAccepted {
        /// "none" if the answer has no readable code.
        code: String,
        /// The transaction in the answer to an authorization, so that it can be queried. Nothing else
        /// of the answer is used.
        transaction_id: Option<TransactionId>,
    },
    /// 401.
    #[error("the access token was not accepted")]
    Unauthorized,
    /// Any other 4xx, with the messages of its body for people: few and short.
    #[error("refused with status {status}")]
    Refused {
        status: u16,
        messages: Vec<LocalizedMessage>,
    },
    /// Nothing was sent, for example because there is no access token or the send window closed.
    #[error("not sent: {0}")]
    NotSent(&'static str),
}

impl From<WireError> for ServiceError {
    fn from(error: WireError) -> Self {
        match error {
            WireError::Late => Self::NotSent("it could not leave in its time"),
            WireError::Unaddressed => Self::NotSent("the address cannot be asked"),
            WireError::Unreached => Self::Unreached,
            WireError::Timeout => Self::Timeout,
            WireError::Connection => Self::Connection,
            WireError::TooLarge => Self::Unreadable("too large".to_owned()),
        }
    }
}

impl ServiceError {
    /// Classifies a status other than 200.
    pub(super) fn of_status(status: u16, retry_after: Option<Duration>) -> Self {
        match status {
            401 => Self::Unauthorized,
            408 | 429 => Self::Trouble {
                status,
                retry_after,
            },
            400..=499 => Self::Refused {
                status,
                messages: Vec::new(),
            },
            _ => Self::Trouble {
                status,
                retry_after,
            },
        }
    }

    /// How the sending of a request that moves money ended, for the rules.
    pub(crate) fn send_failure(&self) -> SendFailure {
        match self {
            Self::Timeout
            | Self::Connection
            | Self::Trouble { .. }
            | Self::Unreadable(_)
            | Self::NotAccepted { .. } => SendFailure::NoAnswer,
            Self::Unreached | Self::NotSent(_) => SendFailure::NotSent,
            Self::Unauthorized => SendFailure::TokenRejected,
            Self::Refused { status, messages } => SendFailure::Refused {
                status: *status,
                messages: messages.clone(),
            },
        }
    }

    /// True when the service may have carried the request out.
    pub(crate) fn leaves_doubt(&self) -> bool {
        self.send_failure() == SendFailure::NoAnswer
    }

    /// True when the request was never sent, so that the service cannot know it.
    pub(crate) fn never_left(&self) -> bool {
        self.send_failure() == SendFailure::NotSent
    }

    /// The transaction of an answer that is not accepted.
    pub(crate) fn transaction_id(&self) -> Option<&TransactionId> {
        match self {
            Self::NotAccepted { transaction_id, .. } => transaction_id.as_ref(),
            _ => None,
        }
    }

    /// The error of a query, for the rules.
    pub(crate) fn of_query(&self) -> QueryFailure {
        QueryFailure {
            reason: self.to_string(),
            is_unknown_there: matches!(
                self,
                Self::Refused {
                    status: 404 | 410,
                    ..
                }
            ),
        }
    }

    /// The backoff that the service asks for.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Trouble { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

/// Logs a failed request about an operation.
pub(crate) fn note_failure(key: &OperationKey, error: &ServiceError) {
    let number = key.number.as_str();
    tracing::warn!(merchant_operation_number = number, %error, "the payment service gave no usable answer");
}

#[cfg(test)]
mod tests {
    use super::ServiceError;

    #[test]
    fn only_a_clear_no_leaves_no_doubt() {
        let doubt = |status| ServiceError::of_status(status, None).leaves_doubt();
        for status in [
            400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 422, 431, 451,
        ] {
            assert!(!doubt(status), "{status}");
        }
        for status in [
            201, 202, 204, 301, 302, 307, 408, 429, 500, 502, 503, 504, 599,
        ] {
            assert!(doubt(status), "{status}");
        }
        assert!(ServiceError::Timeout.leaves_doubt());
        assert!(ServiceError::Connection.leaves_doubt());
        assert!(ServiceError::Unreadable(String::new()).leaves_doubt());
        assert!(!ServiceError::NotSent("").leaves_doubt());
    }
}
