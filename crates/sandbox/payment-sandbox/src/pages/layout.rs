//! A page for people: its document, and the headers that protect it.

use super::language::Language;
use super::speaker::Speaker;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

/// A page for people.
pub(super) struct Page<'a> {
    pub(super) language: Language,
    pub(super) speaker: Speaker,
    /// The path of the same page, for the link to the other language.
    pub(super) path: &'a str,
    /// The shop's page, if the answer to a form may redirect to it.
    pub(super) shop: Option<&'a str>,
}

impl Page<'_> {
    pub(super) fn respond(&self, status: StatusCode, content: &Markup) -> Response {
        let headers = document_headers(policy(self.shop));
        (status, headers, Html(self.document(content).into_string())).into_response()
    }

    fn document(&self, content: &Markup) -> Markup {
        let words = self.language.words();
        let other = match self.language {
            Language::Spanish => Language::English,
            Language::English => Language::Spanish,
        };
        let (name, kind) = (self.speaker.name(words), self.speaker.kind(words));
        html! {
            (DOCTYPE)
            html lang=(words.code) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (name) " · " (kind) }
                    link rel="icon" href="data:,";
                    link rel="stylesheet" href="/pages/style.css";
                }
                body class=(self.speaker.class()) {
                    div class="screen" {
                        header {
                            (self.speaker.mark())
                            p class="speaker" { strong { (name) } span { (kind) } }
                            a class="language" lang=(other.words().code) href=(other.path(self.path)) {
                                (words.other_language)
                            }
                        }
                        main { (content) }
                        footer { p { (words.test_only) } }
                    }
                }
            }
        }
    }
}

/// The headers of every page.
pub(super) fn document_headers(policy: String) -> [(HeaderName, String); 4] {
    [
        (CACHE_CONTROL, "no-store".to_owned()),
        (REFERRER_POLICY, "no-referrer".to_owned()),
        (X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (CONTENT_SECURITY_POLICY, policy),
    ]
}

/// Redirects after a form was sent, so that a reload does not send the form again.
pub(super) fn see_other(address: &str) -> Response {
    match HeaderValue::from_str(address) {
        Ok(address) => (StatusCode::SEE_OTHER, [(LOCATION, address)]).into_response(),
        Err(_) => StatusCode::BAD_GATEWAY.into_response(),
    }
}

/// The content security policy of a page. It allows the style sheet, an empty icon as a data URI, without which
/// browsers would request one, and forms that may redirect to one shop.
fn policy(shop: Option<&str>) -> String {
    let shop = shop.and_then(origin).unwrap_or_default();
    format!(
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'self' {shop}; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// The origin of an address; `None` if it has a character that could end a directive of the policy.
fn origin(address: &str) -> Option<String> {
    let address = address.parse::<Uri>().ok()?;
    let host = address.host()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
    let port = address
        .port_u16()
        .map_or_else(String::new, |port| format!(":{port}"));
    host.chars()
        .all(plain)
        .then(|| format!("{}://{host}{port}", address.scheme_str().unwrap_or("https")))
}

#[cfg(test)]
mod tests {
    use super::origin;

    #[test]
    fn an_origin_cannot_bring_a_directive_along() {
        let check = |address, expected: Option<&str>| {
            assert_eq!(origin(address).as_deref(), expected, "{address}");
        };
        check(
            "http://127.0.0.1:8080/return?x=1",
            Some("http://127.0.0.1:8080"),
        );
        check("https://shop.example/a", Some("https://shop.example"));
        check("https://a;script-src*/", None);
        check("/return", None);
    }
}
