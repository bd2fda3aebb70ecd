//! Error messages about texts that cannot be parsed, without quotes of the text: the messages of the
//! parsers quote values, and a value may be a name, a password or a token.

use serde::de::DeserializeOwned;

/// Describes a JSON error by its kind and position.
pub(crate) fn json(error: &serde_json::Error) -> String {
    use serde_json::error::Category;
    let kind = match error.classify() {
        Category::Io => "cannot be read",
        Category::Syntax => "is no JSON",
        Category::Data => "has a value of another kind",
        Category::Eof => "ends too early",
    };
    // An error in a `serde_json::Value` has no position.
    match (error.line(), error.column()) {
        (0, _) => kind.to_owned(),
        (line, column) => format!("{kind} at line {line}, column {column}"),
    }
}

/// Parses a TOML text.
///
/// # Errors
/// A message with the position of the error, and with the name of the field if it is known.
pub(crate) fn read_toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let parsed = toml::Deserializer::parse(text).map_err(|error| {
        let place = place(text, &error);
        match error.message() {
            message @ "duplicate key" => format!("{place}: {message}"),
            _ => place,
        }
    })?;
    serde_path_to_error::deserialize(parsed).map_err(|error| {
        let place = place(text, error.inner());
        // These messages quote the name of a field. Others may quote a value.
        let message = error.inner().message();
        let kinds = ["unknown field", "missing field", "duplicate field"];
        let named = kinds.into_iter().find(|kind| message.starts_with(kind));
        match (named, message.split('`').nth(1)) {
            (Some(kind), Some(field)) => format!("{place}: {kind} `{field}`"),
            _ => format!("{place}, in `{}`", error.path()),
        }
    })
}

fn place(text: &str, error: &toml::de::Error) -> String {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("line {line}, column {column}")
}

#[cfg(test)]
mod tests {
    use super::{json, read_toml};
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Account {
        #[expect(dead_code, reason = "only the reading is tested")]
        name: u64,
        #[expect(dead_code, reason = "only the reading is tested")]
        word: Word,
    }

    #[derive(Debug, Deserialize)]
    enum Word {
        Known,
    }

    #[test]
    fn no_value_of_a_json_text_is_repeated() {
        for (text, said) in [
            (
                r#"{"name": "canary"}"#,
                "has a value of another kind at line 1, column 17",
            ),
            (
                r#"{"name": 1, "word": "canary"}"#,
                "has a value of another kind at line 1, column 28",
            ),
            ("{\n\"canary", "ends too early at line 2, column 7"),
            ("{canary", "is no JSON at line 1, column 2"),
        ] {
            let error = serde_json::from_str::<Account>(text).unwrap_err();
            assert_eq!(json(&error), said);
        }
        let error = serde_json::from_value::<u64>("canary".into()).unwrap_err();
        assert!(error.to_string().contains("canary"));
        assert_eq!(json(&error), "has a value of another kind");
    }

    #[test]
    fn no_value_of_a_toml_text_is_repeated() {
        for (text, said) in [
            ("name = \"canary\"", "line 1, column 8, in `name`"),
            ("name = 1\nword = \"canary\"", "line 2, column 8, in `word`"),
            (
                "name = 1\nrole = \"canary\"",
                "line 2, column 1: unknown field `role`",
            ),
            (
                "name = 1\nname = \"canary\"",
                "line 2, column 1: duplicate key",
            ),
            ("name = 1", "line 1, column 1: missing field `word`"),
            ("\"canary canary", "line 1, column"),
        ] {
            let told = read_toml::<Account>(text).unwrap_err();
            assert!(told.starts_with(said), "{told}");
            assert!(!told.contains("canary"), "{told}");
        }
    }
}
