//! The merchant's staff: the accounts that may sign in, and the CSV file of a search.
//!
//! ```text
//! accounts         the staff file, which is read again when it changes; password hashes, and their slow check
//! cookies          the cookie of a session, and that of a device on which an account signed in before
//! sign_in_attempts the limits of sign-in attempts
//! second_factor    makes and checks the codes and keys of second factors
//! csv              an operation as a line of a CSV file
//! ```
//!
//! The module knows cookies, but no address, status code or database; `db/staff_sessions` stores the
//! sessions. Of payments it knows only the rows of the file. An account's permissions are data here;
//! `http/staff` enforces them.

mod accounts;
mod cookies;
mod csv;
mod second_factor;
mod sign_in_attempts;

pub(crate) use accounts::Account;
pub(crate) use csv::{CsvFile, HEADINGS};
pub(crate) use second_factor::{SecondFactors, is_guessable};
pub(crate) use sign_in_attempts::SignInAttempt;

pub use accounts::hash_password;
pub use accounts::{StaffAccounts, StaffFileError};
pub use second_factor::SecondFactorPolicy;

use crate::cookies::CookieKey;
use accounts::Passwords;
use cookies::{StaffCookies, StaffDevices};
use sign_in_attempts::SignInAttempts;

/// The parts that `http/staff/session` needs to sign an account in.
pub(crate) struct SignIns {
    pub(crate) cookies: StaffCookies,
    pub(crate) devices: StaffDevices,
    pub(crate) passwords: Passwords,
    pub(crate) attempts: SignInAttempts,
    pub(crate) second_factors: SecondFactors,
}

impl SignIns {
    /// `secure` restricts the cookies to HTTPS.
    pub(crate) fn new(cookie_key: CookieKey, secure: bool, second_factors: SecondFactors) -> Self {
        Self {
            cookies: StaffCookies::new(secure),
            devices: StaffDevices::new(cookie_key, secure),
            passwords: Passwords::default(),
            attempts: SignInAttempts::default(),
            second_factors,
        }
    }
}
