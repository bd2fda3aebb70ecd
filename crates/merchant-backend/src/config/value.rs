//! Reading the text of one setting.

use url::Url;

/// Reads an address to which paths are added.
pub(super) fn base_url(text: &str) -> Result<Url, String> {
    // The error does not repeat the address, which may hold a password.
    let url = Url::parse(text).map_err(|_| "is no absolute address".to_owned())?;
    let web = matches!(url.scheme(), "http" | "https") && url.has_host();
    let plain = url.query().is_none() && url.fragment().is_none();
    let nameless = url.username().is_empty() && url.password().is_none();
    match (web, plain, nameless) {
        (true, true, true) => Ok(url),
        (false, ..) => Err("is neither http nor https".to_owned()),
        (_, false, _) => Err("must end before any `?` or `#`".to_owned()),
        (.., false) => Err("must not hold a user name or password".to_owned()),
    }
}

/// Reads origins in the form in which browsers send them.
pub(super) fn origins(text: &str) -> Result<Vec<String>, String> {
    let entries = text
        .split([',', ' ', '\n', '\t'])
        .filter(|entry| !entry.is_empty());
    entries
        .map(|entry| {
            let url = Url::parse(entry).ok();
            let origin =
                url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
            let origin = origin.map(|url| url.origin().ascii_serialization());
            origin
                .filter(|origin| entry.trim_end_matches('/').eq_ignore_ascii_case(origin))
                .ok_or_else(|| format!("is wrong, `{entry}` is no origin"))
        })
        .collect()
}
