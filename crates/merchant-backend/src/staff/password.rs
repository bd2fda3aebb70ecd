use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use secrecy::{ExposeSecret, SecretString};
use std::ops::RangeInclusive;
use std::sync::Arc;
use tokio::sync::Semaphore;

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
