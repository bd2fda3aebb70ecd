//! What the server keeps of an account's second factor: how long a code counts, what a wrong one costs, and what a
//! right one changes. It knows no key and checks no code.

use payment_model::Timestamp;
use std::time::Duration;

/// How long a code counts for acts with money in its session.
pub const CODE_COUNTS_FOR: Duration = Duration::from_mins(5);
/// How long an operator's code permits an enrolment.
pub const ENROLMENT_LIFETIME: Duration = Duration::from_hours(1);

/// After this time without a wrong code, earlier ones are forgotten.
pub const WRONG_CODES_COUNT_FOR: Duration = Duration::from_hours(24);

/// Wrong codes in a row that cost no time.
const FREE_WRONG_CODES: u32 = 5;
/// The longest wait after a wrong code, so that guessing locks nobody out for ever.
const LONGEST_WAIT: Duration = Duration::from_hours(1);

/// The second factor of an account, as it is stored. One that never was enrolled is the default. It has no `Debug`, since
/// everything in it is a secret or the hash of one.
#[derive(Clone, Default)]
pub struct StoredFactor {
    /// The sealed key of the app; `None` before the first enrolment, and after a restore.
    pub sealed_key: Option<String>,
    /// True if the account was ever enrolled: then its password alone is never enough again.
    pub was_enrolled: bool,
    /// The last time step of which a code was used.
    pub last_step: i64,
    /// Hashes of the unused recovery codes.
    pub recovery_codes: Vec<String>,
    /// The enrolment that an operator permitted.
    pub enrolment: Option<PendingEnrolment>,
}

/// An enrolment from the operator's command until its confirmation.
#[derive(Clone)]
pub struct PendingEnrolment {
    /// The hash of the operator's code.
    pub code: String,
    /// The end of the code's validity.
    pub until: Timestamp,
    /// The sealed key that the enrolment showed; `None` before it began.
    pub sealed_key: Option<String>,
    /// The hash of the session that saw the key. Another one with the same code gets another key, so that nobody shares
    /// a key unseen.
    pub session: Option<String>,
}

impl PendingEnrolment {
    /// The sealed key that this session saw.
    #[must_use]
    pub fn key_seen_by(&self, session: &str) -> Option<&str> {
        let is_same = self.session.as_deref() == Some(session);
        self.sealed_key.as_deref().filter(|_| is_same)
    }
}

/// What a right code changes. Every change is carried out at most once, whichever node takes it.
#[derive(Clone)]
pub enum FactorChange {
    /// A code of the app is used up, with all of earlier time steps.
    UseStep(i64),
    /// The recovery code with this hash is used up.
    UseRecoveryCode(String),
    /// An operator's code permits an enrolment, and stays valid until the enrolment is confirmed.
    PermitEnrolment,
    /// An enrolment shows this sealed key to its session.
    BeginEnrolment(String),
    /// The account has a new app and new recovery codes, and nothing of the earlier ones.
    Enrol {
        /// The sealed key of the app.
        sealed_key: String,
        /// The time step of the code that confirmed it.
        step: i64,
        /// Hashes of the recovery codes.
        recovery_codes: Vec<String>,
    },
}

impl FactorChange {
    /// True if the code is of an app or takes its place, so that it confirms a session for acts with money.
    #[must_use]
    pub fn confirms_session(&self) -> bool {
        matches!(
            self,
            Self::UseStep(_) | Self::UseRecoveryCode(_) | Self::Enrol { .. }
        )
    }
}

/// True while the last code of a session, if there is one, counts for acts with money.
#[must_use]
pub fn is_confirmed(confirmed_at: Option<Timestamp>, now: Timestamp) -> bool {
    confirmed_at.is_some_and(|at| now.duration_since(at) < CODE_COUNTS_FOR)
}

/// How long no code of an account counts on a device after this many wrong ones in a row: a minute after the fifth,
/// twice as long after each further one, and never more than an hour.
#[must_use]
pub fn wait_after(wrong_in_a_row: u32) -> Duration {
    match wrong_in_a_row.checked_sub(FREE_WRONG_CODES) {
        None => Duration::ZERO,
        Some(more) => {
            let minutes = 2_u32.saturating_pow(more);
            LONGEST_WAIT.min(Duration::from_mins(1).saturating_mul(minutes))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CODE_COUNTS_FOR, FactorChange, is_confirmed, wait_after};
    use crate::timing::instant;
    use std::time::Duration;

    #[test]
    fn a_code_counts_for_five_minutes() {
        let given = instant(1_763_700_000_000);
        let last = given.saturating_add(CODE_COUNTS_FOR);
        assert!(!is_confirmed(None, given));
        assert!(is_confirmed(Some(given), given));
        assert!(is_confirmed(
            Some(given),
            last.saturating_sub(Duration::from_millis(1))
        ));
        assert!(!is_confirmed(Some(given), last));
    }

    #[test]
    fn waits_double_from_a_minute_and_end_within_an_hour() {
        let minutes = |wrong| wait_after(wrong).as_secs() / 60;
        assert_eq!([0, 1, 4].map(minutes), [0, 0, 0]);
        assert_eq!([5, 6, 7, 10].map(minutes), [1, 2, 4, 32]);
        assert_eq!([11, 12, 40, u32::MAX].map(minutes), [60; 4]);
    }

    #[test]
    fn a_permission_to_enrol_confirms_no_session() {
        assert!(FactorChange::UseStep(1).confirms_session());
        assert!(FactorChange::UseRecoveryCode(String::new()).confirms_session());
        assert!(!FactorChange::PermitEnrolment.confirms_session());
        assert!(!FactorChange::BeginEnrolment(String::new()).confirms_session());
    }
}
