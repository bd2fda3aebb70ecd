use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The beginning of every type of the server's.
const PREFIX: &str = "urn:payment-checkout:problem:";

/// Declares the closed list of types by the last parts of their names.
macro_rules! types {
    ($($(#[$doc:meta])* $kind:ident = $word:literal,)+) => {
        /// The type of a problem in an answer to staff (`type` of `application/problem+json`).
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum ProblemType {
            $($(#[$doc])* $kind,)+
            /// A type that this version does not know, kept as it came.
            Unknown(String),
        }

        impl ProblemType {
            /// Every type once, without `Unknown`.
            pub const KNOWN: &'static [Self] = &[$(Self::$kind),+];

            /// The last part of the type; the whole text of an unknown one.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$kind => $word,)+
                    Self::Unknown(text) => text,
                }
            }
        }

        impl From<&str> for ProblemType {
            /// Reads the type by its last part, since every server names its problems in an
            /// address of its own.
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
    /// The request cannot be read.
    BadRequest = "bad-request",
    /// The body has a field that does not belong there.
    FieldNotAllowed = "field-not-allowed",
    /// The idempotency key is missing or malformed.
    IdempotencyKeyRequired = "idempotency-key-required",
    /// The key was used with another body.
    IdempotencyKeyReused = "idempotency-key-reused",
    /// The body came too slowly.
    BodyTimeout = "body-timeout",
    /// The body is too large.
    BodyTooLarge = "body-too-large",
    /// The body is not JSON.
    UnsupportedMediaType = "unsupported-media-type",
    /// No account is signed in, or the session has ended.
    SignInRequired = "sign-in-required",
    /// The name or the password is wrong.
    SignInRefused = "sign-in-refused",
    /// Too many attempts to sign in failed.
    TooManyRequests = "too-many-requests",
    /// The account may not do it; carries [`PermissionLacking`](crate::PermissionLacking).
    PermissionRequired = "permission-required",
    /// Another site's page sent it.
    CrossSiteRequest = "cross-site-request",
    /// It does not exist, or the account may not see it.
    NotFound = "not-found",
    /// The same request is still being worked on.
    RequestRunning = "request-running",
    /// Nothing was refunded; carries [`RefundsRefused`](crate::RefundsRefused).
    RefundRefused = "refund-refused",
    /// The earlier refunds are not known now.
    RefundsUnknown = "refunds-unknown",
    /// A return cannot be recorded; carries [`ReturnRefused`](crate::ReturnRefused).
    ReturnRefused = "return-refused",
    /// The return has ended already; carries [`Standing`](crate::Standing).
    ReturnEnded = "return-ended",
    /// The payment cannot be reversed; carries [`ReversalRefused`](crate::ReversalRefused).
    ReversalRefused = "reversal-refused",
    /// Another member of staff has to do this.
    SecondPersonRequired = "second-person-required",
    /// Only a doubt can be released; may carry [`Standing`](crate::Standing).
    NotInDoubt = "not-in-doubt",
    /// The operation blocks no order, or not for long.
    NotBlocked = "not-blocked",
    /// The exception cannot be resolved by hand.
    NotResolvable = "not-resolvable",
    /// The operation is paid, and the request was for a cancellation only; carries
    /// [`Standing`](crate::Standing).
    OperationPaid = "operation-paid",
    /// The payment is settled; carries [`Standing`](crate::Standing).
    OperationSettled = "operation-settled",
    /// The effect of a cancellation is not certain; carries [`Standing`](crate::Standing) or
    /// [`Mismatched`](crate::Mismatched).
    CannotCancelNow = "cannot-cancel-now",
    /// The cancellation was sent and not confirmed.
    CancelUnconfirmed = "cancel-unconfirmed",
    /// The service never named a transaction of the operation.
    NoTransaction = "no-transaction",
    /// The service refused; carries [`ServiceRefused`](crate::ServiceRefused).
    ServiceRefused = "payment-service-refused",
    /// The service does not accept the server's access token.
    ServiceToken = "payment-service-token",
    /// The service gave no usable answer.
    ServiceUnavailable = "payment-service-unavailable",
    /// The server's database does not answer now.
    NotReady = "not-ready",
    /// The server failed.
    Internal = "internal",
}

impl Default for ProblemType {
    fn default() -> Self {
        Self::Unknown(String::new())
    }
}

impl ProblemType {
    /// The whole type, as the server writes it.
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
