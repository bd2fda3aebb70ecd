//! Who of the merchant's staff may sign in, and who is signed in.

mod account;
mod accounts;
mod attempts;
mod device;
mod password;
mod recent;
mod session;

pub(crate) use account::Account;
pub(crate) use attempts::{SignInAttempt, SignInAttempts};
pub(crate) use device::StaffDevices;
pub(crate) use password::Passwords;
pub(crate) use session::{ABSOLUTE_LIFE, IDLE_LIFE, StaffCookies};

pub use accounts::{StaffAccounts, StaffFileError};
pub use password::hash_password;
