//! The addresses that a payer may be sent back to.

use crate::http_client::is_loopback;
use url::Url;

/// One permitted target: an origin, or an origin and the beginning of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    origin: url::Origin,
    path: String,
}

/// The permitted targets of a `redirect_url`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RedirectAllow(Vec<Place>);

/// Why payers cannot be sent to an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RedirectRefusal {
    /// It is not an absolute address, or has parts that mislead.
    #[error("must be an absolute https address without user name, backslash or blank")]
    Malformed,
    /// It is http to another machine.
    #[error("must begin with https:// (http:// is for a loopback host only)")]
    Insecure,
    /// It is not among the permitted targets.
    #[error("is not one of the merchant's places (setting REDIRECT_ALLOW)")]
    Elsewhere,
}

impl RedirectAllow {
    /// Reads targets separated by commas or blanks.
    ///
    /// # Errors
    /// The entry that cannot be used, by name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let entries = text.split([',', ' ', '\n', '\t']).filter(|e| !e.is_empty());
        entries
            .map(|entry| {
                let url = parse(entry).map_err(|refusal| format!("`{entry}` {refusal}"))?;
                if url.query().is_some() || url.fragment().is_some() {
                    return Err(format!("`{entry}` must not have a `?` or a `#`"));
                }
                let (origin, path) = (url.origin(), url.path().to_owned());
                Ok(Place { origin, path })
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// True when no address is permitted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The origins, written as browsers send them.
    pub fn origins(&self) -> impl Iterator<Item = String> + '_ {
        self.0
            .iter()
            .map(|place| place.origin.ascii_serialization())
    }

    /// The address, if payers may be sent there.
    ///
    /// # Errors
    /// The reason against it.
    pub fn check(&self, text: &str) -> Result<Url, RedirectRefusal> {
        let url = parse(text)?;
        let permitted = self
            .0
            .iter()
            .any(|place| place.origin == url.origin() && lies_under(url.path(), &place.path));
        permitted.then_some(url).ok_or(RedirectRefusal::Elsewhere)
    }
}

/// Longer addresses are refused.
const LONGEST: usize = 2048;

fn parse(text: &str) -> Result<Url, RedirectRefusal> {
    // Parsers repair backslashes, blanks and line breaks, and only an attacker sends them.
    let odd = |c: char| c == '\\' || c.is_whitespace() || c.is_control();
    if text.len() > LONGEST || text.contains(odd) {
        return Err(RedirectRefusal::Malformed);
    }
    let url = Url::parse(text).map_err(|_| RedirectRefusal::Malformed)?;
    let slashes = text.get(url.scheme().len()..).unwrap_or_default();
    if !url.has_host() || !slashes.starts_with("://") || names_somebody(text) {
        return Err(RedirectRefusal::Malformed);
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_loopback(&url) => Ok(url),
        _ => Err(RedirectRefusal::Insecure),
    }
}

/// True when a user name precedes the host, even an empty one.
fn names_somebody(text: &str) -> bool {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.contains('@')
}

/// True when the path is the prefix or lies below it, by whole segments. A server that decodes an
/// encoded slash could read another path.
fn lies_under(path: &str, prefix: &str) -> bool {
    let prefix = prefix.trim_end_matches('/');
    let below = path
        .strip_prefix(prefix)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let lower = path.to_ascii_lowercase();
    below && (prefix.is_empty() || !(lower.contains("%2f") || lower.contains("%5c")))
}

#[cfg(test)]
mod tests {
    use super::{RedirectAllow, RedirectRefusal};
    use RedirectRefusal::{Elsewhere, Insecure, Malformed};

    #[test]
    fn only_the_merchants_places_are_permitted() {
        let allow = RedirectAllow::parse(
            "https://shop.example, http://127.0.0.1:8080 https://pay.example/back",
        )
        .unwrap();
        let check = |text: &str, expected: Result<(), RedirectRefusal>| {
            assert_eq!(allow.check(text).map(|_| ()), expected, "{text}");
        };
        check("https://shop.example/", Ok(()));
        check("https://shop.example", Ok(()));
        check("HTTPS://SHOP.example:443/a?b=c#d", Ok(()));
        check("http://127.0.0.1:8080/checkout?order=1", Ok(()));
        check("https://pay.example/back", Ok(()));
        check("https://pay.example/back/x?y", Ok(()));
        check("https://pay.example/x/../back", Ok(()));
        check("https://pay.example/backdoor", Err(Elsewhere));
        check("https://pay.example/back/../admin", Err(Elsewhere));
        check("https://pay.example/back/%2e%2e/admin", Err(Elsewhere));
        check("https://pay.example/back/..%2fadmin", Err(Elsewhere));
        check("https://pay.example/", Err(Elsewhere));
        check("https://shop.example:444/", Err(Elsewhere));
        check("http://127.0.0.1:8081/", Err(Elsewhere));
        check("https://127.0.0.1:8080/", Err(Elsewhere));
        check("https://shop.example.evil.example/", Err(Elsewhere));
        check("https://evil.example/https://shop.example", Err(Elsewhere));
        check("https://xn--shp-1na.example/", Err(Elsewhere));
        check("https://sh\u{43e}p.example/", Err(Elsewhere));
        check("http://shop.example/", Err(Insecure));
        check("ftp://shop.example/", Err(Insecure));
        check("javascript:alert(1)", Err(Malformed));
        check("data:text/html,x", Err(Malformed));
        check("//shop.example", Err(Malformed));
        check("/back", Err(Malformed));
        check("", Err(Malformed));
        check("https://shop.example@evil.example/", Err(Malformed));
        check("https://@shop.example/", Err(Malformed));
        check("https://user:word@shop.example/", Err(Malformed));
        check("https://shop.example\\@evil.example/", Err(Malformed));
        check("https:shop.example/", Err(Malformed));
        check("https:\\\\shop.example/", Err(Malformed));
        check("https://shop.example/\r\nX: y", Err(Malformed));
        check(" https://shop.example/", Err(Malformed));
        check(
            &format!("https://shop.example/{}", "a".repeat(3000)),
            Err(Malformed),
        );
    }

    #[test]
    fn nothing_is_permitted_by_default() {
        let none = RedirectAllow::parse(" ,").unwrap();
        assert!(none.is_empty());
        assert_eq!(none.check("https://shop.example/"), Err(Elsewhere));
    }

    #[test]
    fn odd_places_are_named() {
        for (text, named) in [
            ("shop.example", "`shop.example`"),
            ("https://a.example, http://b.example", "`http://b.example`"),
            ("https://a.example/?x", "`https://a.example/?x`"),
            ("*", "`*`"),
        ] {
            let error = RedirectAllow::parse(text).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
    }
}
