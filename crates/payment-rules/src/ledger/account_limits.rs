//! How much an account of staff may give back, at once and in a day.

/// The most that an account may give back, in cents; `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The most of one request, and also of one operation.
    pub at_once: Option<u64>,
    /// The most in 24 hours.
    pub a_day: Option<u64>,
}

/// What an account has given back, or may have, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GivenBack {
    /// What it gave back of the operation.
    pub of_operation: u64,
    /// What it gave back in the last 24 hours.
    pub in_a_day: u64,
}

/// The daily limit of an account without one, as a multiple of its limit at once. Without a daily
/// limit, an account could give back any amount in many small refunds.
const USUAL_LIMITS_A_DAY: u64 = 10;

impl Limits {
    /// Limits of which the daily one may be left out: it is ten times the limit at once then.
    pub fn with_usual_day(at_once: Option<u64>, a_day: Option<u64>) -> Self {
        let usual = at_once.map(|limit| limit.saturating_mul(USUAL_LIMITS_A_DAY));
        Self {
            at_once,
            a_day: a_day.or(usual),
        }
    }

    /// What the account may still give back of one operation. `already_requested` is what the same request
    /// gives back of other operations.
    pub fn left(self, given_back: GivenBack, already_requested: u64) -> u64 {
        let rest = |limit: Option<u64>, gone: u64| {
            limit.map_or(u64::MAX, |limit| limit.saturating_sub(gone))
        };
        rest(self.at_once, already_requested)
            .min(rest(self.at_once, given_back.of_operation))
            .min(rest(
                self.a_day,
                given_back.in_a_day.saturating_add(already_requested),
            ))
    }
}

#[cfg(test)]
mod tests {
    use super::{GivenBack, Limits};

    #[test]
    fn what_is_left_is_the_smallest_of_the_request_the_operation_and_the_day() {
        let check = |at_once, a_day, of_operation, in_a_day, already_requested, left| {
            let given_back = GivenBack {
                of_operation,
                in_a_day,
            };
            assert_eq!(
                Limits { at_once, a_day }.left(given_back, already_requested),
                left
            );
        };
        check(Some(50), Some(500), 0, 0, 0, 50);
        check(Some(50), Some(500), 20, 20, 0, 30);
        check(Some(50), Some(500), 20, 20, 40, 10);
        check(Some(50), Some(500), 0, 480, 0, 20);
        check(Some(50), Some(500), 0, 480, 15, 5);
        check(Some(50), Some(500), 60, 600, 60, 0);
        check(Some(50), None, 0, u64::MAX, 0, 50);
        check(None, Some(500), u64::MAX, 100, u64::MAX, 0);
        check(None, None, u64::MAX, u64::MAX, 1, u64::MAX);
    }
}
