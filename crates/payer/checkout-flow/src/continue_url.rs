/// The address of another site at which the payer continues, checked to be safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContinueUrl(String);

/// The most bytes of an address.
const MAX_URL_LENGTH: usize = 4096;

impl ContinueUrl {
    /// Checks an address of the server: it has to be https (http only for a loopback host), with a name for a host and
    /// without a user name, without characters that parsers disagree about, and, unless `hosts` is empty, with one
    /// of these hosts (`example.com` or `example.com:8443`).
    ///
    /// It is stricter than browsers are: it refuses an address that two parsers could read
    /// differently.
    #[must_use]
    pub fn parse(text: &str, hosts: &[String]) -> Option<Self> {
        let plain = text.len() <= MAX_URL_LENGTH
            && text.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
        let (scheme, rest) = text.split_once(':')?;
        let rest = rest.strip_prefix("//")?;
        let authority = authority(rest);
        let (host, port) = split_port(authority)?;
        let secure = scheme.eq_ignore_ascii_case("https");
        let local = scheme.eq_ignore_ascii_case("http") && is_loopback(host);
        let listed = |allowed: &String| {
            let allowed = allowed.as_str();
            allowed.eq_ignore_ascii_case(authority)
                || (port.is_none() && allowed.eq_ignore_ascii_case(host))
        };
        let safe = plain
            && is_host(host)
            && (secure || local)
            && (hosts.is_empty() || hosts.iter().any(listed));
        safe.then(|| Self(text.to_owned()))
    }

    /// The unchanged address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host, with the port if there is one.
    #[must_use]
    pub fn host(&self) -> &str {
        let after_scheme = self.0.split_once(':').map(|(_, rest)| rest);
        let rest = after_scheme.and_then(|rest| rest.strip_prefix("//"));
        rest.map(authority).unwrap_or_default()
    }
}

/// The host and the port, before the path.
fn authority(rest: &str) -> &str {
    let end = rest.bytes().position(|b| matches!(b, b'/' | b'?' | b'#'));
    end.and_then(|end| rest.get(..end)).unwrap_or(rest)
}

/// Splits `host:port`; `None` for a port that is not a number. The brackets of IPv6 stay.
fn split_port(authority: &str) -> Option<(&str, Option<&str>)> {
    let after_brackets = authority.rfind(']').map_or(0, |at| at + 1);
    match authority.get(after_brackets..)?.find(':') {
        None => Some((authority, None)),
        Some(at) => {
            let (host, port) = authority.split_at(after_brackets + at);
            let port = port.get(1..)?;
            // Some parsers take a sign for a part of a number.
            let number = port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok();
            number.then_some((host, Some(port)))
        }
    }
}

/// True for a name, and for the loopback. Browsers take a name whose last part begins with a digit for an IPv4 address,
/// often another one than it looks like: `8443` is 0.0.32.251.
fn is_host(host: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'.' || b == b'-';
    let name = host.strip_suffix('.').unwrap_or(host);
    let last = name.bytes().rposition(|b| b == b'.').map_or(0, |at| at + 1);
    let begins = name
        .as_bytes()
        .get(last)
        .is_some_and(u8::is_ascii_alphabetic);
    (begins && host.bytes().all(plain) && !host.starts_with('.')) || is_loopback(host)
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host == "127.0.0.1" || host == "[::1]"
}

#[cfg(test)]
mod tests {
    use super::ContinueUrl;

    #[test]
    fn only_plain_https_addresses_are_followed() {
        let check = |text: &str, safe: bool| {
            assert_eq!(ContinueUrl::parse(text, &[]).is_some(), safe, "{text:?}");
        };
        check("https://lender.example/continue?id=1#top", true);
        check("HTTPS://lender.example:8443", true);
        check("http://127.0.0.1:8082/lender/1", true);
        check("http://localhost/lender", true);
        check("http://[::1]:8082/lender", true);
        check("https://127.0.0.1:65535/", true);
        check("https://lender.example./", true);
        check("https://xn--lnder-bua.example/", true);
        for hostile in [
            "",
            "https:",
            "https://",
            "https:///path",
            "//lender.example",
            "http://lender.example/",
            "javascript://%0aalert(1)",
            "javascript:alert(1)",
            "data:text/html,x",
            "ftp://lender.example",
            "https://user@lender.example",
            "https://shop.example@evil.example",
            "https://a\\@evil.example",
            "https://lender.example\\@evil",
            "https://lender.example/\r\nSet-Cookie: a",
            "https://lender example/",
            " https://lender.example",
            "https://lénder.example/",
            "https://.example",
            "https://a:b/",
            "https://a:123456/",
            "https://a:65536/",
            "https://a:/",
            "https://a:+1/",
            "https://8443/",
            "https://lender.43/",
            "https://lender.0x1f/",
            "https://127.1/",
            "https://10.0.0.255/",
            "https://127.0.0.1./",
            "http://127.0.0.1.evil.example/",
            "http://localhost.evil.example",
            "https://[::2]/",
            "https://a]:1/",
            "https://]:1/",
        ] {
            check(hostile, false);
        }
        check(
            &format!("https://lender.example/{}", "a".repeat(4096)),
            false,
        );
    }

    #[test]
    fn the_allow_list_names_whole_hosts() {
        let hosts = ["lender.example".to_owned(), "127.0.0.1:8082".to_owned()];
        let check = |text: &str, safe: bool| {
            assert_eq!(ContinueUrl::parse(text, &hosts).is_some(), safe, "{text}");
        };
        check("https://lender.example/x", true);
        check("https://LENDER.example/x", true);
        check("http://127.0.0.1:8082/x", true);
        check("http://127.0.0.1:8083/x", false);
        check("https://lender.example:8443/x", false);
        check("https://evil.example/lender.example", false);
        check("https://lender.example.evil.example/", false);
        check("https://sub.lender.example/", false);
    }

    #[test]
    fn the_host_is_told_with_its_port() {
        let check = |text: &str, host: &str| {
            let url = ContinueUrl::parse(text, &[]);
            assert_eq!(url.as_ref().map(ContinueUrl::host), Some(host), "{text}");
        };
        check("https://lender.example/continue?id=1#top", "lender.example");
        check("HTTPS://lender.example:8443", "lender.example:8443");
        check("https://lender.example?a=//b", "lender.example");
        check("http://[::1]:8082#/", "[::1]:8082");
    }
}
