//! The accounts of the merchant's staff, and the sessions of signed-in staff.

mod account;
mod accounts;
mod csv;
mod known_device;
mod password;
mod recent_times;
mod session;
mod sign_in_attempts;
mod sign_ins;

pub(crate) use account::Account;
pub(crate) use csv::{HEADINGS, Sheet};
pub(crate) use sign_in_attempts::SignInAttempt;
pub(crate) use sign_ins::SignIns;

pub use accounts::{StaffAccounts, StaffFileError};
pub use password::hash_password;
