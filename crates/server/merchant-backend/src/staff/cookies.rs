use super::Account;
use crate::cookies::Cookies;
use crate::cookies::{CookieKey, Purpose};
use crate::random::{NoRandomness, token};
use axum::http::HeaderMap;
use payment_model::Timestamp;
use payment_rules::fingerprint;
use payment_rules::staff::MAX_SESSION_LIFETIME;
use std::time::Duration;

/// A request may carry several cookies of one name; further ones are ignored.
const MAX_COOKIES_READ: usize = 4;

const SESSION_COOKIE: &str = "staff_session";

/// Reads and makes the session cookies of staff. A cookie holds a random id, and the database only
/// its hash, so that signing out ends the session at the server too.
#[derive(Clone)]
pub(crate) struct StaffCookies(Cookies);

impl StaffCookies {
    pub(crate) fn new(secure: bool) -> Self {
        let same_site = "Strict";
        Self(Cookies { secure, same_site })
    }

    /// The hashes of the session ids in a request.
    pub(crate) fn of(&self, headers: &HeaderMap) -> Vec<String> {
        let values = self.0.values(headers, SESSION_COOKIE);
        values.take(MAX_COOKIES_READ).map(fingerprint).collect()
    }

    /// Creates a session: returns the hash for the database and the cookie.
    pub(crate) fn start(&self) -> Result<(String, String), NoRandomness> {
        let id = token()?;
        Ok((
            fingerprint(&id),
            self.0.set(SESSION_COOKIE, &id, MAX_SESSION_LIFETIME),
        ))
    }

    /// Makes the cookie that deletes the session cookie.
    pub(crate) fn end(&self) -> String {
        self.0.set(SESSION_COOKIE, "", Duration::ZERO)
    }
}

/// A device that returns after a longer time is unknown again.
const DEVICE_COOKIE_LIFETIME: Duration = Duration::from_hours(180 * 24);

/// Reads and makes the cookie of a device on which an account signed in before. The cookie grants no
/// access: it gives the device a sign-in limit of its own, which other devices cannot use up. Its
/// signature covers the account, the password hash and the sealed key of the second factor, so that it ends with either,
/// and a device on which somebody had the password alone is unknown once the account is enrolled.
#[derive(Clone)]
pub(crate) struct StaffDevices {
    cookie_key: CookieKey,
    cookies: Cookies,
}

impl StaffDevices {
    pub(crate) fn new(cookie_key: CookieKey, secure: bool) -> Self {
        let same_site = "Strict";
        let cookies = Cookies { secure, same_site };
        Self {
            cookie_key,
            cookies,
        }
    }

    /// The device that sent a request; `None` if this account never signed in on it.
    pub(crate) fn of(
        &self,
        headers: &HeaderMap,
        account: &Account,
        sealed_key: Option<&str>,
        now: Timestamp,
    ) -> Option<String> {
        let mut values = self
            .cookies
            .values(headers, &device_cookie(account))
            .take(MAX_COOKIES_READ);
        values.find_map(|value| self.open(value, account, sealed_key, now))
    }

    /// Makes the cookie for a device on which this account signed in now. A known device keeps its
    /// id.
    pub(crate) fn remember(
        &self,
        device: Option<String>,
        account: &Account,
        sealed_key: Option<&str>,
        now: Timestamp,
    ) -> Result<String, NoRandomness> {
        let device = device.map_or_else(token, Ok)?;
        let since = now.as_secs();
        let signature = self.cookie_key.sign(
            Purpose::Device,
            &signed(&device, since, account, sealed_key),
        );
        let value = format!("{device}.{since}.{signature}");
        Ok(self
            .cookies
            .set(&device_cookie(account), &value, DEVICE_COOKIE_LIFETIME))
    }

    fn open(
        &self,
        value: &str,
        account: &Account,
        sealed_key: Option<&str>,
        now: Timestamp,
    ) -> Option<String> {
        let mut parts = value.splitn(3, '.');
        let (device, since, signature) = (parts.next()?, parts.next()?, parts.next()?);
        let since = since.parse().ok()?;
        let age = now.duration_since(Timestamp::from_secs(since));
        let text = signed(device, since, account, sealed_key);
        let ours = self.cookie_key.verify(Purpose::Device, &text, signature);
        (ours && age < DEVICE_COOKIE_LIFETIME).then(|| device.to_owned())
    }
}

/// Each account has a cookie of its own, since several people may share a computer.
fn device_cookie(account: &Account) -> String {
    let whose: String = fingerprint(&account.name).chars().take(12).collect();
    format!("staff_device_{whose}")
}

/// The text that is signed. Only the device and the time are part of the cookie.
fn signed(device: &str, since: i64, account: &Account, sealed_key: Option<&str>) -> String {
    let password = account.password_fingerprint();
    let text = format!("{device}.{since}.{}.{password}", account.name);
    match sealed_key {
        None => text,
        Some(key) => format!("{text}.{key}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{DEVICE_COOKIE_LIFETIME, StaffCookies, StaffDevices, device_cookie};
    use crate::clock::instant;
    use crate::cookies::CookieKey;
    use crate::staff::Account;
    use axum::http::HeaderMap;
    use axum::http::header::COOKIE;
    use std::time::Duration;

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

    fn account(name: &str, password_hash: &str) -> Account {
        Account {
            name: name.to_owned(),
            password_hash: password_hash.into(),
            permissions: Vec::new(),
            refund_limit: None,
            refund_limit_a_day: None,
            link_limit: None,
            link_limit_a_day: None,
            merchant_codes: None,
        }
    }

    #[test]
    fn a_device_is_known_for_its_account_its_password_and_half_a_year() {
        let cookie_key = CookieKey::new("0123456789abcdef0123456789abcdef");
        let devices = StaffDevices::new(cookie_key, false);
        let ana = account("ana", "hash");
        let now = instant(1_763_700_000_000);
        let second = Duration::from_secs(1);
        let cookie = devices.remember(None, &ana, None, now).unwrap();
        assert!(cookie.ends_with("; Path=/; Max-Age=15552000; HttpOnly; SameSite=Strict"));
        let pair = cookie.split(';').next().unwrap();
        let headers = |pair: &str| HeaderMap::from_iter([(COOKIE, pair.parse().unwrap())]);
        let known =
            |pair: &str, account: &Account, now| devices.of(&headers(pair), account, None, now);
        let device = known(pair, &ana, now).unwrap();
        assert_eq!(
            known(
                &format!("a=b; {pair}"),
                &ana,
                now.saturating_add(DEVICE_COOKIE_LIFETIME - second)
            ),
            Some(device.clone())
        );
        assert_eq!(
            known(pair, &ana, now.saturating_add(DEVICE_COOKIE_LIFETIME)),
            None
        );
        assert_eq!(known(pair, &account("ana", "another"), now), None);
        // Nor once the account is enrolled.
        assert_eq!(devices.of(&headers(pair), &ana, Some("key"), now), None);
        // The cookie is not valid for another account.
        let bea = account("bea", "hash");
        let value = pair.split_once('=').unwrap().1;
        assert_eq!(
            known(&format!("{}={value}", device_cookie(&bea)), &bea, now),
            None
        );
        assert_eq!(known(&pair.replace('.', ".1"), &ana, now), None);
        assert_eq!(
            known(&format!("{}=a.b", device_cookie(&ana)), &ana, now),
            None
        );
        // After another sign-in the device has the same id.
        let again = devices
            .remember(Some(device.clone()), &ana, None, now.saturating_add(second))
            .unwrap();
        let pair = again.split(';').next().unwrap();
        assert_eq!(
            known(pair, &ana, now.saturating_add(DEVICE_COOKIE_LIFETIME)),
            Some(device)
        );
        let secure = StaffDevices::new(CookieKey::new("0123456789abcdef0123456789abcdef"), true);
        let cookie = secure.remember(None, &ana, None, now).unwrap();
        assert!(cookie.starts_with("__Host-staff_device_") && cookie.ends_with("; Secure"));
    }
}
