//! The bodies of the step-up and of the enrolment of a second factor. Their `Debug` leaves every code and key out.

use crate::QrPath;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The body of `POST /staff/session/code`, which confirms a session again before an act with money.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepUp {
    /// A code of the authenticator app, or a recovery code.
    pub code: String,
}

/// The body of `POST /staff/second-factor`, which begins an enrolment. The same enrolment code gets the same key
/// again, until the enrolment is confirmed or the code has expired.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeginEnrolment {
    /// The code that the server's command `second-factor` printed for this account.
    pub enrolment_code: String,
}

/// The key for an authenticator app: the answer of `POST /staff/second-factor`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnrolmentKey {
    /// The key in base32, for typing.
    pub key: String,
    /// The key with the names of the shop and of the account, as the `otpauth` address that apps read.
    pub uri: String,
    /// The address as a QR code.
    pub qr: QrPath,
}

/// The body of `POST /staff/second-factor/confirm`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfirmEnrolment {
    /// The code that the enrolment began with.
    pub enrolment_code: String,
    /// A code that the app made from the key.
    pub code: String,
}

/// The answer of `POST /staff/second-factor/confirm`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enrolled {
    /// Each takes the place of a code of the app once. They are in this answer only.
    pub recovery_codes: Vec<String>,
}

macro_rules! redact {
    ($($body:ident)+) => {
        $(impl fmt::Debug for $body {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($body), "(redacted)"))
            }
        })+
    };
}

redact!(StepUp BeginEnrolment EnrolmentKey ConfirmEnrolment Enrolled);
