//! Who of the merchant's staff may sign in, and who is signed in.

mod account;
mod accounts;
mod attempts;
mod csv;
mod device;
mod password;
mod recent;
mod session;
mod sign_ins;

pub(crate) use account::Account;
pub(crate) use attempts::SignInAttempt;
pub(crate) use csv::{HEADINGS, Sheet};
pub(crate) use sign_ins::SignIns;

pub use accounts::{StaffAccounts, StaffFileError};
pub use password::hash_password;
