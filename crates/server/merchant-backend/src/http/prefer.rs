//! How long a client wants its request to be held, by the header `Prefer` (RFC 7240).

use axum::http::{HeaderMap, HeaderName};
use std::time::Duration;

/// How long a request may be held.
pub(super) const PREFER: HeaderName = HeaderName::from_static("prefer");
pub(super) const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// How long the request may be held (`Prefer: wait=N`), at most `longest`; `None` without a readable
/// number. The header is older than structured fields, whose parsers refuse blanks around `=`.
pub(super) fn wait_of(headers: &HeaderMap, longest: Duration) -> Option<Duration> {
    let values = headers
        .get_all(PREFER)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let seconds = values
        .flat_map(|value| value.split(','))
        .find_map(|preference| {
            let (name, value) = preference.split(';').next()?.split_once('=')?;
            let value = value.trim().trim_matches('"');
            let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            let wanted = name.trim().eq_ignore_ascii_case("wait") && digits;
            // A number with too many digits is a long time.
            wanted.then(|| value.parse().unwrap_or(u64::MAX))
        })?;
    (seconds > 0).then(|| Duration::from_secs(seconds).min(longest))
}

#[cfg(test)]
mod tests {
    use super::{PREFER, wait_of};
    use axum::http::HeaderMap;
    use std::time::Duration;

    #[test]
    fn only_a_whole_number_of_seconds_is_a_wait() {
        let check = |text: &str, expected: Option<u64>| {
            let headers = HeaderMap::from_iter([(PREFER, text.parse().unwrap())]);
            let wait = wait_of(&headers, Duration::from_secs(20));
            assert_eq!(wait, expected.map(Duration::from_secs), "{text}");
        };
        check("wait=5", Some(5));
        check("respond-async, Wait = \"5\"; x=y", Some(5));
        check("wait=20", Some(20));
        check("wait=999999", Some(20));
        check("wait=99999999999999999999999", Some(20));
        check("wait=0", None);
        check("wait=-1", None);
        check("wait=abc", None);
        check("wait=1.5", None);
        check("wait=", None);
        check("wait", None);
        check("waiting=5", None);
        assert_eq!(wait_of(&HeaderMap::new(), Duration::from_secs(20)), None);
    }
}
