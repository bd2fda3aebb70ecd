//! Tolerant deserializers. Of an answer only what decides may make it unreadable; every other member may be
//! missing, null, or of any other form. A browser reads what its own server wrote, and so tolerates less: a text of
//! any form, and objects and lists that are missing, null or empty. What decides, and the rule that decides by it:
//!
//! | Member | Rule |
//! |---|---|
//! | `success`, `meta.status.code` | whether the answer counts at all |
//! | `merchant_code`, `merchant_operation_number` | whether it is about this operation |
//! | `transactions`, `transaction_id` | which of its transactions is meant |
//! | `amount`, `currency` | whether it is the payment of this order |
//! | `state` of the transaction | whether it is paid; another form is an unknown state, which ends nothing |
//! | `state` of the operation | whether it contradicts its transaction's, which is then unknown; another form contradicts nothing |
//! | `lifecycle` of `CANCELADO` | whether a payment was given back: a form that cannot be read makes the answer unreadable |
//! | `expiration_date` while pending | until when it can be paid; another form leaves the known deadline as it was |
//! | `operations`, `operations_count` of a list of refunds | whether the list has all refunds |
//! | `refund_id`, `refund_amount`, `additional_fields.attempt_id` of a refund | which refund it is, and what it takes; another form makes the list incomplete, or the refund one of the whole amount |

use crate::{OpenFields, OpenValue};
use serde::de::{self, Deserialize, DeserializeOwned, Deserializer, Visitor};
use serde::ser::Serializer;
use std::fmt;

/// The methods of a visitor for scalars that are not expected.
macro_rules! other_scalars {
    ($value:expr; $($method:ident($scalar:ty))*) => {
        $(fn $method<E: serde::de::Error>(self, _: $scalar) -> Result<Self::Value, E> {
            Ok($value)
        })*
        fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
            Ok($value)
        }
    };
}

/// The methods of a visitor for lists and objects that are not expected.
macro_rules! other_collections {
    ($value:expr) => {
        fn visit_seq<A: serde::de::SeqAccess<'de>>(
            self,
            mut items: A,
        ) -> Result<Self::Value, A::Error> {
            while items.next_element::<serde::de::IgnoredAny>()?.is_some() {}
            Ok($value)
        }

        fn visit_map<A: serde::de::MapAccess<'de>>(
            self,
            mut fields: A,
        ) -> Result<Self::Value, A::Error> {
            use serde::de::IgnoredAny;

            while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok($value)
        }
    };
}

pub(crate) use {other_collections, other_scalars};

/// Reads any scalar as text, and any other value as the empty text.
pub(crate) struct WordVisitor;

impl<'de> Visitor<'de> for WordVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a word")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<String, E> {
        Ok(word.to_owned())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<String, E> {
        Ok(if value { "true" } else { "false" }.to_owned())
    }

    other_scalars!(String::new(); visit_f64(f64));
    other_collections!(String::new());
}

/// The objects of a list.
pub(crate) struct Objects<T> {
    pub(crate) items: Vec<T>,
    /// True for null, and for a list of objects.
    pub(crate) is_whole: bool,
}

impl<T> Default for Objects<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            is_whole: true,
        }
    }
}

/// Reads an object on which no decision depends; `None` for any other value.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn object_if_any<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let value = serde_json::Value::deserialize(deserializer)?;
    let object = value.is_object().then(|| T::deserialize(value));
    object.transpose().map_err(de::Error::custom)
}

/// The same in a browser, where an object is an object, a list or null: a browser reads what its own server wrote,
/// and the readers above would cost a payer four kilobytes.
#[cfg(target_family = "wasm")]
pub(crate) fn object_if_any<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Option::<T>::deserialize(deserializer)
}

#[cfg(not(target_family = "wasm"))]
impl<'de, T: DeserializeOwned> Deserialize<'de> for Objects<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde_json::Value;

        let list = match Value::deserialize(deserializer)? {
            Value::Null => Vec::new(),
            Value::Array(list) => list,
            _ => vec![Value::Null],
        };
        let all = list.len();
        let objects = list.into_iter().filter(Value::is_object);
        let items: Result<Vec<T>, _> = objects.map(T::deserialize).collect();
        let items = items.map_err(de::Error::custom)?;
        Ok(Self {
            is_whole: items.len() == all,
            items,
        })
    }
}

#[cfg(target_family = "wasm")]
impl<'de, T: DeserializeOwned> Deserialize<'de> for Objects<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = Option::<Vec<T>>::deserialize(deserializer)?;
        Ok(Self {
            items: items.unwrap_or_default(),
            is_whole: true,
        })
    }
}

/// Reads an object on which no decision depends; the default for any other value.
pub(crate) fn object<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    object_if_any(deserializer).map(Option::unwrap_or_default)
}

/// Reads the objects of a list on which no decision depends.
pub(crate) fn objects<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Objects::deserialize(deserializer).map(|objects| objects.items)
}

/// Reads a text on which no decision depends, such as a reason or a message. Any scalar is accepted; any
/// other value becomes the empty text.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    deserializer.deserialize_any(WordVisitor)
}

/// Reads an optional text like [`text`]. The empty text becomes `None`.
pub(crate) fn text_if_any<'de, D>(deserializer: D) -> Result<Option<String>, D::Error>
where
    D: Deserializer<'de>,
{
    text(deserializer).map(|text| Some(text).filter(|text| !text.is_empty()))
}

/// Reads an identifier or an amount like [`text`].
pub(crate) fn word<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: From<String>,
{
    text(deserializer).map(T::from)
}

/// Reads an optional identifier like [`text_if_any`].
pub(crate) fn word_if_any<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: From<String>,
{
    text_if_any(deserializer).map(|text| text.map(T::from))
}

/// Reads a text; `None` for any other value.
pub(crate) fn only_text<'de, D>(deserializer: D) -> Result<Option<String>, D::Error>
where
    D: Deserializer<'de>,
{
    let value = OpenValue::deserialize(deserializer)?;
    Ok(value.as_str().map(str::to_owned))
}

/// The condition of `skip_serializing_if`. With `Option::is_none` the TypeScript generator would declare
/// that the field is never null, but all deserializers here accept null.
pub(crate) fn absent<T>(field: &Option<T>) -> bool {
    field.is_none()
}

/// Reads null as the default value, like an absent field.
pub(crate) fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// The name of a member for a value that should be an object with any keys, and is none.
pub(crate) const UNREADABLE_FIELDS: &str = "";

/// Reads an object with any keys. Null and the empty list, which some languages write for an object without
/// members, are no object; any other value is kept under [`UNREADABLE_FIELDS`], so that a reader may notice it.
///
/// It requests a value of any type from the deserializer, and not a map: `serde-wasm-bindgen` would accept a
/// list as a map's pairs, and throw an uncaught JavaScript exception if an item of the list is null.
pub(crate) fn open_fields<'de, D>(deserializer: D) -> Result<Option<OpenFields>, D::Error>
where
    D: Deserializer<'de>,
{
    let value = Option::<OpenValue>::deserialize(deserializer)?;
    Ok(match value {
        None | Some(OpenValue::Null) => None,
        Some(OpenValue::Object(fields)) => Some(fields),
        #[cfg(feature = "open-fields")]
        Some(OpenValue::Array(items)) if items.is_empty() => None,
        Some(value) => {
            let mut fields = OpenFields::new();
            fields.insert(UNREADABLE_FIELDS.to_owned(), value);
            Some(fields)
        }
    })
}

/// Reads `success`, which is a boolean in some answers and the text of one in others. Every other value
/// is `false`.
pub(crate) fn success<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    text(deserializer).map(|word| word.eq_ignore_ascii_case("true"))
}

/// Writes `success` as text, for the answers in which the specification shows it as text.
pub(crate) fn success_as_text<S: Serializer>(
    success: &bool,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if *success { "true" } else { "false" })
}

#[cfg(test)]
mod tests {
    use super::{success, text};

    #[test]
    fn any_scalar_is_a_text_and_anything_else_is_the_empty_one() {
        for (json, expected) in [
            ("\"Pagado\"", "Pagado"),
            ("7", "7"),
            ("-7", "-7"),
            ("1.5", ""),
            ("true", "true"),
            ("false", "false"),
            ("null", ""),
            ("{\"a\":[1]}", ""),
            ("[[1]]", ""),
        ] {
            let read = text(&mut serde_json::Deserializer::from_str(json)).unwrap();
            assert_eq!(read, expected, "{json}");
        }
    }

    #[test]
    fn only_true_is_true() {
        let read = |json: &str| success(&mut serde_json::Deserializer::from_str(json)).unwrap();
        for json in ["true", "\"true\"", "\"True\"", "\"TRUE\""] {
            assert!(read(json), "{json}");
        }
        for json in [
            "false",
            "\"false\"",
            "\"\"",
            "null",
            "0",
            "1",
            "1.5",
            "\"yes\"",
            "[true]",
            "{}",
        ] {
            assert!(!read(json), "{json}");
        }
    }
}
