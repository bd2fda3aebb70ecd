use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// Declares a type with one value, for the fields of requests that admit one word only.
macro_rules! constant {
    ($(#[$doc:meta])* $name:ident = $word:literal as $typescript:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        #[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(type = $typescript))]
        pub struct $name;

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($word)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            /// # Errors
            /// Any other word.
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if String::deserialize(deserializer)? == $word {
                    Ok(Self)
                } else {
                    Err(D::Error::custom(concat!("must be \"", $word, "\"")))
                }
            }
        }
    };
}

constant! {
    /// The `action` of `POST /charges`: `authorize`.
    AuthorizeAction = "authorize" as "'authorize'"
}
constant! {
    /// The `action` in the answer of `POST /refund`: `refund`.
    RefundAction = "refund" as "'refund'"
}
constant! {
    /// The `channel` of a request: `ecommerce`.
    Channel = "ecommerce" as "'ecommerce'"
}
