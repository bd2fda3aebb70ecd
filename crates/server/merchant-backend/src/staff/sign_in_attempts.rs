//! Limits the failed attempts to sign in: for one name, one network, and all together.

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Sign-in attempts are counted within this time.
const WINDOW: Duration = Duration::from_mins(8);

/// Limits the events of each key within a sliding window. `governor`, which the other limits use, cannot
/// take an event back, and a successful sign-in must not count.
pub(super) struct SlidingWindow<K> {
    max_events: usize,
    by_key: Mutex<HashMap<K, Vec<Instant>>>,
}

impl<K: Hash + Eq + Clone> SlidingWindow<K> {
    pub(super) fn new(max_events: usize) -> Self {
        Self {
            max_events,
            by_key: Mutex::default(),
        }
    }

    /// Counts an event; when the limit is reached, returns the time until the next one is allowed.
    pub(super) fn take(&self, key: &K) -> Result<(), Duration> {
        self.with(key, |times| {
            times.retain(|at| at.elapsed() < WINDOW);
            match times.first() {
                Some(first) if times.len() >= self.max_events => {
                    Err(WINDOW.saturating_sub(first.elapsed()))
                }
                _ => {
                    times.push(Instant::now());
                    Ok(())
                }
            }
        })
    }

    /// Takes the last event back.
    pub(super) fn give_back(&self, key: &K) {
        self.with(key, |times| {
            times.pop();
        });
    }

    /// Removes the keys without events in the window.
    pub(super) fn retain_recent(&self) {
        let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        by_key.retain(|_, times| times.last().is_some_and(|at| at.elapsed() < WINDOW));
    }

    fn with<T>(&self, key: &K, change: impl FnOnce(&mut Vec<Instant>) -> T) -> T {
        let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        change(by_key.entry(key.clone()).or_default())
    }
}

/// Attempts within the window that failed or still run, for one name from unknown devices.
const MAX_ATTEMPTS_OF_NAME: usize = 8;
/// Attempts within the window that failed or still run, on one known device of an account.
const MAX_ATTEMPTS_OF_DEVICE: usize = 8;
/// Attempts within the window that failed or still run, from one address, which a whole office may
/// share.
const MAX_ATTEMPTS_OF_ADDRESS: usize = 20;
/// Attempts of all unknown devices together, so that guessing many names from many addresses is slow
/// too.
const MAX_UNKNOWN_DEVICE_ATTEMPTS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(120).unwrap();

pub(crate) struct SignInAttempt {
    pub(crate) name: String,
    pub(crate) address: IpAddr,
    /// The known device that sends the attempt; `None` if the account never signed in on it.
    pub(crate) device: Option<String>,
}

/// Limits sign-in attempts. Only failed attempts count. Attempts from unknown devices do not count
/// against the limit of a known device, so that guessing cannot lock an account's owner out.
pub(crate) struct SignInAttempts {
    by_device: SlidingWindow<String>,
    by_name: SlidingWindow<String>,
    by_address: SlidingWindow<IpAddr>,
    unknown_devices: DefaultDirectRateLimiter,
}

impl Default for SignInAttempts {
    fn default() -> Self {
        Self {
            by_device: SlidingWindow::new(MAX_ATTEMPTS_OF_DEVICE),
            by_name: SlidingWindow::new(MAX_ATTEMPTS_OF_NAME),
            by_address: SlidingWindow::new(MAX_ATTEMPTS_OF_ADDRESS),
            unknown_devices: RateLimiter::direct(Quota::per_minute(
                MAX_UNKNOWN_DEVICE_ATTEMPTS_PER_MINUTE,
            )),
        }
    }
}

impl SignInAttempts {
    /// Counts an attempt before the password is checked; after too many, returns the time to wait.
    pub(crate) fn take(&self, attempt: &SignInAttempt) -> Result<(), Duration> {
        if let Some(device) = &attempt.device {
            return self.by_device.take(device);
        }
        self.by_address.take(&attempt.address)?;
        let taken = self.by_name.take(&short(&attempt.name)).and_then(|()| {
            let late = self.unknown_devices.check();
            late.map_err(|late| {
                self.by_name.give_back(&short(&attempt.name));
                late.wait_time_from(DefaultClock::default().now())
            })
        });
        if taken.is_err() {
            // A rejected attempt checks no password, so it does not count.
            self.by_address.give_back(&attempt.address);
        }
        taken
    }

    /// Takes an attempt back after a correct password.
    pub(crate) fn forgive(&self, attempt: &SignInAttempt) {
        if let Some(device) = &attempt.device {
            self.by_device.give_back(device);
        } else {
            self.by_name.give_back(&short(&attempt.name));
            self.by_address.give_back(&attempt.address);
        }
    }

    /// Counts a code beside a right password: by the address alone, since the database counts by account.
    pub(crate) fn take_code(&self, attempt: &SignInAttempt) -> Result<(), Duration> {
        match attempt.device {
            None => self.by_address.take(&attempt.address),
            Some(_) => Ok(()),
        }
    }

    /// Takes a code back that was not wrong.
    pub(crate) fn forgive_code(&self, attempt: &SignInAttempt) {
        if attempt.device.is_none() {
            self.by_address.give_back(&attempt.address);
        }
    }

    /// Removes the names, devices and addresses without recent attempts.
    pub(crate) fn retain_recent(&self) {
        self.by_device.retain_recent();
        self.by_name.retain_recent();
        self.by_address.retain_recent();
    }
}

/// Bounds the memory of a name from a request. Long names with the same beginning share one limit.
fn short(name: &str) -> String {
    name.chars().take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::{MAX_ATTEMPTS_OF_ADDRESS, MAX_ATTEMPTS_OF_NAME, SignInAttempt, SignInAttempts};
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;

    fn attempt(name: &str, address: u32, device: Option<&str>) -> SignInAttempt {
        SignInAttempt {
            name: name.to_owned(),
            address: IpAddr::V4(Ipv4Addr::from_bits(address)),
            device: device.map(str::to_owned),
        }
    }

    #[test]
    fn too_many_attempts_for_one_name_wait_and_other_names_do_not() {
        let attempts = SignInAttempts::default();
        let ana = attempt("ana", 1, None);
        for _ in 0..MAX_ATTEMPTS_OF_NAME {
            assert_eq!(attempts.take(&ana), Ok(()));
        }
        let wait = attempts.take(&ana).unwrap_err();
        let longest = Duration::from_mins(8);
        assert!(!wait.is_zero() && wait <= longest, "{wait:?}");
        assert!(attempts.take(&attempt("ana", 2, None)).is_err());
        assert_eq!(attempts.take(&attempt("luis", 1, None)), Ok(()));
        attempts.retain_recent();
        assert!(attempts.take(&ana).is_err());
        // A known device is limited by its own attempts only.
        let known = attempt("ana", 1, Some("d"));
        for _ in 0..MAX_ATTEMPTS_OF_NAME {
            assert_eq!(attempts.take(&known), Ok(()));
        }
        assert!(attempts.take(&known).is_err());
        assert_eq!(attempts.take(&attempt("ana", 1, Some("e"))), Ok(()));
    }

    #[test]
    fn whoever_knows_the_password_signs_in_as_often_as_they_like() {
        let attempts = SignInAttempts::default();
        for device in [None, Some("d")] {
            let ana = attempt("ana", 1, device);
            for _ in 0..3 * MAX_ATTEMPTS_OF_ADDRESS {
                assert_eq!(attempts.take(&ana), Ok(()));
                attempts.forgive(&ana);
            }
        }
    }

    #[test]
    fn wrong_codes_count_by_address_and_not_against_known_devices_or_names() {
        let attempts = SignInAttempts::default();
        for at in 0..MAX_ATTEMPTS_OF_ADDRESS {
            let tried = attempt(&format!("name-{at}"), 1, None);
            assert_eq!(attempts.take_code(&tried), Ok(()));
        }
        assert!(attempts.take_code(&attempt("ana", 1, None)).is_err());
        assert_eq!(attempts.take_code(&attempt("ana", 1, Some("d"))), Ok(()));
        assert_eq!(attempts.take_code(&attempt("ana", 2, None)), Ok(()));
        attempts.forgive_code(&attempt("ana", 1, None));
        assert_eq!(attempts.take_code(&attempt("ana", 1, None)), Ok(()));
        assert_eq!(attempts.take(&attempt("name-1", 2, None)), Ok(()));
    }

    #[test]
    fn what_is_refused_is_not_counted() {
        let attempts = SignInAttempts::default();
        for _ in 0..100 {
            let _ = attempts.take(&attempt("ana", 1, None));
        }
        for _ in MAX_ATTEMPTS_OF_NAME..MAX_ATTEMPTS_OF_ADDRESS {
            assert_eq!(attempts.take(&attempt("luis", 1, None)), Ok(()));
            attempts.by_name.give_back(&"luis".to_owned());
        }
        assert!(attempts.take(&attempt("luis", 1, None)).is_err());
    }

    #[test]
    fn trying_many_names_is_limited_too() {
        let attempts = SignInAttempts::default();
        let tried = |at: u32| attempts.take(&attempt(&format!("name-{at}"), at, None));
        let refused = (0..200).filter(|at| tried(*at).is_err());
        assert!(refused.count() >= 79);
        let one = (0..40).filter(|at| {
            let name = format!("more-{at}");
            attempts.take(&attempt(&name, 1_000, None)).is_ok()
        });
        assert!(one.count() <= MAX_ATTEMPTS_OF_ADDRESS);
    }
}
