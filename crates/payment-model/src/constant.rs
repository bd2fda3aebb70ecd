use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// Reads one word and refuses every other, in an error that names the field.
struct OneWord {
    field: &'static str,
    word: &'static str,
}

impl Visitor<'_> for OneWord {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to be \"{}\"", self.field, self.word)
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<(), E> {
        if word == self.word {
            Ok(())
        } else {
            Err(E::invalid_value(Unexpected::Str(word), &self))
        }
    }
}

/// Declares a type with one value, for the fields of requests that admit one word only.
macro_rules! constant {
    ($(#[$doc:meta])* $name:ident = $field:literal $word:literal as $typescript:literal) => {
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
            /// Fails on any other word and on a value that is no text; the message names the field.
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(OneWord { field: $field, word: $word }).map(|()| Self)
            }
        }
    };
}

constant! {
    /// The `action` of `POST /charges`: `authorize`.
    AuthorizeAction = "action" "authorize" as "'authorize'"
}
constant! {
    /// The `action` in the answer of `POST /refund`: `refund`.
    RefundAction = "action" "refund" as "'refund'"
}
constant! {
    /// The `channel` of a request: `ecommerce`.
    Channel = "channel" "ecommerce" as "'ecommerce'"
}

#[cfg(test)]
mod tests {
    use super::{AuthorizeAction, Channel, RefundAction};
    use serde::de::DeserializeOwned;

    #[test]
    fn one_word_is_read_and_any_other_refused_by_the_name_of_its_field() {
        fn check<T: DeserializeOwned + serde::Serialize>(word: &str, field: &str) {
            let json = serde_json::to_string(word).unwrap();
            let read: T = serde_json::from_str(&json).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), json);
            for wrong in ["\"\"", "\"AUTHORIZE\"", "\"cancel\"", "7", "null", "{}"] {
                let error = serde_json::from_str::<T>(wrong).err().unwrap().to_string();
                assert!(
                    error.contains(&format!("{field} to be {json}")),
                    "{wrong}: {error}"
                );
            }
        }
        check::<AuthorizeAction>("authorize", "action");
        check::<RefundAction>("refund", "action");
        check::<Channel>("ecommerce", "channel");
    }
}
