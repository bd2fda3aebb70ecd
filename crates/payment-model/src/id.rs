use serde::{Deserialize, Serialize};
use std::fmt;

/// Declares a newtype over the text of an identifier, so that no two kinds can be mixed up.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
        #[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The identifier with exactly this text.
            #[must_use]
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text as it came.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

id! {
    /// The merchant's code at the payment service (`merchant_code`).
    MerchantCode
}
id! {
    /// The merchant's own identifier of one attempt to pay (`merchant_operation_number`);
    /// different for every transaction (Limits).
    MerchantOperationNumber
}
id! {
    /// The service's identifier of a transaction (`transaction_id`).
    TransactionId
}
id! {
    /// The service's identifier of a refund (`refund_id`).
    RefundId
}
