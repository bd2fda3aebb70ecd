//! Replacements for `serde_json`'s values without the feature `open-fields`, which keep only texts.
//!
//! A page that shows a payment needs no more: all named fields of processors and methods, which are read
//! from these values, are texts. The page does not download the code of `serde_json::Value`. Servers pass
//! answers on, and need the feature.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;

/// A JSON value that keeps only texts, and the texts in objects. With the feature `open-fields` it is
/// `serde_json::Value`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OpenValue {
    /// Null, or a value that is not kept.
    #[default]
    Null,
    /// A text.
    String(String),
    /// An object.
    Object(OpenFields),
}

/// A JSON object with keys that the specification leaves open, such as `additional_fields`, of which only
/// texts are kept. With the feature `open-fields` it is `serde_json::Map`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpenFields(Vec<(String, OpenValue)>);

impl OpenValue {
    /// The text, or `None` for any other value.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// True for null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        *self == Self::Null
    }
}

impl OpenFields {
    /// Creates an object without fields.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a field.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OpenValue> {
        let field = self.0.iter().find(|(key, _)| key == name);
        field.map(|(_, value)| value)
    }

    /// Sets a field, and returns its previous value.
    pub fn insert(&mut self, name: String, value: OpenValue) -> Option<OpenValue> {
        let before = self.remove(&name);
        self.0.push((name, value));
        before
    }

    /// Removes a field, and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<OpenValue> {
        let at = self.0.iter().position(|(key, _)| key == name)?;
        Some(self.0.swap_remove(at).1)
    }

    /// The names of the fields.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The number of fields.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when the object has no fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl IntoIterator for OpenFields {
    type Item = (String, OpenValue);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Extend<(String, OpenValue)> for OpenFields {
    fn extend<I: IntoIterator<Item = (String, OpenValue)>>(&mut self, fields: I) {
        for (name, value) in fields {
            self.insert(name, value);
        }
    }
}

impl Serialize for OpenValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::String(text) => serializer.serialize_str(text),
            Self::Object(fields) => fields.serialize(serializer),
        }
    }
}

impl Serialize for OpenFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for OpenValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

impl<'de> Deserialize<'de> for OpenFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match OpenValue::deserialize(deserializer)? {
            OpenValue::Object(fields) => Ok(fields),
            _ => Err(D::Error::custom("expected an object")),
        }
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = OpenValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<OpenValue, E> {
        Ok(OpenValue::Null)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<OpenValue, E> {
        Ok(OpenValue::Null)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<OpenValue, E> {
        Ok(OpenValue::Null)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<OpenValue, E> {
        Ok(OpenValue::Null)
    }

    fn visit_unit<E: Error>(self) -> Result<OpenValue, E> {
        Ok(OpenValue::Null)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<OpenValue, E> {
        Ok(OpenValue::String(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<OpenValue, E> {
        Ok(OpenValue::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<OpenValue, A::Error> {
        while items.next_element::<OpenValue>()?.is_some() {}
        Ok(OpenValue::Null)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<OpenValue, A::Error> {
        let mut fields = OpenFields::new();
        while let Some((name, value)) = entries.next_entry()? {
            fields.insert(name, value);
        }
        Ok(OpenValue::Object(fields))
    }
}
