use crate::lenient::{absent, object, objects, text};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The technical result of a request (Shared objects, `meta`). It never proves a payment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Meta {
    /// The code and the messages.
    #[serde(default, deserialize_with = "object")]
    pub status: Status,
}

/// The status inside `meta` (Shared objects).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Status {
    /// `00` for success. The specification shows no other values.
    #[serde(default, deserialize_with = "text")]
    pub code: String,
    /// The message in one or more languages.
    #[serde(default, deserialize_with = "objects")]
    pub message_ilgn: Vec<LocalizedMessage>,
}

/// A text in one language (Shared objects, `meta.status.message_ilgn`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct LocalizedMessage {
    /// The locale, as in `es_PE`.
    #[serde(default, deserialize_with = "text")]
    pub locale: String,
    /// The text.
    #[serde(default, deserialize_with = "text")]
    pub value: String,
}

impl Meta {
    /// Creates the result of a successful request: code `00` and a Spanish message.
    #[must_use]
    pub fn accepted() -> Self {
        Self::new("00", "Procesado correctamente")
    }

    /// Creates a result with this code, and with one message in Spanish (Peru).
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

    /// Selects the message for a language tag such as `es-PE` or `es_PE`: the one of the same locale, or of
    /// the same language, or the first one. `None` if there are no messages.
    #[must_use]
    pub fn message_for(&self, language_tag: &str) -> Option<&str> {
        let messages = &self.status.message_ilgn;
        let tag = |text: &str| text.replace('_', "-").to_ascii_lowercase();
        let language = |tag: &str| tag.split('-').next().unwrap_or_default().to_owned();
        let wanted = tag(language_tag);
        let same = messages.iter().find(|m| tag(&m.locale) == wanted);
        let near = || {
            messages
                .iter()
                .find(|m| language(&tag(&m.locale)) == language(&wanted))
        };
        same.or_else(near)
            .or(messages.first())
            .map(|m| m.value.as_str())
    }
}

/// A person in a request: `billing`, `shipping` or `customer` (Shared objects). The specification does not
/// show which fields are required, so all are optional.
///
/// `Debug` prints no field, since personal data must not reach a log.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default)]
pub struct Person {
    /// The given name.
    #[serde(skip_serializing_if = "absent")]
    pub first_name: Option<String>,
    /// The family name.
    #[serde(skip_serializing_if = "absent")]
    pub last_name: Option<String>,
    /// The e-mail address.
    #[serde(skip_serializing_if = "absent")]
    pub email: Option<String>,
    /// The telephone number.
    #[serde(skip_serializing_if = "absent")]
    pub phone: Option<Phone>,
    /// The postal address.
    #[serde(skip_serializing_if = "absent")]
    pub location: Option<Location>,
}

/// A telephone number (Shared objects, person block).
///
/// `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default)]
pub struct Phone {
    /// The country calling code, as text.
    #[serde(skip_serializing_if = "absent")]
    pub country_code: Option<String>,
    /// The number within the country.
    #[serde(skip_serializing_if = "absent")]
    pub subscriber: Option<String>,
}

/// A postal address (Shared objects, person block).
///
/// `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default)]
pub struct Location {
    /// The street and the number.
    #[serde(skip_serializing_if = "absent")]
    pub line_1: Option<String>,
    /// Further lines, such as the flat and the floor.
    #[serde(skip_serializing_if = "absent")]
    pub line_2: Option<String>,
    /// The city.
    #[serde(skip_serializing_if = "absent")]
    pub city: Option<String>,
    /// The state, department or province.
    #[serde(skip_serializing_if = "absent")]
    pub state: Option<String>,
    /// The country. The specification does not define its format.
    #[serde(skip_serializing_if = "absent")]
    pub country: Option<String>,
}

macro_rules! redacted {
    ($($name:ident)+) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(redacted)"))
            }
        }
    )+};
}

redacted!(Person Phone Location);

#[cfg(test)]
mod tests {
    use super::{LocalizedMessage, Meta, Person};

    #[test]
    fn the_same_locale_wins_then_the_same_language_then_the_first() {
        let messages = |locales: &[&str]| {
            let mut meta = Meta::default();
            meta.status.message_ilgn = locales
                .iter()
                .map(|locale| LocalizedMessage {
                    locale: (*locale).to_owned(),
                    value: format!("in {locale}"),
                })
                .collect();
            meta
        };
        let check = |locales: &[&str], tag: &str, expected: Option<&str>| {
            let text = messages(locales).message_for(tag).map(str::to_owned);
            assert_eq!(text.as_deref(), expected, "{tag} of {locales:?}");
        };
        let all = ["en_US", "es_ES", "es_PE", "qu"];
        check(&all, "es-PE", Some("in es_PE"));
        check(&all, "es_PE", Some("in es_PE"));
        check(&all, "ES-pe", Some("in es_PE"));
        check(&all, "es", Some("in es_ES"));
        check(&all, "es-MX", Some("in es_ES"));
        check(&all, "qu-PE", Some("in qu"));
        check(&all, "fr", Some("in en_US"));
        check(&all, "", Some("in en_US"));
        check(&["es"], "es-PE", Some("in es"));
        check(&["", "en_US"], "en", Some("in en_US"));
        check(&[""], "es-PE", Some("in "));
        check(&[], "es-PE", None);
    }

    #[test]
    fn accepted_is_code_00() {
        let meta = Meta::accepted();
        assert_eq!(meta.status.code, "00");
        assert_eq!(meta.message_for("es-PE"), Some("Procesado correctamente"));
    }

    #[test]
    fn debug_shows_nobody() {
        let json = r#"{"first_name":"Canary","email":"canary@example.com","phone":{"subscriber":"999"},"location":{"city":"Lima"}}"#;
        let person: Person = serde_json::from_str(json).unwrap();
        let shown = format!("{person:?} {:?} {:?}", person.phone, person.location);
        for secret in ["Canary", "canary", "999", "Lima"] {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert_eq!(serde_json::to_string(&person).unwrap(), json);
    }
}
