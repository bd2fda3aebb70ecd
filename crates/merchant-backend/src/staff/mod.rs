//! The merchant's staff: the accounts that may sign in, and the file of a search.
//!
//! ```text
//! account, accounts     the staff file, which is read again when it changes
//! password              hashes of passwords, and their slow check
//! session               the cookie of a session; `db/staff_sessions` has the sessions
//! known_device          the cookie of a device on which an account signed in before
//! sign_in_attempts, recent_times
//!                       the limits of guessing
//! sign_ins              all parts of signing in, for `http/staff/session`
//! csv                   an operation as a line for a spreadsheet
//! ```
//!
//! It knows cookies, but no address, no status code and no database. Of payments it knows only the
//! rows that a file lists. An account's permissions are data here; `http/staff` demands them.

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
pub(crate) use csv::{CsvFile, HEADINGS};
pub(crate) use sign_in_attempts::SignInAttempt;
pub(crate) use sign_ins::SignIns;

pub use accounts::{StaffAccounts, StaffFileError};
pub use password::hash_password;
