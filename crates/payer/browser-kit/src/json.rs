//! Converts between our types and the values of the browser's own JSON. Nothing else calls
//! `serde_wasm_bindgen`.
//!
//! It reads as `serde_json` does, with one difference: it asks an object only for the fields that a
//! type declares, so `deny_unknown_fields` refuses nothing here. That attribute is the server's.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use wasm_bindgen::JsValue;

/// A value breaks the contract.
///
/// Of the reader's own error only the place is kept: its sentence quotes the value, which may be the
/// name of a person.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the field {path} breaks the contract")]
pub struct FieldError {
    /// The field, as in `operation.transactions[0].amount`; empty if it is the whole value.
    ///
    /// It has only names that our types declare, and indexes. A map with any keys must hold values
    /// of any kind: then nothing in it can fail, and none of its keys gets into a path.
    pub path: String,
}

impl FieldError {
    fn new(error: &serde_path_to_error::Error<serde_wasm_bindgen::Error>) -> Self {
        let mut path = error.path().to_string();
        // The way to write an empty path.
        if path == "." {
            path.clear();
        }
        // A missing field has no place of its own; the error is that of the object around it.
        let sentence = error.inner().to_string();
        let missing = sentence.strip_prefix("Error: missing field `");
        if let Some(name) = missing.and_then(|rest| rest.strip_suffix('`')) {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
        }
        Self { path }
    }
}

/// Reads a text by the browser's own parser.
#[must_use]
pub fn parse(text: &str) -> Option<JsValue> {
    js_sys::JSON::parse(text).ok()
}

/// Reads a value that came out of the browser's parser; `None` if it breaks the contract.
#[must_use]
pub fn read<T: DeserializeOwned>(value: JsValue) -> Option<T> {
    serde_wasm_bindgen::from_value(value).ok()
}

/// Reads a text; `None` if it is not JSON or breaks the contract.
#[must_use]
pub fn read_text<T: DeserializeOwned>(text: &str) -> Option<T> {
    read(parse(text)?)
}

/// Reads like [`read`], where the console names the field to a developer. To keep the path takes more
/// code for each type.
///
/// # Errors
/// The field that breaks the contract.
pub fn read_with_path<T: DeserializeOwned>(value: JsValue) -> Result<T, FieldError> {
    let reader = serde_wasm_bindgen::Deserializer::from(value);
    serde_path_to_error::deserialize(reader).map_err(|error| FieldError::new(&error))
}

/// Makes a JavaScript value of ours. Maps become plain objects: `JSON.stringify` writes a `Map` as `{}`.
pub fn to_value(value: &impl Serialize) -> Option<JsValue> {
    let writer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&writer).ok()
}

/// Writes a value as the text of JSON.
pub fn write(value: &impl Serialize) -> Option<String> {
    js_sys::JSON::stringify(&to_value(value)?).ok()?.as_string()
}

#[cfg(target_family = "wasm")]
#[cfg(test)]
mod tests;
