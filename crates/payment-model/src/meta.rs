use crate::tolerant::null_is_default;
use serde::{Deserialize, Serialize};

/// The technical result of a request (Shared objects, `meta`); it never says whether a
/// payment was made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Meta {
    /// Code and messages.
    #[serde(default, deserialize_with = "null_is_default")]
    pub status: Status,
}

/// The status inside [`Meta`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Status {
    /// `00` for success; other values are not shown by the specification.
    #[serde(default, deserialize_with = "null_is_default")]
    pub code: String,
    /// The message in some languages.
    #[serde(default, deserialize_with = "null_is_default")]
    pub message_ilgn: Vec<LocalizedMessage>,
}

/// A text in one language.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct LocalizedMessage {
    /// The locale, as in `es_PE`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub locale: String,
    /// The text.
    #[serde(default, deserialize_with = "null_is_default")]
    pub value: String,
}

impl Meta {
    /// The meta of a request that was accepted: code `00` and one Spanish message.
    #[must_use]
    pub fn accepted() -> Self {
        Self::new("00", "Procesado correctamente")
    }

    /// A meta with this code and one message in Spanish (Peru).
    #[must_use]
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        let message = LocalizedMessage {
            locale: "es_PE".to_owned(),
            value: message.into(),
        };
        Self {
            status: Status {
                code: code.into(),
                message_ilgn: vec![message],
            },
        }
    }

    /// The message for a language tag such as `es-PE`: the same locale, else the same
    /// language, else the first one.
    #[must_use]
    pub fn message_for(&self, language_tag: &str) -> Option<&str> {
        let messages = &self.status.message_ilgn;
        let language = |tag: &str| {
            tag.split(['-', '_'])
                .next()
                .unwrap_or_default()
                .to_lowercase()
        };
        let same = messages.iter().find(|m| {
            m.locale
                .replace('_', "-")
                .eq_ignore_ascii_case(language_tag)
        });
        let near = || {
            messages
                .iter()
                .find(|m| language(&m.locale) == language(language_tag))
        };
        same.or_else(near)
            .or(messages.first())
            .map(|m| m.value.as_str())
    }
}
