use super::Account;
use crate::cookie_key::{CookieKey, Purpose};
use crate::cookies::Cookies;
use crate::random::{NoRandomness, token};
use axum::http::HeaderMap;
use payment_model::Timestamp;
use payment_rules::fingerprint::fingerprint;
use std::time::Duration;

/// Half a year: a device that comes back after longer is a new one.
const LIFE: Duration = Duration::from_hours(180 * 24);

/// Reads and makes the cookie of a device on which an account signed in before. It grants no
/// access: it gives the device an allowance of its own for attempts to sign in, which no other
/// device can use up. It is signed for its account and that account's password, and ends with
/// either.
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

    /// The device of a request, if this account signed in on it before.
    pub(crate) fn of(
        &self,
        headers: &HeaderMap,
        account: &Account,
        now: Timestamp,
    ) -> Option<String> {
        let mut values = self.cookies.values(headers, &name(account)).take(4);
        values.find_map(|value| self.open(value, account, now))
    }

    /// The cookie for a device on which this account signed in now; a known device stays the same
    /// one.
    pub(crate) fn remember(
        &self,
        device: Option<String>,
        account: &Account,
        now: Timestamp,
    ) -> Result<String, NoRandomness> {
        let device = device.map_or_else(token, Ok)?;
        let since = now.as_secs();
        let signature = self
            .cookie_key
            .sign(Purpose::Device, &signed(&device, since, account));
        let value = format!("{device}.{since}.{signature}");
        Ok(self.cookies.set(&name(account), &value, LIFE))
    }

    fn open(&self, value: &str, account: &Account, now: Timestamp) -> Option<String> {
        let mut parts = value.splitn(3, '.');
        let (device, since, signature) = (parts.next()?, parts.next()?, parts.next()?);
        let since = since.parse().ok()?;
        let age = now.duration_since(Timestamp::from_secs(since));
        let text = signed(device, since, account);
        let ours = self.cookie_key.verify(Purpose::Device, &text, signature);
        (ours && age < LIFE).then(|| device.to_owned())
    }
}

/// A name for each account: several people may share a computer.
fn name(account: &Account) -> String {
    let whose: String = fingerprint(&account.name).chars().take(12).collect();
    format!("staff_device_{whose}")
}

/// The text that is signed; neither the account nor its password stands in the cookie.
fn signed(device: &str, since: i64, account: &Account) -> String {
    let password = account.password_fingerprint();
    format!("{device}.{since}.{}.{password}", account.name)
}

#[cfg(test)]
mod tests {
    use super::{LIFE, StaffDevices, name};
    use crate::clock::instant;
    use crate::cookie_key::CookieKey;
    use crate::staff::Account;
    use axum::http::HeaderMap;
    use axum::http::header::COOKIE;
    use std::time::Duration;

    fn account(name: &str, password_hash: &str) -> Account {
        Account {
            name: name.to_owned(),
            password_hash: password_hash.into(),
            permissions: Vec::new(),
            refund_limit: None,
            refund_limit_a_day: None,
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
        let cookie = devices.remember(None, &ana, now).unwrap();
        assert!(cookie.ends_with("; Path=/; Max-Age=15552000; HttpOnly; SameSite=Strict"));
        let pair = cookie.split(';').next().unwrap();
        let headers = |pair: &str| HeaderMap::from_iter([(COOKIE, pair.parse().unwrap())]);
        let known = |pair: &str, account: &Account, now| devices.of(&headers(pair), account, now);
        let device = known(pair, &ana, now).unwrap();
        assert_eq!(
            known(
                &format!("a=b; {pair}"),
                &ana,
                now.saturating_add(LIFE - second)
            ),
            Some(device.clone())
        );
        assert_eq!(known(pair, &ana, now.saturating_add(LIFE)), None);
        assert_eq!(known(pair, &account("ana", "another"), now), None);
        // Under the name of another account the cookie is not valid.
        let bea = account("bea", "hash");
        let value = pair.split_once('=').unwrap().1;
        assert_eq!(known(&format!("{}={value}", name(&bea)), &bea, now), None);
        assert_eq!(known(&pair.replace('.', ".1"), &ana, now), None);
        assert_eq!(known(&format!("{}=a.b", name(&ana)), &ana, now), None);
        // Signed in again it is the same device.
        let again = devices
            .remember(Some(device.clone()), &ana, now.saturating_add(second))
            .unwrap();
        let pair = again.split(';').next().unwrap();
        assert_eq!(known(pair, &ana, now.saturating_add(LIFE)), Some(device));
        let secure = StaffDevices::new(CookieKey::new("0123456789abcdef0123456789abcdef"), true);
        let cookie = secure.remember(None, &ana, now).unwrap();
        assert!(cookie.starts_with("__Host-staff_device_") && cookie.ends_with("; Secure"));
    }
}
