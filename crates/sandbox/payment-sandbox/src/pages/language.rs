use super::english::ENGLISH;
use super::spanish::SPANISH;
use super::words::Words;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::Deserialize;
use std::convert::Infallible;

/// The language of a page: Spanish, or English with `lang=en` in the address. The browser's preference is
/// ignored, so that an address always shows the same page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Spanish,
    English,
}

#[derive(Deserialize)]
struct LanguageQuery {
    lang: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for Language {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let asked = Query::<LanguageQuery>::try_from_uri(&parts.uri)
            .ok()
            .and_then(|query| query.0.lang);
        Ok(match asked.as_deref() {
            Some("en") => Self::English,
            _ => Self::Spanish,
        })
    }
}

impl Language {
    pub(super) fn words(self) -> &'static Words {
        match self {
            Self::Spanish => &SPANISH,
            Self::English => &ENGLISH,
        }
    }

    /// Adds the parameter of this language to a path of the sandbox.
    pub(super) fn path(self, path: &str) -> String {
        match self {
            Self::Spanish => path.to_owned(),
            Self::English => with(path, "lang", "en"),
        }
    }
}

/// Adds a query parameter to a path.
pub(super) fn with(path: &str, name: &str, value: &str) -> String {
    let mark = if path.contains('?') { '&' } else { '?' };
    let value: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
    format!("{path}{mark}{name}={value}")
}
