use payment_rules::fingerprint::fingerprint;
use payment_rules::ledger::Limits;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use staff_model::Permission;

/// One account of the staff file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Account {
    pub(crate) name: String,
    /// As `merchant-backend hash-password` prints it.
    pub(crate) password_hash: SecretString,
    #[serde(default)]
    pub(crate) permissions: Vec<Permission>,
    /// The most that it may give back with one request, and of one operation, in cents.
    #[serde(default)]
    pub(crate) refund_limit: Option<u64>,
    /// The most that it may give back in 24 hours, in cents.
    #[serde(default)]
    pub(crate) refund_limit_a_day: Option<u64>,
    /// The merchant codes whose operations it sees; without a list, all of them.
    #[serde(default)]
    pub(crate) merchant_codes: Option<Vec<String>>,
}

/// How often an account may give its limit back in a day, if the file does not say how much: without
/// a bound, a limit of each operation would be none for many operations.
const TIMES_A_DAY: u64 = 10;

impl Account {
    /// What it may give back.
    pub(crate) fn limits(&self) -> Limits {
        let at_once = self.refund_limit;
        let usual = at_once.map(|limit| limit.saturating_mul(TIMES_A_DAY));
        Limits {
            at_once,
            a_day: self.refund_limit_a_day.or(usual),
        }
    }

    /// Stands for the password where the hash itself must not be.
    pub(crate) fn password_fingerprint(&self) -> String {
        fingerprint(self.password_hash.expose_secret())
    }

    /// Says what is wrong with the account, if anything is.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        if self.name.is_empty() || self.name.len() > 64 || !self.name.bytes().all(plain) {
            Some("`name` must be 1 to 64 letters, digits, `.`, `-` and `_`")
        } else if self.permissions.contains(&Permission::Unknown) {
            Some("`permissions` may hold \"cancel\" and \"refund\" only")
        } else if self.merchant_codes.as_ref().is_some_and(Vec::is_empty) {
            Some("`merchant_codes` must name at least one, or be left out for all of them")
        } else if !super::password::is_hash(self.password_hash.expose_secret()) {
            Some("`password_hash` must be a line that `merchant-backend hash-password` printed")
        } else {
            None
        }
    }
}
