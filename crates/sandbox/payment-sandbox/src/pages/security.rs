use axum::http::Uri;

/// The content security policy of a page. It allows the style sheet, an empty icon as a data URI, without which
/// browsers would request one, and forms that may redirect to one shop.
pub(super) fn policy(shop: Option<&str>) -> String {
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
