//! Tolerant deserializers for fields whose form varies between answers.

use crate::{OpenFields, OpenValue};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::Serializer;
use std::fmt;

/// Reads any scalar as text: an answer must not become unreadable because one field has another type.
pub(crate) struct WordVisitor;

impl Visitor<'_> for WordVisitor {
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

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<String, E> {
        Ok(String::new())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<String, E> {
        Ok(if value { "true" } else { "false" }.to_owned())
    }

    fn visit_unit<E: de::Error>(self) -> Result<String, E> {
        Ok(String::new())
    }
}

/// Reads a text on which no decision depends, such as a reason or a message. Any scalar is accepted; null
/// becomes the empty text.
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

/// Reads an object with any keys, or null. It requests a value of any type from the deserializer, and
/// not a map: `serde-wasm-bindgen` would accept a list as a map's pairs, and throw an uncaught JavaScript
/// exception if an item of the list is null.
pub(crate) fn open_fields<'de, D>(deserializer: D) -> Result<Option<OpenFields>, D::Error>
where
    D: Deserializer<'de>,
{
    match Option::<OpenValue>::deserialize(deserializer)? {
        None => Ok(None),
        Some(OpenValue::Object(fields)) => Ok(Some(fields)),
        Some(_) => Err(de::Error::custom("expected an object")),
    }
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
    fn any_scalar_is_a_text_and_nothing_else_is() {
        let read = |json: &str| {
            text(&mut serde_json::Deserializer::from_str(json)).map_err(|error| error.to_string())
        };
        for (json, expected) in [
            ("\"Pagado\"", "Pagado"),
            ("7", "7"),
            ("-7", "-7"),
            ("1.5", ""),
            ("true", "true"),
            ("false", "false"),
            ("null", ""),
        ] {
            assert_eq!(read(json).as_deref(), Ok(expected), "{json}");
        }
        for json in ["{}", "[]"] {
            let error = read(json).unwrap_err();
            assert!(error.contains("expected a word"), "{json}: {error}");
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
        ] {
            assert!(!read(json), "{json}");
        }
    }
}
