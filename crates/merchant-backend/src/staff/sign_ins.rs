use super::known_device::StaffDevices;
use super::password::Passwords;
use super::session::StaffCookies;
use super::sign_in_attempts::SignInAttempts;
use crate::cookie_key::CookieKey;

/// The parts that signing in needs.
pub(crate) struct SignIns {
    pub(crate) cookies: StaffCookies,
    pub(crate) devices: StaffDevices,
    pub(crate) passwords: Passwords,
    pub(crate) attempts: SignInAttempts,
}

impl SignIns {
    /// `secure` limits the cookies to https.
    pub(crate) fn new(cookie_key: CookieKey, secure: bool) -> Self {
        Self {
            cookies: StaffCookies::new(secure),
            devices: StaffDevices::new(cookie_key, secure),
            passwords: Passwords::default(),
            attempts: SignInAttempts::default(),
        }
    }
}
