use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The prefix of all problem types of the server.
const PREFIX: &str = "urn:payment-checkout:problem:";

/// Declares the problem types by their last parts.
macro_rules! types {
    ($($(#[$doc:meta])* $kind:ident = $word:literal,)+) => {
        /// The type of a problem in an answer to staff (`type` of `application/problem+json`).
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum ProblemType {
            $($(#[$doc])* $kind,)+
            /// A type that this version does not know, unchanged.
            Unknown(String),
        }

        impl ProblemType {
            /// All types but `Unknown`.
            pub const KNOWN: &'static [Self] = &[$(Self::$kind),+];

            /// The last part of the type, or the whole text of an unknown type.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$kind => $word,)+
                    Self::Unknown(text) => text,
                }
            }
        }

        impl From<&str> for ProblemType {
            /// Parses a type by its last part, since the prefix may differ between servers.
            fn from(text: &str) -> Self {
                match text.rsplit([':', '/']).next().unwrap_or_default() {
                    $($word => Self::$kind,)+
                    _ => Self::Unknown(text.to_owned()),
                }
            }
        }
    };
}

types! {
    /// The request cannot be parsed.
    BadRequest = "bad-request",
    /// The body has an unknown field.
    FieldNotAllowed = "field-not-allowed",
    /// The idempotency key is missing or malformed.
    IdempotencyKeyRequired = "idempotency-key-required",
    /// The idempotency key was used with another body.
    IdempotencyKeyReused = "idempotency-key-reused",
    /// The body was received too slowly.
    BodyTimeout = "body-timeout",
    /// The body is too large.
    BodyTooLarge = "body-too-large",
    /// The body is not JSON.
    UnsupportedMediaType = "unsupported-media-type",
    /// No account is signed in, or the session has ended.
    SignInRequired = "sign-in-required",
    /// The name or the password is wrong.
    SignInRefused = "sign-in-refused",
    /// The request needs a code of the second factor: at sign-in after the right password, or before an act with money
    /// because the session's last code is older than five minutes.
    SecondFactorRequired = "second-factor-required",
    /// A code is wrong, was used before or has expired.
    SecondFactorRefused = "second-factor-refused",
    /// The account may only look until it is enrolled.
    SecondFactorMissing = "second-factor-missing",
    /// Too many sign-in attempts or codes failed.
    TooManyRequests = "too-many-requests",
    /// The account lacks a permission; has the members of [`PermissionLacking`](crate::PermissionLacking).
    PermissionRequired = "permission-required",
    /// A page of another site sent the request.
    CrossSiteRequest = "cross-site-request",
    /// The resource does not exist, or the account may not see it.
    NotFound = "not-found",
    /// A request with the same idempotency key is still running.
    RequestRunning = "request-running",
    /// No refund was sent; has the members of [`RefundsRefused`](crate::RefundsRefused).
    RefundRefused = "refund-refused",
    /// The earlier refunds are currently unknown.
    RefundsUnknown = "refunds-unknown",
    /// The manual return cannot be recorded; has the members of [`ReturnRefused`](crate::ReturnRefused).
    ReturnRefused = "return-refused",
    /// The manual return has ended already; has the members of [`CurrentState`](crate::CurrentState).
    ReturnEnded = "return-ended",
    /// The payment cannot be reversed; has the members of [`ReversalRefused`](crate::ReversalRefused).
    ReversalRefused = "reversal-refused",
    /// The amount of a payment link is over a limit of the account; has the members of
    /// [`LinkRefused`](crate::LinkRefused).
    LinkRefused = "link-refused",
    /// Another member of staff must send this request.
    SecondPersonRequired = "second-person-required",
    /// The outcome is not unknown, so nothing can be released; may have the members of
    /// [`CurrentState`](crate::CurrentState).
    NotInDoubt = "not-in-doubt",
    /// The operation does not block its order, or has not blocked it for long enough.
    NotBlocked = "not-blocked",
    /// The exception cannot be resolved manually.
    NotResolvable = "not-resolvable",
    /// The operation is paid, but the request was for a cancellation only; has the members of
    /// [`CurrentState`](crate::CurrentState).
    OperationPaid = "operation-paid",
    /// The payment is settled already; has the members of [`CurrentState`](crate::CurrentState).
    OperationSettled = "operation-settled",
    /// The effect of a cancellation would not be certain; has the members of [`CurrentState`](crate::CurrentState)
    /// or [`Mismatched`](crate::Mismatched).
    CannotCancelNow = "cannot-cancel-now",
    /// The cancellation was sent, but not confirmed.
    CancelUnconfirmed = "cancel-unconfirmed",
    /// No answer of the service contained a transaction of the operation.
    NoTransaction = "no-transaction",
    /// The service rejected the request; has the members of [`ServiceRefused`](crate::ServiceRefused).
    ServiceRefused = "payment-service-refused",
    /// The service does not accept the server's access token.
    ServiceToken = "payment-service-token",
    /// The service gave no usable answer.
    ServiceUnavailable = "payment-service-unavailable",
    /// The server's database does not answer at the moment.
    NotReady = "not-ready",
    /// An internal error of the server.
    Internal = "internal",
}

impl Default for ProblemType {
    fn default() -> Self {
        Self::Unknown(String::new())
    }
}

impl ProblemType {
    /// The whole type with the server's prefix.
    #[must_use]
    pub fn uri(&self) -> String {
        match self {
            Self::Unknown(text) => text.clone(),
            known => [PREFIX, known.as_str()].concat(),
        }
    }
}

impl Serialize for ProblemType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.uri())
    }
}

impl<'de> Deserialize<'de> for ProblemType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::from(text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::ProblemType;

    #[test]
    fn types_survive_a_round_trip_and_new_ones_are_kept() {
        for known in ProblemType::KNOWN {
            let json = serde_json::to_string(known).unwrap();
            let expected = format!("\"urn:payment-checkout:problem:{}\"", known.as_str());
            assert_eq!(json, expected);
            assert_eq!(&serde_json::from_str::<ProblemType>(&json).unwrap(), known);
            let elsewhere = format!("https://shop.example/problems/{}", known.as_str());
            assert_eq!(&ProblemType::from(elsewhere.as_str()), known);
        }
        for new in ["urn:payment-checkout:problem:new", "about:blank", ""] {
            let problem = ProblemType::from(new);
            assert_eq!(problem, ProblemType::Unknown(new.to_owned()));
            assert_eq!(problem.uri(), new);
        }
    }
}
