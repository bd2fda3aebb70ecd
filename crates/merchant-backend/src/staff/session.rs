use crate::cookies::Cookies;
use crate::random::{NoRandomness, token};
use axum::http::HeaderMap;
use payment_rules::fingerprint::fingerprint;
use payment_rules::staff_session::LONGEST_SESSION;
use std::time::Duration;

const NAME: &str = "staff_session";

/// Reads and makes the cookies of staff. A cookie holds a random value, and the store has its hash,
/// so that signing out ends the session for good.
#[derive(Clone)]
pub(crate) struct StaffCookies(Cookies);

impl StaffCookies {
    pub(crate) fn new(secure: bool) -> Self {
        let same_site = "Strict";
        Self(Cookies { secure, same_site })
    }

    /// The hashes of the sessions in a request; there may be more than one cookie.
    pub(crate) fn of(&self, headers: &HeaderMap) -> Vec<String> {
        let values = self.0.values(headers, NAME);
        values.take(4).map(fingerprint).collect()
    }

    /// A new session: its hash, and the cookie that carries it.
    pub(crate) fn start(&self) -> Result<(String, String), NoRandomness> {
        let id = token()?;
        Ok((fingerprint(&id), self.0.set(NAME, &id, LONGEST_SESSION)))
    }

    /// The cookie that removes the session's cookie.
    pub(crate) fn end(&self) -> String {
        self.0.set(NAME, "", Duration::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::StaffCookies;
    use axum::http::HeaderMap;
    use axum::http::header::COOKIE;

    #[test]
    fn a_started_session_is_found_again() {
        for secure in [false, true] {
            let cookies = StaffCookies::new(secure);
            let (hash, cookie) = cookies.start().unwrap();
            let pair = cookie.split(';').next().unwrap().to_owned();
            let headers = |text: &str| HeaderMap::from_iter([(COOKIE, text.parse().unwrap())]);
            assert_eq!(cookies.of(&headers(&format!("a=b; {pair}"))), [hash]);
            assert!(StaffCookies::new(!secure).of(&headers(&pair)).is_empty());
            assert!(cookie.contains("; HttpOnly; SameSite=Strict"), "{cookie}");
            assert_eq!(cookie.ends_with("; Secure"), secure);
            assert!(cookies.end().contains("Max-Age=0"));
        }
    }
}
