use super::recent_times::Recent;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

/// The most attempts for one name that failed or are running.
const FOR_A_NAME: usize = 8;
/// The same on one known device of the account.
const FOR_A_DEVICE: usize = 8;
/// The same from one address, which a whole office may share.
const FOR_AN_ADDRESS: usize = 20;
/// The most attempts in a minute, so that guessing many names from many addresses is slow too.
const OVER_ALL: NonZeroU32 = NonZeroU32::new(120).unwrap();

/// An attempt to sign in.
pub(crate) struct SignInAttempt {
    pub(crate) name: String,
    pub(crate) address: IpAddr,
    /// The device, if the account signed in on it before.
    pub(crate) device: Option<String>,
}

/// Limits attempts to sign in. Only a failed attempt counts. The attempts of strangers use nothing
/// of a known device's allowance.
pub(crate) struct SignInAttempts {
    by_device: Recent<String>,
    by_name: Recent<String>,
    by_address: Recent<IpAddr>,
    of_strangers: DefaultDirectRateLimiter,
}

impl Default for SignInAttempts {
    fn default() -> Self {
        Self {
            by_device: Recent::new(FOR_A_DEVICE),
            by_name: Recent::new(FOR_A_NAME),
            by_address: Recent::new(FOR_AN_ADDRESS),
            of_strangers: RateLimiter::direct(Quota::per_minute(OVER_ALL)),
        }
    }
}

impl SignInAttempts {
    /// Counts an attempt before it is made; the time to wait when there were too many.
    pub(crate) fn take(&self, attempt: &SignInAttempt) -> Result<(), Duration> {
        if let Some(device) = &attempt.device {
            return self.by_device.take(device);
        }
        self.by_address.take(&attempt.address)?;
        let taken = self.by_name.take(&short(&attempt.name)).and_then(|()| {
            let late = self.of_strangers.check();
            late.map_err(|late| {
                self.by_name.give_back(&short(&attempt.name));
                late.wait_time_from(DefaultClock::default().now())
            })
        });
        if taken.is_err() {
            // The attempt does not run, so it did not fail.
            self.by_address.give_back(&attempt.address);
        }
        taken
    }

    /// Takes an attempt back, since the password was right.
    pub(crate) fn forgive(&self, attempt: &SignInAttempt) {
        if let Some(device) = &attempt.device {
            self.by_device.give_back(device);
        } else {
            self.by_name.give_back(&short(&attempt.name));
            self.by_address.give_back(&attempt.address);
        }
    }

    /// Forgets names, devices and addresses without recent attempts.
    pub(crate) fn retain_recent(&self) {
        self.by_device.retain_recent();
        self.by_name.retain_recent();
        self.by_address.retain_recent();
    }
}

/// A name can be as long as a body; long names with the same beginning share one limit.
fn short(name: &str) -> String {
    name.chars().take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::{FOR_A_NAME, FOR_AN_ADDRESS, SignInAttempt, SignInAttempts};
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
        for _ in 0..FOR_A_NAME {
            assert_eq!(attempts.take(&ana), Ok(()));
        }
        let wait = attempts.take(&ana).unwrap_err();
        let longest = Duration::from_mins(8);
        assert!(!wait.is_zero() && wait <= longest, "{wait:?}");
        assert!(attempts.take(&attempt("ana", 2, None)).is_err());
        assert_eq!(attempts.take(&attempt("luis", 1, None)), Ok(()));
        attempts.retain_recent();
        assert!(attempts.take(&ana).is_err());
        // For a known device only its own attempts count.
        let known = attempt("ana", 1, Some("d"));
        for _ in 0..FOR_A_NAME {
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
            for _ in 0..3 * FOR_AN_ADDRESS {
                assert_eq!(attempts.take(&ana), Ok(()));
                attempts.forgive(&ana);
            }
        }
    }

    #[test]
    fn what_is_refused_is_not_counted() {
        let attempts = SignInAttempts::default();
        for _ in 0..100 {
            let _ = attempts.take(&attempt("ana", 1, None));
        }
        for _ in FOR_A_NAME..FOR_AN_ADDRESS {
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
        assert!(one.count() <= FOR_AN_ADDRESS);
    }
}
