//! Writes our types as values for the browser's own JSON writer.

use super::Wrong;
use js_sys::{Array, Object, Reflect};
use serde::ser::{
    Error, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple,
    Serializer,
};
use std::fmt;
use wasm_bindgen::JsValue;

impl Error for Wrong {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// Makes a value. Variants of enums are words: one with content has no form here, and is refused.
pub(super) struct Writer;

/// The fields of an object that is being made.
pub(super) struct Fields {
    object: Object,
    key: JsValue,
}

impl Fields {
    fn new() -> Self {
        Self {
            object: Object::new(),
            key: JsValue::NULL,
        }
    }

    fn put(&self, key: &JsValue, value: &JsValue) {
        // Fails for objects alone that forbid it.
        let _ = Reflect::set(&self.object, key, value);
    }
}

/// An array that is being made.
pub(super) struct Items(Array);

impl Serializer for Writer {
    type Ok = JsValue;
    type Error = Wrong;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Impossible<JsValue, Wrong>;
    type SerializeTupleVariant = Impossible<JsValue, Wrong>;
    type SerializeMap = Fields;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Impossible<JsValue, Wrong>;

    fn serialize_bool(self, value: bool) -> Result<JsValue, Wrong> {
        Ok(JsValue::from_bool(value))
    }

    fn serialize_i8(self, value: i8) -> Result<JsValue, Wrong> {
        self.serialize_f64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<JsValue, Wrong> {
        self.serialize_f64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<JsValue, Wrong> {
        self.serialize_f64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<JsValue, Wrong> {
        // Beyond, a JavaScript number is no exact one.
        if value.unsigned_abs() >= 1 << 53 {
            return Err(Wrong);
        }
        #[expect(clippy::cast_precision_loss, reason = "it is exact")]
        self.serialize_f64(value as f64)
    }

    fn serialize_u8(self, value: u8) -> Result<JsValue, Wrong> {
        self.serialize_f64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<JsValue, Wrong> {
        self.serialize_f64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<JsValue, Wrong> {
        self.serialize_f64(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<JsValue, Wrong> {
        self.serialize_i64(value.try_into().map_err(|_| Wrong)?)
    }

    fn serialize_f32(self, value: f32) -> Result<JsValue, Wrong> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<JsValue, Wrong> {
        Ok(JsValue::from_f64(value))
    }

    fn serialize_char(self, value: char) -> Result<JsValue, Wrong> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<JsValue, Wrong> {
        Ok(JsValue::from_str(value))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<JsValue, Wrong> {
        Err(Wrong)
    }

    fn serialize_none(self) -> Result<JsValue, Wrong> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<JsValue, Wrong> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<JsValue, Wrong> {
        Ok(JsValue::NULL)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<JsValue, Wrong> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        word: &'static str,
    ) -> Result<JsValue, Wrong> {
        self.serialize_str(word)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<JsValue, Wrong> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<JsValue, Wrong> {
        Err(Wrong)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, Wrong> {
        Ok(Items(Array::new()))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items, Wrong> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Wrong> {
        Err(Wrong)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Wrong> {
        Err(Wrong)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Fields, Wrong> {
        Ok(Fields::new())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields, Wrong> {
        Ok(Fields::new())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Wrong> {
        Err(Wrong)
    }
}

impl SerializeSeq for Items {
    type Ok = JsValue;
    type Error = Wrong;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Wrong> {
        self.0.push(&value.serialize(Writer)?);
        Ok(())
    }

    fn end(self) -> Result<JsValue, Wrong> {
        Ok(self.0.into())
    }
}

impl SerializeTuple for Items {
    type Ok = JsValue;
    type Error = Wrong;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Wrong> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<JsValue, Wrong> {
        SerializeSeq::end(self)
    }
}

impl SerializeStruct for Fields {
    type Ok = JsValue;
    type Error = Wrong;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Wrong> {
        self.put(&JsValue::from_str(name), &value.serialize(Writer)?);
        Ok(())
    }

    fn end(self) -> Result<JsValue, Wrong> {
        Ok(self.object.into())
    }
}

impl SerializeMap for Fields {
    type Ok = JsValue;
    type Error = Wrong;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Wrong> {
        self.key = key.serialize(Writer)?;
        if self.key.is_string() {
            Ok(())
        } else {
            Err(Wrong)
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Wrong> {
        self.put(&self.key, &value.serialize(Writer)?);
        Ok(())
    }

    fn end(self) -> Result<JsValue, Wrong> {
        Ok(self.object.into())
    }
}
