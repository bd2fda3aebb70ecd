use crate::word::words;
use payment_model::Cents;
use serde::{Deserialize, Serialize};

words! {
    /// A permission of an account, in addition to reading.
    pub enum Permission {
        /// Cancel and reverse operations.
        Cancel = "cancel",
        /// Refund, record manual returns, and release attempts of others.
        Refund = "refund",
    }
}

/// The body of `POST /staff/session`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The name of the account.
    pub name: String,
    /// The password of the account.
    pub password: String,
}

impl std::fmt::Debug for SignIn {
    /// Leaves the name and the password out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SignIn(redacted)")
    }
}

/// The signed-in account: the answer of `POST` and `GET /staff/session`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffSession {
    /// The name of the account.
    pub name: String,
    /// The permissions in addition to reading, which is always permitted.
    pub permissions: Vec<Permission>,
    /// The largest amount that the account may give back with one request, and of one operation, in cents of
    /// any currency; `null` without a limit.
    #[serde(default)]
    pub refund_limit: Option<Cents>,
    /// The largest amount that the account may give back within 24 hours.
    #[serde(default)]
    pub refund_limit_a_day: Option<Cents>,
    /// The merchant codes whose operations the account sees.
    pub merchant_codes: Vec<String>,
    /// The merchant's time zone, such as `America/Lima`.
    pub time_zone: String,
}
