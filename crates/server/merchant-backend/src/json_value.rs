//! Reads a JSON value of any shape by rules of the caller: what its texts become, and what a repeated member means.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// The rules by which a value is read.
pub(crate) trait ValueRules: Copy {
    /// A text, or the name of a member, as it is kept.
    fn text(self, text: &str) -> String;

    /// The value of a member that has come before with another value.
    ///
    /// # Errors
    /// The value may not be read.
    fn differing<E: Error>(self, name: &str) -> Result<Value, E>;

    /// The value of a member that has come before with the same value.
    ///
    /// # Errors
    /// The value may not be read.
    fn repeated<E: Error>(self, name: &str, value: Value) -> Result<Value, E>;
}

/// A value that is read by these rules. The recursion is safe: the parser limits the depth.
#[derive(Clone, Copy)]
pub(crate) struct ReadValue<R>(pub(crate) R);

impl<'de, R: ValueRules> DeserializeSeed<'de> for ReadValue<R> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: ValueRules> Visitor<'de> for ReadValue<R> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(self.0.text(text).into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(self)? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let name = self.0.text(&name);
            let value = members.next_value_seed(self)?;
            let value = match fields.get(&name) {
                None => value,
                Some(first) if *first == value => self.0.repeated(&name, value)?,
                Some(_) => self.0.differing(&name)?,
            };
            fields.insert(name, value);
        }
        Ok(fields.into())
    }
}
