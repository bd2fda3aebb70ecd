use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// Declares an enum of the specified words, with the variant `Unknown` for every other word.
///
/// Another scalar (a number, a boolean, null) is parsed as `Unknown` too: a new word must not make a
/// whole answer unreadable.
macro_rules! wire_enum {
    (
        $(#[$doc:meta])*
        pub enum $name:ident as $typescript:literal {
            $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(type = $typescript))]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
            /// A word that the specification does not list, unchanged.
            Unknown(String),
        }

        impl $name {
            /// The values of the specification, in its order.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant),+];

            /// Their words in JSON.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Unknown(word) => word,
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Unknown(String::new())
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$variant,)+
                    other => Self::Unknown(other.to_owned()),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any($crate::lenient::WordVisitor).map(|word| Self::from(word.as_str()))
            }
        }

        #[cfg(test)]
        #[test]
        fn words_survive_a_round_trip() {
            for value in $name::KNOWN {
                let json = serde_json::to_string(value).unwrap();
                assert_eq!(&serde_json::from_str::<$name>(&json).unwrap(), value);
                assert!($typescript.contains(&format!("'{value}'")), "{value} is not in the TypeScript type");
            }
            for word in ["\"NUEVO\"", "\"\"", "\"autorizado\""] {
                let value: $name = serde_json::from_str(word).unwrap();
                assert!(matches!(value, $name::Unknown(_)));
                assert_eq!(serde_json::to_string(&value).unwrap(), word);
            }
            for word in ["null", "7", "1.5", "true"] {
                assert!(matches!(serde_json::from_str(word).unwrap(), $name::Unknown(_)));
            }
        }
    };
}

pub(crate) use wire_enum;

/// Accepts exactly one word. The error names the field.
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

/// Declares a unit type for a field whose only allowed value is one word.
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
            /// The value is another word or not a text; the message names the field.
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(OneWord { field: $field, word: $word }).map(|()| Self)
            }
        }
    };
}

constant! {
    /// The `action` of `POST /charges`, which is always `authorize`.
    AuthorizeAction = "action" "authorize" as "'authorize'"
}
constant! {
    /// The `action` in the answer of `POST /refund`, which is always `refund`.
    RefundAction = "action" "refund" as "'refund'"
}
constant! {
    /// The `channel` of `POST /charges`, which is always `ecommerce`.
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
