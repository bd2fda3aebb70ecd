use serde::de::DeserializeOwned;

/// Parses a JSON text, after which no other text may follow.
///
/// # Errors
/// A sentence that names the missing or invalid field.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err("the body is empty, it must be JSON".to_owned());
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| error.to_string())?;
    json.end()
        .map_err(|error| format!("after the JSON: {error}"))?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::read;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    struct Outer {
        #[expect(dead_code, reason = "only the reading is tested")]
        inner: Inner,
    }

    #[derive(Debug, Deserialize)]
    struct Inner {
        #[expect(dead_code, reason = "only the reading is tested")]
        amount: String,
    }

    #[test]
    fn an_error_names_the_field() {
        let check = |text: &str, expected: &str| {
            let error = read::<Outer>(text.as_bytes()).unwrap_err();
            assert!(error.contains(expected), "{text} gave {error}");
        };
        check("", "the body is empty");
        check("{", "EOF");
        check("{}", "missing field `inner`");
        check(r#"{"inner": {}}"#, "inner: missing field `amount`");
        check(r#"{"inner": {"amount": 1}}"#, "inner.amount: invalid type");
        check(r#"{"inner": {"amount": "1"}} x"#, "after the JSON");
    }
}
