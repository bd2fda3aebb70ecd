//! JSON in which no object has a field twice. Of two fields of one name most parsers take the
//! last, some the first: two readers of one body would see two requests. No library refuses them
//! in a value of any shape.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Why a text cannot be read.
#[derive(Debug)]
pub(super) enum Unread {
    /// This field, named with its path, came more than once.
    Repeated(String),
    /// It is not JSON.
    Wrong(serde_json::Error),
}

/// Reads a JSON text and nothing after it.
pub(super) fn read_json(text: &[u8]) -> Result<Value, Unread> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let Unrepeated(value) = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // Every value is of the kind that is wanted, so that only a repetition can be wrong in it.
        if error.inner().is_data() {
            Unread::Repeated(error.path().to_string())
        } else {
            Unread::Wrong(error.into_inner())
        }
    })?;
    json.end().map_err(Unread::Wrong)?;
    Ok(value)
}

/// A value in which no field is repeated.
struct Unrepeated(Value);

impl<'de> Deserialize<'de> for Unrepeated {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(AnyValue).map(Self)
    }
}

/// A field that is there already.
struct Repeated;

impl<'de> Deserialize<'de> for Repeated {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("a repeated field"))
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unrepeated(value)) = items.next_element()? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            if fields.contains_key(&name) {
                // It is refused where its value begins: the path leads to it then.
                entries.next_value::<Repeated>()?;
            }
            let Unrepeated(value) = entries.next_value()?;
            fields.insert(name, value);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::{Unread, read_json};
    use serde_json::Value;

    #[test]
    fn a_text_without_repetition_is_read_as_any_parser_reads_it() {
        for text in [
            "null",
            "true",
            "-7",
            "18446744073709551615",
            "1.5e3",
            r#""a\u0041\n""#,
            "[]",
            r#"{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":""}}"#,
        ] {
            let usual: Value = serde_json::from_str(text).unwrap();
            assert_eq!(read_json(text.as_bytes()).unwrap(), usual);
        }
    }

    #[test]
    fn a_repeated_field_is_named_with_its_path() {
        for (text, field) in [
            (r#"{"a":1,"a":1}"#, "a"),
            (r#"{"a":1,"b":2,"\u0061":null}"#, "a"),
            (r#"{"a":{"b":1,"b":2}}"#, "a.b"),
            (r#"{"a":[{},[{"b":1,"c":{},"b":2}]]}"#, "a[1][0].b"),
            (r#"{"":1,"":2}"#, ""),
        ] {
            match read_json(text.as_bytes()) {
                Err(Unread::Repeated(named)) => assert_eq!(named, field),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_is_no_json_is_refused_as_before() {
        let deep = "[".repeat(10_000);
        for text in ["", "{", "{} x", r#"{"a":1,}"#, "1e999", &deep] {
            assert!(
                matches!(read_json(text.as_bytes()), Err(Unread::Wrong(_))),
                "{text:.20}"
            );
        }
    }
}
