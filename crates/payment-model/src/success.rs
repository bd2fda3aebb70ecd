//! `success` is text in some answers and a boolean in others: read as either, written as
//! the specification shows it for the answer at hand.

use serde::{Deserializer, Serializer};

/// Reads a boolean or the text of one; anything else is `false`.
pub(crate) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    deserializer
        .deserialize_any(crate::tolerant::WordVisitor)
        .map(|word| word == "true")
}

/// Writes `"true"` or `"false"`.
pub(crate) fn write_text<S: Serializer>(success: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if *success { "true" } else { "false" })
}
