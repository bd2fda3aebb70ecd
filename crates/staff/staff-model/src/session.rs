use crate::word::words;
use payment_model::{Cents, Currency};
use serde::{Deserialize, Serialize};
use std::fmt;

words! {
    /// A permission of an account, in addition to reading.
    pub enum Permission {
        /// Cancel and reverse operations.
        Cancel = "cancel",
        /// Refund, record manual returns, and release attempts of others.
        Refund = "refund",
        /// Make payment links, end them, and see their addresses.
        Link = "link",
    }
}

words! {
    /// Whether the account of a session has a second factor, and what it may do without one.
    pub enum SecondFactor {
        /// It has none, and needs none for what it may do.
        Optional = "optional",
        /// It has none, and may only look until it is enrolled.
        Missing = "missing",
        /// It is enrolled: acts with money need a code from the last five minutes.
        Enrolled = "enrolled",
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
    /// For an account with a second factor: a code of its authenticator app, one of its recovery codes, or an
    /// enrolment code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl fmt::Debug for SignIn {
    /// Leaves the name, the password and the code out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    /// The largest amount of a payment link that the account may make, in cents of any currency; `null` without a limit.
    #[serde(default)]
    pub link_limit: Option<Cents>,
    /// The largest amount of all links that the account makes within 24 hours, without those that somebody ended unpaid.
    #[serde(default)]
    pub link_limit_a_day: Option<Cents>,
    /// The stores whose operations the account sees and that are open; empty from a server without payment links.
    #[serde(default)]
    pub stores: Vec<StaffStore>,
    /// The merchant codes whose operations the account sees.
    pub merchant_codes: Vec<String>,
    /// The merchant's time zone, such as `America/Lima`.
    pub time_zone: String,
    /// `Unknown` from a server without second factors.
    #[serde(default = "not_told")]
    pub second_factor: SecondFactor,
}

/// A store of the merchant's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffStore {
    /// Its code at the payment service.
    pub merchant_code: String,
    /// Its name, as payers read it.
    pub merchant_name: String,
    /// The currency of its prices.
    pub currency: Currency,
}

fn not_told() -> SecondFactor {
    SecondFactor::Unknown
}
