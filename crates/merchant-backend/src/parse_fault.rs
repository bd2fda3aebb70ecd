//! Why a text cannot be read, without anything of the text: what the parsers say quotes values,
//! and a value may be a person, a password or a token.

/// The place and the kind of what is wrong with a JSON text.
pub(crate) fn json(error: &serde_json::Error) -> String {
    use serde_json::error::Category;
    let kind = match error.classify() {
        Category::Io => "cannot be read",
        Category::Syntax => "is no JSON",
        Category::Data => "has a value of another kind",
        Category::Eof => "ends too early",
    };
    // A value that was parsed before has no place any more.
    match (error.line(), error.column()) {
        (0, _) => kind.to_owned(),
        (line, column) => format!("{kind} at line {line}, column {column}"),
    }
}

/// The place of what is wrong with a TOML text, and the name of the field there.
pub(crate) fn toml(text: &str, error: &toml::de::Error) -> String {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    let place = format!("line {line}, column {column}");
    // Names of fields are not values; everything else that it says may quote one.
    let message = error.message();
    let named = [
        "unknown field",
        "missing field",
        "duplicate field",
        "duplicate key",
    ]
    .into_iter()
    .find(|kind| message.starts_with(kind));
    let field = message.split('`').nth(1);
    if let (Some(kind), Some(field)) = (named, field) {
        return format!("{place}: {kind} `{field}`");
    }
    let name = text
        .lines()
        .nth(line - 1)
        .and_then(|line| line.split_once('='));
    match name
        .map(|(name, _)| name.trim())
        .filter(|name| is_name(name))
    {
        Some(name) => format!("{place}, in `{name}`"),
        None => place,
    }
}

fn is_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    (1..=40).contains(&text.len()) && text.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::{json, toml};
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
            ("name = 1\nname = \"canary\"", "line 2, column 1"),
            ("name = 1", "line 1, column 1: missing field `word`"),
            ("\"canary canary", "line 1, column"),
        ] {
            let error = ::toml::from_str::<Account>(text).unwrap_err();
            let told = toml(text, &error);
            assert!(told.starts_with(said), "{told}");
            assert!(!told.contains("canary"), "{told}");
        }
    }
}
