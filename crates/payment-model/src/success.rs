//! `success` is text in some answers and a boolean in others: this reads both, and writes the form
//! that the specification shows for the answer.

use serde::{Deserializer, Serializer};

/// Reads a boolean or the text of one in any case; every other scalar is `false`.
pub(crate) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    deserializer
        .deserialize_any(crate::lenient::WordVisitor)
        .map(|word| word.eq_ignore_ascii_case("true"))
}

/// Writes `"true"` or `"false"`.
pub(crate) fn write_text<S: Serializer>(success: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if *success { "true" } else { "false" })
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_true_is_true() {
        let read = |json: &str| super::read(&mut serde_json::Deserializer::from_str(json)).unwrap();
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
