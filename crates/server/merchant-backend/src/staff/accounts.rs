//! The accounts of staff: their file, which is read again when it changes, and the hashes of their passwords with the slow
//! check.

use crate::redacted_parse_error;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use payment_rules::fingerprint;
use payment_rules::ledger::Limits;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use staff_model::Permission;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use tokio::sync::Semaphore;

/// One account of the staff file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Account {
    pub(crate) name: String,
    /// A line that `merchant-backend hash-password` printed.
    pub(crate) password_hash: SecretString,
    #[serde(default)]
    pub(crate) permissions: Vec<Permission>,
    /// The largest amount that the account may give back with one request, and of one operation, in
    /// cents.
    #[serde(default)]
    pub(crate) refund_limit: Option<u64>,
    /// The largest amount that the account may give back within 24 hours, in cents.
    #[serde(default)]
    pub(crate) refund_limit_a_day: Option<u64>,
    /// The largest amount of a payment link, in cents.
    #[serde(default)]
    pub(crate) link_limit: Option<u64>,
    /// The largest amount of all payment links that the account makes within 24 hours, in cents.
    #[serde(default)]
    pub(crate) link_limit_a_day: Option<u64>,
    /// The merchant codes whose operations the account sees; `None` for all.
    #[serde(default)]
    pub(crate) merchant_codes: Option<Vec<String>>,
}

impl Account {
    pub(crate) fn limits(&self) -> Limits {
        Limits::with_usual_day(self.refund_limit, self.refund_limit_a_day)
    }

    pub(crate) fn link_limits(&self) -> Limits {
        Limits::with_usual_day(self.link_limit, self.link_limit_a_day)
    }

    /// Changes with the password. Used where the password hash itself must not appear.
    pub(crate) fn password_fingerprint(&self) -> String {
        fingerprint(self.password_hash.expose_secret())
    }

    /// What is wrong with the account.
    fn fault(&self) -> Option<&'static str> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        if self.name.is_empty() || self.name.len() > 64 || !self.name.bytes().all(plain) {
            Some("`name` must be 1 to 64 letters, digits, `.`, `-` and `_`")
        } else if self.permissions.contains(&Permission::Unknown) {
            Some("`permissions` may hold \"cancel\", \"refund\" and \"link\" only")
        } else if self.merchant_codes.as_ref().is_some_and(Vec::is_empty) {
            Some("`merchant_codes` must name at least one, or be left out for all of them")
        } else if !is_hash(self.password_hash.expose_secret()) {
            Some("`password_hash` must be a line that `merchant-backend hash-password` printed")
        } else {
            None
        }
    }
}

/// The accounts of the merchant's staff, from the staff file.
///
/// The file is checked for a change with every request, so that an account that was removed from it
/// is signed out with its next request. A library that watches files would notice the change later.
#[derive(Debug)]
pub struct StaffAccounts {
    path: PathBuf,
    read: Mutex<Read>,
}

#[derive(Debug)]
struct Read {
    stamp: Option<Stamp>,
    accounts: Arc<[Account]>,
}

/// The modification time and the length of the file, to detect a change.
type Stamp = (SystemTime, u64);

/// The staff file cannot be used. The message names the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("STAFF_FILE: {path} {cause}")]
pub struct StaffFileError {
    path: String,
    cause: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    account: Vec<Account>,
}

impl StaffAccounts {
    /// Reads the staff file.
    ///
    /// # Errors
    /// The file cannot be read, or an account in it is invalid; the message names the account.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, StaffFileError> {
        let path = path.into();
        let stamp = stamp(&path);
        let accounts = load(&path)?;
        let read = Mutex::new(Read { stamp, accounts });
        Ok(Self { path, read })
    }

    /// The account of this name in the current file. While the file is unusable there are no
    /// accounts.
    pub(crate) fn find(&self, name: &str) -> Option<Account> {
        let accounts = self.current();
        accounts
            .iter()
            .find(|account| account.name == name)
            .cloned()
    }

    /// The names of the accounts that were read last.
    pub(crate) fn names(&self) -> Vec<String> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let accounts = read.accounts.iter();
        accounts.map(|account| account.name.clone()).collect()
    }

    fn current(&self) -> Arc<[Account]> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = stamp(&self.path);
        if stamp.is_none() || stamp != read.stamp {
            read.accounts = load(&self.path).unwrap_or_else(|error| {
                if read.stamp.is_some() {
                    tracing::error!(alert = true, %error, "nobody can sign in");
                }
                Arc::default()
            });
            read.stamp = stamp;
        }
        Arc::clone(&read.accounts)
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let data = fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

fn load(path: &Path) -> Result<Arc<[Account]>, StaffFileError> {
    let wrong = |cause: String| StaffFileError {
        path: path.display().to_string(),
        cause,
    };
    let text = fs::read_to_string(path)
        .map_err(|error| wrong(format!("cannot be read ({error}); name a file of accounts")))?;
    let file: File = redacted_parse_error::read_toml(&text)
        .map_err(|place| wrong(format!("is wrong at {place}")))?;
    for (at, account) in file.account.iter().enumerate() {
        if let Some(fault) = account.fault() {
            return Err(wrong(format!("account {}: {fault}", at + 1)));
        }
        // A second account of the same person could confirm what the first one began.
        let before = file.account[..at].iter();
        let mut same = before.filter(|other| other.name.eq_ignore_ascii_case(&account.name));
        if let Some(other) = same.next() {
            let (one, two) = (&other.name, &account.name);
            return Err(wrong(if one == two {
                format!("has two accounts named `{two}`")
            } else {
                format!("has accounts named `{one}` and `{two}`, which differ only in case")
            }));
        }
    }
    Ok(file.account.into())
}

/// Each check needs at least 19 MiB of memory while it runs.
const MAX_PARALLEL_CHECKS: usize = 2;

/// The hash that is checked for unknown names, so that their rejection takes as long as that of a wrong
/// password.
const UNKNOWN_NAME_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Hashes a password for `password_hash` in the staff file.
///
/// # Errors
/// The password is too short, or it cannot be hashed.
pub fn hash_password(password: &str) -> Result<String, String> {
    if password.chars().count() < 12 {
        return Err("a password has at least 12 characters".to_owned());
    }
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string())
        .map_err(|error| format!("the password cannot be hashed: {error}"))
}

/// The allowed costs of a hash: at least those of [`UNKNOWN_NAME_HASH`], so that the time of a check
/// does not reveal which names exist, and at most what the server can afford for each sign-in attempt.
const MEMORY_KIB: RangeInclusive<u32> = 19_456..=262_144;
const PASSES: RangeInclusive<u32> = 2..=10;

pub(super) fn is_hash(text: &str) -> bool {
    let Ok(hash) = PasswordHash::new(text) else {
        return false;
    };
    let cost = |name: &str| hash.params.get_decimal(name).unwrap_or_default();
    hash.algorithm.as_str() == "argon2id"
        && MEMORY_KIB.contains(&cost("m"))
        && PASSES.contains(&cost("t"))
        && (1..=4).contains(&cost("p"))
}

/// Checks passwords, a few at a time, and on threads that answer no requests.
#[derive(Clone)]
pub(crate) struct Passwords(Arc<Semaphore>);

impl Default for Passwords {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_PARALLEL_CHECKS)))
    }
}

impl Passwords {
    /// True when the password matches the hash. Unknown names, which have no hash, take the same time
    /// and fail.
    pub(crate) async fn is_right(&self, password: String, hash: Option<SecretString>) -> bool {
        let Ok(permit) = Arc::clone(&self.0).acquire_owned().await else {
            return false;
        };
        let checked = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let known = hash.is_some();
            let hash = hash.unwrap_or_else(|| UNKNOWN_NAME_HASH.into());
            let right = PasswordHash::new(hash.expose_secret()).is_ok_and(|hash| {
                Argon2::default()
                    .verify_password(password.as_bytes(), &hash)
                    .is_ok()
            });
            known && right
        });
        checked.await.unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::StaffAccounts;
    use crate::staff::hash_password;
    use std::fs;

    #[test]
    fn accounts_are_those_of_the_file_as_it_is_now() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("staff.toml");
        let hash = hash_password("canary password").unwrap();
        let account = |name: &str, more: &str| {
            format!("[[account]]\nname = \"{name}\"\npassword_hash = \"{hash}\"\n{more}\n")
        };
        fs::write(&path, account("ana", "permissions = [\"cancel\"]")).unwrap();
        let accounts = StaffAccounts::open(&path).unwrap();
        assert!(accounts.find("ana").is_some() && accounts.find("luis").is_none());
        assert!(!format!("{:?}", accounts.find("ana")).contains("argon2"));
        fs::write(&path, account("luis", "refund_limit = 5000")).unwrap();
        assert!(accounts.find("ana").is_none());
        assert_eq!(accounts.find("luis").unwrap().refund_limit, Some(5000));
        fs::write(&path, "[[account]]").unwrap();
        assert!(accounts.find("luis").is_none());
        fs::remove_file(&path).unwrap();
        assert!(accounts.find("luis").is_none());

        for (text, named) in [
            (account("", ""), "account 1: `name`"),
            (account("ana", "permissions = [\"all\"]"), "permissions"),
            (account("ana", "merchant_codes = []"), "`merchant_codes`"),
            (
                account("ana", "role = \"boss\""),
                "line 4, column 1: unknown field `role`",
            ),
            (
                format!("{}{}", account("ana", ""), account("ana", "")),
                "two accounts named `ana`",
            ),
            (
                format!("{}{}", account("ana", ""), account("Ana", "")),
                "`ana` and `Ana`, which differ only in case",
            ),
            (
                account("ana", "").replace("m=19456", "m=8"),
                "hash-password",
            ),
            (
                "[[account]]\nname = \"ana\"\npassword_hash = \"secret\"".to_owned(),
                "hash-password",
            ),
        ] {
            fs::write(&path, text).unwrap();
            let error = StaffAccounts::open(&path).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
            assert!(!error.contains(&hash), "{error}");
        }
        let error = StaffAccounts::open(directory.path().join("none")).unwrap_err();
        assert!(error.to_string().contains("cannot be read"), "{error}");
    }
}

#[cfg(test)]
mod password_tests {
    use super::{Passwords, UNKNOWN_NAME_HASH, hash_password, is_hash};
    use secrecy::SecretString;

    #[tokio::test]
    async fn the_password_and_no_other_is_right() {
        let hash = hash_password("a long password").unwrap();
        assert!(is_hash(&hash) && is_hash(UNKNOWN_NAME_HASH) && !is_hash("a long password"));
        for (cost, odd) in [
            ("m=19456", "m=8"),
            ("m=19456", "m=4194304"),
            ("t=2", "t=1"),
            ("t=2", "t=1000"),
            ("p=1", "p=64"),
        ] {
            assert!(!is_hash(&UNKNOWN_NAME_HASH.replace(cost, odd)), "{odd}");
        }
        assert_ne!(hash, hash_password("a long password").unwrap());
        let passwords = Passwords::default();
        let check = async |password: &str, hash: Option<&str>| {
            let hash = hash.map(SecretString::from);
            passwords.is_right(password.to_owned(), hash).await
        };
        assert!(check("a long password", Some(&hash)).await);
        assert!(!check("A long password", Some(&hash)).await);
        assert!(!check("", Some(&hash)).await);
        assert!(!check("a long password", None).await);
        assert!(hash_password("too short").is_err());
    }
}
