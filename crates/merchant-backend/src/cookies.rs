//! Cookies, as requests bring them and answers set them.
//!
//! The crate `cookie` would write the attributes in another order, and bring a calendar for
//! `Expires`, which we never set.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use std::time::Duration;

/// The rules for the cookies of one kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cookies {
    /// True when they are for https only; their names then say so too.
    pub(crate) secure: bool,
    /// The value of `SameSite`.
    pub(crate) same_site: &'static str,
}

impl Cookies {
    /// The values of a cookie in a request; there may be more than one.
    pub(crate) fn values<'a>(
        self,
        headers: &'a HeaderMap,
        name: &str,
    ) -> impl Iterator<Item = &'a str> + use<'a> {
        let prefix = format!("{}{name}=", self.prefix());
        let cookies = headers.get_all(COOKIE).iter();
        // Each is read by itself: a browser sends all cookies in one line, also the shop's own with
        // any bytes in them.
        cookies
            .flat_map(|value| value.as_bytes().split(|byte| *byte == b';'))
            .filter_map(|pair| str::from_utf8(pair).ok())
            .filter_map(move |pair| pair.trim().strip_prefix(&prefix))
    }

    /// The header that sets a cookie for so long; without any time it is taken away.
    pub(crate) fn set(self, name: &str, value: &str, age: Duration) -> String {
        let (prefix, same_site) = (self.prefix(), self.same_site);
        let seconds = age.as_secs();
        let secure = if self.secure { "; Secure" } else { "" };
        format!(
            "{prefix}{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}"
        )
    }

    fn prefix(self) -> &'static str {
        if self.secure { "__Host-" } else { "" }
    }
}
