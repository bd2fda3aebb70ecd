//! The payer's session: a random value in a signed cookie, of which the database has only a hash.

use crate::cookies::Cookies;
use crate::cookies::{CookieKey, Purpose};
use crate::random::{NoRandomness, token};
use axum::http::HeaderMap;
use payment_rules::fingerprint;
use std::fmt;
use std::time::Duration;

const NAME: &str = "payment_session";
/// From the last order or authorization. A payer may look at an order long after it was paid, and a code
/// may be paid days later.
const MAX_AGE: Duration = Duration::from_hours(30 * 24);

/// A payer's session, known by its hash.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Session {
    pub(crate) hash: String,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Session(redacted)")
    }
}

/// Reads and makes session cookies.
#[derive(Clone)]
pub(crate) struct Sessions {
    cookie_key: CookieKey,
    cookies: Cookies,
}

impl Sessions {
    pub(crate) fn new(cookie_key: CookieKey, secure: bool) -> Self {
        let same_site = "Lax";
        let cookies = Cookies { secure, same_site };
        Self {
            cookie_key,
            cookies,
        }
    }

    /// The session of a request; `None` without a cookie that this server signed.
    pub(crate) fn of(&self, headers: &HeaderMap) -> Option<Session> {
        let mut values = self.cookies.values(headers, NAME);
        values.find_map(|value| self.open(value))
    }

    /// The session of a request, or a new one, with a cookie that lasts [`MAX_AGE`] from now.
    pub(crate) fn keep(&self, headers: &HeaderMap) -> Result<(Session, String), NoRandomness> {
        let mut values = self.cookies.values(headers, NAME);
        let known = values.find_map(|value| Some((self.open(value)?, value)));
        let Some((session, value)) = known else {
            return self.start();
        };
        Ok((session, self.cookies.set(NAME, value, MAX_AGE)))
    }

    fn start(&self) -> Result<(Session, String), NoRandomness> {
        let id = token()?;
        let signature = self.cookie_key.sign(Purpose::Session, &id);
        let value = format!("{id}.{signature}");
        let cookie = self.cookies.set(NAME, &value, MAX_AGE);
        let hash = fingerprint(&id);
        Ok((Session { hash }, cookie))
    }

    fn open(&self, value: &str) -> Option<Session> {
        let (id, signature) = value.split_once('.')?;
        let ours = self.cookie_key.verify(Purpose::Session, id, signature);
        ours.then(|| Session {
            hash: fingerprint(id),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Sessions;
    use crate::cookies::CookieKey;
    use axum::http::header::COOKIE;
    use axum::http::{HeaderMap, HeaderValue};

    fn sessions(secure: bool) -> Sessions {
        Sessions::new(CookieKey::new("0123456789abcdef0123456789abcdef"), secure)
    }

    fn headers(cookie: &str) -> HeaderMap {
        HeaderMap::from_iter([(COOKIE, cookie.parse().unwrap())])
    }

    #[test]
    fn a_started_session_is_found_again() {
        for secure in [false, true] {
            let (session, cookie) = sessions(secure).start().unwrap();
            let pair = cookie.split(';').next().unwrap();
            assert_eq!(sessions(secure).of(&headers(pair)), Some(session.clone()));
            let among = format!("a=b; {pair}; c=d");
            assert_eq!(sessions(secure).of(&headers(&among)), Some(session));
            assert_eq!(sessions(!secure).of(&headers(pair)), None);
            assert_eq!(cookie.contains("; Secure"), secure);
            assert_eq!(cookie.starts_with("__Host-"), secure);
            assert!(cookie.contains("; HttpOnly; SameSite=Lax"));
        }
    }

    #[test]
    fn a_known_session_is_kept_for_another_month() {
        let (session, cookie) = sessions(true).start().unwrap();
        let pair = cookie.split(';').next().unwrap();
        let kept = sessions(true).keep(&headers(pair)).unwrap();
        assert!(cookie.contains("; Max-Age=2592000;"), "{cookie}");
        assert_eq!(kept, (session.clone(), cookie));
        let (other, _) = sessions(true).keep(&HeaderMap::new()).unwrap();
        assert_ne!(other, session);
    }

    #[test]
    fn odd_bytes_in_a_cookie_of_the_shop_lose_no_session() {
        let (session, cookie) = sessions(false).start().unwrap();
        let pair = cookie.split(';').next().unwrap().as_bytes();
        let line = [b"shop=caf\xc3\xa9; \xff=1; ", pair, b"; z=\xfe"].concat();
        let headers = HeaderMap::from_iter([(COOKIE, HeaderValue::from_bytes(&line).unwrap())]);
        assert_eq!(sessions(false).of(&headers), Some(session));
    }

    #[test]
    fn an_invented_session_is_none() {
        for cookie in [
            "payment_session=abc",
            "payment_session=abc.def",
            "payment_session=.",
            "payment_session",
        ] {
            assert_eq!(sessions(false).of(&headers(cookie)), None, "{cookie}");
        }
        assert_eq!(sessions(false).of(&HeaderMap::new()), None);
    }
}
