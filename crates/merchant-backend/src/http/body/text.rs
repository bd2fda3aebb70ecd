use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// A text that is not empty.
#[derive(Debug, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub(in crate::http) struct Text(String);

impl TryFrom<String> for Text {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.is_empty() {
            return Err("an empty text");
        }
        Ok(Self(text))
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}
