//! Readers of bodies, for rules that a type does not have.

use serde::de::{Deserialize, Deserializer, Error};

/// Reads a text that is not empty.
pub(crate) fn not_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Err(D::Error::custom("an empty text"));
    }
    Ok(text)
}

/// Reads true or false; `null` counts as absent.
pub(crate) fn false_if_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use crate::{RecordReturn, ResolveException};
    use serde_json::{Value, json};

    #[test]
    fn numbers_are_not_empty_and_null_is_no_return_that_was_made() {
        let body = |number: &str, made: Value| {
            json!({"merchant_code": "1", "merchant_operation_number": number, "amount": 1,
                "reason": "", "already_made": made})
        };
        let read = serde_json::from_value::<RecordReturn>;
        assert!(!read(body("1", Value::Null)).unwrap().already_made);
        assert!(read(body("1", json!(true))).unwrap().already_made);
        assert!(read(body("1", json!("yes"))).is_err());
        assert!(read(body("", Value::Null)).is_err());
        let unnamed = json!({"merchant_code": "", "merchant_operation_number": "1",
            "kind": "paid_late", "reason": ""});
        assert!(serde_json::from_value::<ResolveException>(unnamed).is_err());
    }
}
