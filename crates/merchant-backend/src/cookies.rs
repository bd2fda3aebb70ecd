//! Reads cookies from requests, and formats `Set-Cookie`.
//!
//! The crate `cookie` is not used: it depends on a calendar library for `Expires`, which the server
//! never sets, and writes the attributes in another order.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use std::time::Duration;

/// The attributes of one kind of cookies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cookies {
    /// True to restrict the cookies to HTTPS, which also gives their names the prefix `__Host-`.
    pub(crate) secure: bool,
    pub(crate) same_site: &'static str,
}

impl Cookies {
    /// The values of the cookies of this name. A request may have several.
    pub(crate) fn values<'a>(
        self,
        headers: &'a HeaderMap,
        name: &str,
    ) -> impl Iterator<Item = &'a str> + use<'a> {
        let prefix = format!("{}{name}=", self.prefix());
        let cookies = headers.get_all(COOKIE).iter();
        // The header is split before it is decoded: a browser sends all cookies in one header, and
        // the shop's own cookies may have bytes that are not UTF-8.
        cookies
            .flat_map(|value| value.as_bytes().split(|byte| *byte == b';'))
            .filter_map(|pair| str::from_utf8(pair).ok())
            .filter_map(move |pair| pair.trim().strip_prefix(&prefix))
    }

    /// Formats `Set-Cookie`. An age of zero deletes the cookie.
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
