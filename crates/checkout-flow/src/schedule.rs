//! The times of the requests to the server, in milliseconds.

use crate::time::GRACE;

/// No two status requests start closer together than this.
pub(crate) const SPACING: i64 = 1_000;
/// How long a request may take beyond the wait that it asks for.
pub(crate) const TIMEOUT: i64 = 10_000;
/// How much longer than its timeout a request may take until it counts as lost, because even
/// the report of its time-out got lost.
pub(crate) const MARGIN: i64 = 5_000;
/// When a cancellation counts as lost.
pub(crate) const CANCEL_LOST: i64 = TIMEOUT + MARGIN;
/// The time that `Prefer: wait` asks for, in seconds.
pub(crate) const WAIT_S: i64 = 20;
/// A held request that ends so much before its time ends early.
pub(crate) const EARLY: i64 = 2_000;
/// The time over which all clients together come back to a server that stopped.
const RETURN: u128 = 3_000;
/// When the payer may ask for a new code again, if the server does not say.
pub(crate) const AGAIN: i64 = 30_000;
/// The payer may ask again after this time, even if the server says more.
pub(crate) const LONGEST_AGAIN: i64 = 15 * 60_000;
/// After a longer `Retry-After` to an authorize request the payer decides when to go on.
pub(crate) const PATIENCE: i64 = 60_000;
/// An operation that is not in front may have to wait this long while the one in front is asked.
pub(crate) const HEAD_START: i64 = 10_000;
/// A tab hidden for longer than this asks nothing.
pub(crate) const HIDDEN: i64 = 30_000;
/// "Check now" works at most this often.
pub(crate) const CHECK: i64 = 5_000;

const MINUTE: i64 = 60_000;

/// The delay after an answer while an operation waits for the payer, who is looking at it.
///
/// `waited` is how long it has been waiting; `overdue` how long its deadline has passed, if
/// it has one and it passed.
pub(crate) fn while_waiting(slow_method: bool, waited: i64, overdue: Option<i64>) -> i64 {
    match overdue {
        Some(overdue) if overdue < GRACE => return 2_000,
        Some(_) => return 15_000,
        None => {}
    }
    if slow_method {
        return match waited {
            ..300_000 => 30_000,
            300_000..1_200_000 => 60_000,
            1_200_000..3_600_000 => 150_000,
            _ => 5 * MINUTE,
        };
    }
    // Most payers pay in the first minute; the delay grows over the next four.
    match waited {
        ..60_000 => 2_000,
        60_000..63_000 => 3_000,
        63_000..67_500 => 4_500,
        67_500..74_250 => 6_750,
        74_250..300_000 => 10_000,
        _ => 15_000,
    }
}

/// The delay for an operation that the payer does not look at or that ended unpaid: a payment may
/// still arrive.
pub(crate) fn while_watched(since: i64) -> i64 {
    if since < 10 * MINUTE { 15_000 } else { MINUTE }
}

/// The delay before a request is repeated after it failed for the `tries`-th time.
pub(crate) fn retry(tries: u32) -> i64 {
    1_000 << tries.saturating_sub(1).min(4)
}

/// The delay before an operation that must not be paid is cancelled again.
pub(crate) fn withdrawal(tries: u32) -> i64 {
    if tries < 5 { retry(tries) } else { MINUTE }
}

/// Spreads a delay by 10 % to either side, so that a thousand payers do not ask at the same
/// moments.
pub(crate) fn jittered(delay: i64, entropy: u128) -> i64 {
    let spread = i64::try_from(entropy % 201).unwrap_or(100);
    delay.saturating_mul(900 + spread) / 1000
}

/// The delay before the next request to a server that stopped and so ended the requests of all
/// clients at the same moment.
pub(crate) fn spread(entropy: u128) -> i64 {
    // These bits differ from those of the jitter, which is added.
    i64::try_from((entropy >> 64) % RETURN).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{jittered, retry, while_waiting};

    #[test]
    fn a_quarter_of_an_hour_costs_at_most_135_requests() {
        let (mut elapsed, mut requests) = (0, 0);
        while elapsed < 15 * 60_000 {
            requests += 1;
            elapsed += jittered(while_waiting(false, elapsed, None), 0);
        }
        assert!((80..=135).contains(&requests), "{requests}");
    }

    #[test]
    fn delays_follow_the_schedule() {
        let check =
            |waited, delay| assert_eq!(while_waiting(false, waited, None), delay, "{waited}");
        check(0, 2_000);
        check(59_999, 2_000);
        check(60_000, 3_000);
        check(63_000, 4_500);
        check(67_500, 6_750);
        check(74_250, 10_000);
        check(299_999, 10_000);
        check(300_000, 15_000);
        assert_eq!(while_waiting(false, 900_000, Some(0)), 2_000);
        assert_eq!(while_waiting(false, 900_000, Some(60_000)), 15_000);
        assert_eq!(while_waiting(true, 0, None), 30_000);
        assert_eq!(while_waiting(true, 9_000_000, None), 300_000);
    }

    #[test]
    fn jitter_stays_within_a_tenth() {
        for entropy in 0..500_u128 {
            assert!((9_000..=11_000).contains(&jittered(10_000, entropy)));
        }
    }

    #[test]
    fn repeated_failures_wait_longer_but_not_for_ever() {
        assert_eq!(
            [1, 2, 3, 4, 5, 50].map(retry),
            [1_000, 2_000, 4_000, 8_000, 16_000, 16_000]
        );
    }
}
