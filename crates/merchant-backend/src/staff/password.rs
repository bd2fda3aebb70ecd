use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use secrecy::{ExposeSecret, SecretString};
use std::ops::RangeInclusive;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// How many checks run at once: each takes 19 MiB for a moment.
const PARALLEL: usize = 2;

/// The hash for unknown names: its check makes the refusal take the same time.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The line for the staff file's `password_hash`.
///
/// # Errors
/// The reason why there is no hash.
pub fn hash_password(password: &str) -> Result<String, String> {
    if password.chars().count() < 12 {
        return Err("a password has at least 12 characters".to_owned());
    }
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string())
        .map_err(|error| format!("the password cannot be hashed: {error}"))
}

/// The costs of a check: at least those of [`NOBODY`], which everybody may assume, and at most what
/// a server can bear for each attempt to sign in.
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

/// Checks passwords, a few at a time and away from the threads that answer requests.
#[derive(Clone)]
pub(crate) struct Passwords(Arc<Semaphore>);

impl Default for Passwords {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(PARALLEL)))
    }
}

impl Passwords {
    /// True when the password fits this hash. Without a hash it never fits, after as long.
    pub(crate) async fn is_right(&self, password: String, hash: Option<SecretString>) -> bool {
        let Ok(place) = Arc::clone(&self.0).acquire_owned().await else {
            return false;
        };
        let checked = tokio::task::spawn_blocking(move || {
            let _place = place;
            let known = hash.is_some();
            let hash = hash.unwrap_or_else(|| NOBODY.into());
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
    use super::{NOBODY, Passwords, hash_password, is_hash};
    use secrecy::SecretString;

    #[tokio::test]
    async fn the_password_and_no_other_is_right() {
        let hash = hash_password("a long password").unwrap();
        assert!(is_hash(&hash) && is_hash(NOBODY) && !is_hash("a long password"));
        for (cost, odd) in [
            ("m=19456", "m=8"),
            ("m=19456", "m=4194304"),
            ("t=2", "t=1"),
            ("t=2", "t=1000"),
            ("p=1", "p=64"),
        ] {
            assert!(!is_hash(&NOBODY.replace(cost, odd)), "{odd}");
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
