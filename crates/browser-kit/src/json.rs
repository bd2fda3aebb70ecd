//! Converts between our types and the values of the browser's own JSON.
//!
//! `serde-wasm-bindgen` does it too, for any value and with an error that names the mistake. Here
//! an answer that breaks the contract is of no use, and its exact mistake does not matter. Leaving
//! the messages out saves a tenth of the download.

mod writer;

use js_sys::{Array, JsString, Object, Reflect};
use serde::de::value::StringDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess,
    Visitor,
};
use serde::{Serialize, forward_to_deserialize_any};
use std::fmt;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// js-sys takes a text of ours, and this one need not become one.
    #[wasm_bindgen(catch, js_namespace = JSON, js_name = parse)]
    fn parse_text(text: &JsString) -> Result<JsValue, JsValue>;
}

/// Reads a text of the browser's by the browser's own parser.
#[must_use]
pub fn parse(text: &JsString) -> Option<JsValue> {
    parse_text(text).ok()
}

/// Reads a value that came out of `JSON.parse`.
pub fn read<T: DeserializeOwned>(value: JsValue) -> Option<T> {
    T::deserialize(Json(value)).ok()
}

/// A value of ours as a JavaScript value, with objects for maps.
pub fn to_value(value: &impl Serialize) -> Option<JsValue> {
    value.serialize(writer::Writer).ok()
}

/// A value of ours as the text of JSON.
pub fn write(value: &impl Serialize) -> Option<String> {
    js_sys::JSON::stringify(&to_value(value)?).ok()?.as_string()
}

/// The value breaks the contract. The error has no details.
#[derive(Debug)]
struct Wrong;

impl fmt::Display for Wrong {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Wrong {}

impl Error for Wrong {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// A value of JSON; `undefined` stands for a field that is not there.
struct Json(JsValue);

impl Json {
    fn object(&self) -> Result<Object, Wrong> {
        if self.0.is_object() && !Array::is_array(&self.0) {
            Ok(Object::from(self.0.clone()))
        } else {
            Err(Wrong)
        }
    }

    fn number<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let number = self.0.as_f64().ok_or(Wrong)?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole numbers alone are kept"
        )]
        let whole = number as i64;
        // Above, a JavaScript number is no exact one.
        #[expect(clippy::cast_precision_loss, reason = "it is compared after the loss")]
        if whole as f64 == number && whole.unsigned_abs() < 1 << 53 {
            visitor.visit_i64(whole)
        } else {
            visitor.visit_f64(number)
        }
    }
}

impl<'de> Deserializer<'de> for Json {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        if self.0.is_null() {
            visitor.visit_unit()
        } else if let Some(value) = self.0.as_bool() {
            visitor.visit_bool(value)
        } else if let Some(text) = self.0.as_string() {
            visitor.visit_string(text)
        } else if self.0.is_object() {
            if Array::is_array(&self.0) {
                self.deserialize_seq(visitor)
            } else {
                self.deserialize_map(visitor)
            }
        } else {
            self.number(visitor)
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_string(self.0.as_string().ok_or(Wrong)?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_string(visitor)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.number(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.number(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        if self.0.is_null() || self.0.is_undefined() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        if !Array::is_array(&self.0) {
            return Err(Wrong);
        }
        visitor.visit_seq(Items(Array::from(&self.0).into_iter()))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let entries = Object::entries(&self.object()?).into_iter();
        visitor.visit_map(Entries {
            entries,
            value: JsValue::UNDEFINED,
        })
    }

    /// A struct asks for its fields by their names, in its own order, instead of comparing the
    /// name of every field that came: half the code. It follows that a field has one name:
    /// `#[serde(alias)]` would shift the fields behind it.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_seq(Fields {
            object: self.object()?,
            names: names.iter(),
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let word: StringDeserializer<Wrong> = self.0.as_string().ok_or(Wrong)?.into_deserializer();
        visitor.visit_enum(word)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i128 u8 u16 u64 u128 f32 f64 char bytes byte_buf
        unit unit_struct tuple_struct identifier ignored_any
    }
}

/// The items of an array.
struct Items(js_sys::ArrayIntoIter);

impl<'de> SeqAccess<'de> for Items {
    type Error = Wrong;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Wrong> {
        self.0
            .next()
            .map(|item| seed.deserialize(Json(item)))
            .transpose()
    }
}

/// The fields of a struct.
struct Fields {
    object: Object,
    names: std::slice::Iter<'static, &'static str>,
}

impl Fields {
    fn next_value(&mut self) -> Result<JsValue, Wrong> {
        let name = self.names.next().ok_or(Wrong)?;
        Reflect::get(&self.object, &JsValue::from_str(name)).map_err(|_| Wrong)
    }
}

impl<'de> SeqAccess<'de> for Fields {
    type Error = Wrong;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Wrong> {
        let value = self.next_value()?;
        let missing = value.is_undefined();
        let read = seed.deserialize(Json(value));
        // Without a value the field takes its default, or the struct is refused.
        if missing {
            Ok(read.ok())
        } else {
            read.map(Some)
        }
    }
}

/// The keys and values of an object that may have any.
struct Entries {
    entries: js_sys::ArrayIntoIter,
    value: JsValue,
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Wrong;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Wrong> {
        let Some(entry) = self.entries.next() else {
            return Ok(None);
        };
        let entry = Array::from(&entry);
        self.value = entry.get(1);
        seed.deserialize(Json(entry.get(0))).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Wrong> {
        seed.deserialize(Json(std::mem::take(&mut self.value)))
    }
}

#[cfg(target_family = "wasm")]
#[cfg(test)]
mod tests;
