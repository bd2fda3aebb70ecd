//! When requests are sent to the server, and how long they may take.

use crate::operation_ref::CallId;
use crate::time::{FlowTime, whole_millis};
use std::time::Duration;

/// How often a request is tried before the payer has to decide.
pub(super) const MAX_TRIES: u32 = 5;
/// A withdrawal is given up after this number of requests.
const MOST_WITHDRAWALS: u32 = 30;
/// The least time between the starts of two status requests.
pub(super) const SPACING: Duration = Duration::from_secs(1);
/// How long a request may take, besides the time for which the server may hold it.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);
/// How long a page may take to prepare an attempt.
pub(super) const PAGE_TIMEOUT: Duration = Duration::from_secs(15);
/// The second click of a double click comes within this time. Where a button was that begins an attempt, the next screen
/// may have one that ends it.
pub(super) const DOUBLE_CLICK: Duration = Duration::from_millis(700);
/// How much longer than its timeout a request may take until it counts as lost, because even
/// the report of its time-out got lost.
pub(super) const MARGIN: Duration = Duration::from_secs(5);
/// The time that `Prefer: wait` asks for, in whole seconds.
pub(super) const WAIT: Duration = Duration::from_secs(20);
/// A held request that ends by this much before its time counts as ended early.
pub(super) const EARLY: Duration = Duration::from_secs(2);
/// The time over which the clients of a server that has shut down spread their next requests, in milliseconds.
const RETURN_MS: u64 = 3_000;
/// When the payer may ask for a new code again, if the server does not say.
pub(super) const AGAIN: Duration = Duration::from_secs(30);
/// The payer may ask again after this time, even if the server says more.
pub(super) const LONGEST_AGAIN: Duration = Duration::from_secs(15 * 60);
/// The longest `Retry-After` after which an authorize request is repeated without the payer.
pub(super) const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(60);
/// How long a question about another operation waits for questions about the one in front.
pub(super) const HEAD_START: Duration = Duration::from_secs(10);
/// A tab that has been hidden for this time sends no status requests.
pub(super) const HIDDEN: Duration = Duration::from_secs(30);
/// Two answers of a server with the same `Date` are not further apart. A `Date` has whole seconds, and some servers write
/// it anew only once a second.
pub(super) const SAME_DATE: Duration = Duration::from_secs(2);
/// How long after the deadline the screen says that the time is over: a payment may still be on its way.
pub(super) const GRACE: Duration = Duration::from_secs(60);
/// The least time between two presses on "check now" that send a request.
pub(super) const CHECK: Duration = Duration::from_secs(5);
const MINUTE: Duration = Duration::from_secs(60);

/// A request on its way, and when it counts as lost.
pub(super) type Sent = (CallId, FlowTime);

/// When the flow asks the status endpoint about an operation.
#[derive(Debug, Clone, Copy)]
pub(super) struct AskPlan {
    /// When to ask next; `None` for never again.
    pub(super) due: Option<FlowTime>,
    /// True when the flow has to ask about this operation before any other.
    pub(super) urgent: bool,
    /// When the operation began to wait, ended, or was left by the payer: the longer ago, the rarer the
    /// questions.
    pub(super) since: FlowTime,
    /// How often the server answered that it does not know the operation, since it last knew it.
    pub(super) not_found: u32,
    /// When it first did.
    pub(super) not_found_since: Option<FlowTime>,
}

impl AskPlan {
    /// Asks about a new operation at once.
    pub(super) fn new(now: FlowTime) -> Self {
        Self {
            due: Some(now),
            urgent: false,
            since: now,
            not_found: 0,
            not_found_since: None,
        }
    }

    pub(super) fn was_not_found(&mut self, now: FlowTime) {
        self.not_found = self.not_found.saturating_add(1);
        self.not_found_since.get_or_insert(now);
    }

    pub(super) fn was_found(&mut self) {
        (self.not_found, self.not_found_since) = (0, None);
    }

    /// Asks now, before any other operation.
    pub(super) fn ask_now(&mut self, now: FlowTime) {
        (self.due, self.urgent) = (Some(now), true);
    }

    /// The question is on its way.
    pub(super) fn asked(&mut self) {
        (self.due, self.urgent) = (None, false);
    }
}

/// The cancellation of an operation that must not be paid any more, because another one of the order was paid.
/// Nothing waits for it, so the flow asks for the state first: to cancel a paid operation would give the money
/// back although the payer did not ask for that.
#[derive(Debug, Clone, Copy)]
pub(super) struct Withdrawal {
    pub(super) call: Option<Sent>,
    /// The number of requests that did not end the operation.
    pub(super) tries: u32,
    /// When the next request may be sent.
    pub(super) due: FlowTime,
}

impl Withdrawal {
    pub(super) fn new(call: Option<Sent>, now: FlowTime) -> Self {
        Self {
            call,
            tries: 0,
            due: now,
        }
    }

    pub(super) fn waits_for(&self, call: CallId) -> bool {
        self.call.is_some_and(|(expected, _)| expected == call)
    }

    /// The request was answered or got lost. Its result is what the status endpoint says next.
    pub(super) fn returned(&mut self, retry_after: Option<Duration>, now: FlowTime) {
        self.call = None;
        self.tries = self.tries.saturating_add(1);
        let delay = withdrawal(self.tries).max(retry_after.unwrap_or_default());
        self.due = now.saturating_add(delay);
    }

    pub(super) fn is_hopeless(&self) -> bool {
        self.tries >= MOST_WITHDRAWALS
    }
}

/// The delay after an answer about the waiting operation in front.
///
/// `waited` is how long it has waited, `overdue` how long ago its deadline passed.
pub(super) fn while_waiting(
    slow_method: bool,
    waited: Duration,
    overdue: Option<Duration>,
) -> Duration {
    let millis = match overdue {
        Some(overdue) if overdue < GRACE => 2_000,
        Some(_) => 15_000,
        None if slow_method => match whole_millis(waited) {
            ..300_000 => 30_000,
            300_000..1_200_000 => 60_000,
            1_200_000..3_600_000 => 150_000,
            _ => 300_000,
        },
        // Most payers pay in the first minute; the delay grows over the next four.
        None => match whole_millis(waited) {
            ..60_000 => 2_000,
            60_000..63_000 => 3_000,
            63_000..67_500 => 4_500,
            67_500..74_250 => 6_750,
            74_250..300_000 => 10_000,
            _ => 15_000,
        },
    };
    Duration::from_millis(millis)
}

/// The delay for an operation that is not in front or that ended unpaid: a payment may still arrive.
pub(super) fn while_watched(since: Duration) -> Duration {
    if since < Duration::from_secs(10 * 60) {
        Duration::from_secs(15)
    } else {
        MINUTE
    }
}

/// The delay before a request is repeated after it failed for the `tries`-th time.
pub(super) fn retry(tries: u32) -> Duration {
    Duration::from_secs(1 << tries.saturating_sub(1).min(4))
}

/// The delay before a withdrawn operation is cancelled again.
pub(super) fn withdrawal(tries: u32) -> Duration {
    if tries < 5 { retry(tries) } else { MINUTE }
}

/// Changes a delay by up to 10 % at random, so that a thousand payers do not ask at the same time.
pub(super) fn jittered(delay: Duration, entropy: u128) -> Duration {
    let (_, low) = halves(entropy);
    let spread = low % 201;
    Duration::from_millis(whole_millis(delay).saturating_mul(900 + spread) / 1000)
}

/// The delay before the next request to a server that shut down, which ended the held requests of all clients at
/// the same time.
pub(super) fn spread(entropy: u128) -> Duration {
    // These bits differ from those of the jitter, which is added.
    let (high, _) = halves(entropy);
    Duration::from_millis(high % RETURN_MS)
}

/// The two halves, since the division of 128 bits would be code to download.
fn halves(entropy: u128) -> (u64, u64) {
    let half = |bits: u128| u64::try_from(bits & u128::from(u64::MAX)).unwrap_or_default();
    (half(entropy >> 64), half(entropy))
}

#[cfg(test)]
mod tests {
    use super::{Withdrawal, jittered, retry, spread, while_waiting, while_watched, withdrawal};
    use crate::operation_ref::CallId;
    use crate::time::{FlowTime, whole_millis};
    use std::time::Duration;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_quarter_of_an_hour_costs_at_most_135_requests() {
        let (mut elapsed, mut requests) = (0, 0);
        while elapsed < 15 * 60_000 {
            requests += 1;
            elapsed += whole_millis(jittered(while_waiting(false, ms(elapsed), None), 0));
        }
        assert!((80..=135).contains(&requests), "{requests}");
    }

    #[test]
    fn delays_follow_the_schedule() {
        let check = |waited, delay| {
            assert_eq!(
                while_waiting(false, ms(waited), None),
                ms(delay),
                "{waited}"
            );
        };
        check(0, 2_000);
        check(59_999, 2_000);
        check(60_000, 3_000);
        check(63_000, 4_500);
        check(67_500, 6_750);
        check(74_250, 10_000);
        check(299_999, 10_000);
        check(300_000, 15_000);
        let check = |overdue, delay| {
            let overdue = Some(ms(overdue));
            assert_eq!(while_waiting(false, ms(900_000), overdue), ms(delay));
        };
        check(0, 2_000);
        check(59_999, 2_000);
        check(60_000, 15_000);
        let check = |waited, delay| {
            assert_eq!(while_waiting(true, ms(waited), None), ms(delay), "{waited}");
        };
        check(0, 30_000);
        check(299_999, 30_000);
        check(300_000, 60_000);
        check(1_199_999, 60_000);
        check(1_200_000, 150_000);
        check(3_599_999, 150_000);
        check(3_600_000, 300_000);
        let check = |since, delay| assert_eq!(while_watched(ms(since)), ms(delay), "{since}");
        check(0, 15_000);
        check(599_999, 15_000);
        check(600_000, 60_000);
    }

    #[test]
    fn jitter_is_a_tenth_at_most_to_either_side() {
        for (entropy, delay) in [(0, 9_000), (100, 10_000), (200, 11_000), (201, 9_000)] {
            assert_eq!(jittered(ms(10_000), entropy), ms(delay), "{entropy}");
        }
    }

    #[test]
    fn clients_come_back_over_three_seconds_whatever_their_jitter() {
        for (high, delay) in [(0, 0), (1, 1), (2_999, 2_999), (3_000, 0)] {
            for jitter in [0, u128::from(u64::MAX)] {
                assert_eq!(spread((high << 64) | jitter), ms(delay), "{high}");
            }
        }
    }

    #[test]
    fn repeated_failures_wait_longer_but_not_for_ever() {
        assert_eq!(
            [1, 2, 3, 4, 5, 50].map(retry),
            [1_000, 2_000, 4_000, 8_000, 16_000, 16_000].map(ms)
        );
        assert_eq!(
            [1, 2, 3, 4, 5, 50].map(withdrawal),
            [1_000, 2_000, 4_000, 8_000, 60_000, 60_000].map(ms)
        );
    }

    #[test]
    fn a_withdrawal_waits_only_for_its_own_request() {
        let at = FlowTime::default();
        let sent = Withdrawal::new(Some((CallId(7), at)), at);
        assert!(sent.waits_for(CallId(7)) && !sent.waits_for(CallId(8)));
        assert!(!Withdrawal::new(None, at).waits_for(CallId(7)));
    }
}
