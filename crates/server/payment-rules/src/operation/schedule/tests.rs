use super::{DAY, HOUR, MINUTE, REQUEST_MAY_ARRIVE_FOR, SECOND};
use crate::operation::fixture::{pending, record, with_state};
use crate::operation::{Difference, OperationRecord, Phase, QueryFailure, Verdict};
use crate::timing::{Reading, instant};
use payment_model::{PaymentMethodName, Timestamp};
use std::time::Duration;

const MILLISECOND: Duration = Duration::from_millis(1);

fn begun() -> Timestamp {
    Timestamp::default()
}

fn pause(record: &OperationRecord, age: Duration) -> Option<Duration> {
    let mut record = record.clone();
    let now = begun().saturating_add(age);
    record.plan(now);
    record.due_at.map(|due| due.duration_since(now))
}

#[test]
fn waiting_operations_follow_the_polling_schedule() {
    let waiting = with_state("PENDIENTE", begun());
    let check = |age, expected| assert_eq!(pause(&waiting, age), Some(expected), "{age:?}");
    check(Duration::ZERO, 2 * SECOND);
    check(MINUTE - MILLISECOND, 2 * SECOND);
    check(MINUTE, 3 * SECOND);
    check(5 * MINUTE - MILLISECOND, 10 * SECOND);
    check(5 * MINUTE, 15 * SECOND);
    check(HOUR + HOUR, 5 * MINUTE);
    check(HOUR + DAY, HOUR);
    check(HOUR + 30 * DAY - MILLISECOND, HOUR);
    assert_eq!(pause(&waiting, HOUR + 30 * DAY), None);
    assert_eq!(
        pause(&with_state("NUEVO", begun()), Duration::ZERO),
        Some(2 * SECOND)
    );
    assert_eq!(pause(&with_state("NUEVO", begun()), HOUR + 30 * DAY), None);
}

#[test]
fn ended_operations_are_looked_at_hourly_as_long_as_they_may_change() {
    for word in ["DENEGADO", "CANCELADO", "EXPIRADO", "INVALIDO", "EXTORNADO"] {
        let ended = with_state(word, begun());
        assert_eq!(pause(&ended, DAY - MILLISECOND), Some(HOUR), "{word}");
        assert_eq!(pause(&ended, DAY), None, "{word}");
    }
    for word in ["AUTORIZADO", "LIQUIDADO"] {
        let paid = with_state(word, begun());
        for (age, expected) in [
            (3 * DAY - MILLISECOND, Some(HOUR)),
            (3 * DAY, Some(DAY)),
            (180 * DAY - MILLISECOND, Some(DAY)),
            (180 * DAY, None),
        ] {
            assert_eq!(pause(&paid, age), expected, "{word} {age:?}");
        }
    }
}

#[test]
fn doubts_are_asked_about_ever_less_often_and_end_after_a_day() {
    let mut doubt = record();
    doubt.phase = Phase::InDoubt;
    assert_eq!(pause(&doubt, Duration::ZERO), Some(SECOND));
    let slowed: Vec<_> = (0..8)
        .map(|failures| {
            doubt.failures = failures;
            pause(&doubt, Duration::ZERO).unwrap().as_secs()
        })
        .collect();
    assert_eq!(slowed, [1, 2, 4, 8, 16, 20, 20, 20]);
    for (age, expected) in [
        (10 * MINUTE - MILLISECOND, Some(20 * SECOND)),
        (10 * MINUTE, Some(MINUTE)),
        (30 * MINUTE, Some(3 * MINUTE)),
        (HOUR - MILLISECOND, Some(5 * MINUTE)),
        (HOUR, Some(HOUR)),
        (DAY - MILLISECOND, Some(HOUR)),
        (DAY, None),
        (Duration::MAX, None),
    ] {
        assert_eq!(pause(&doubt, age), expected, "{age:?}");
    }
    // An answer that is not believed ends like any other.
    doubt.answer_mismatch = Some(Difference::new("another amount", instant(0)));
    assert_eq!(pause(&doubt, DAY), None);
    doubt.method = PaymentMethodName::CashCode;
    assert_eq!(pause(&doubt, Duration::ZERO), None);
    doubt.phase = Phase::Lost;
    assert_eq!(pause(&doubt, Duration::ZERO), None);
}

#[test]
fn a_payer_who_looks_is_not_slowed_by_failures() {
    let mut waiting = with_state("PENDIENTE", begun());
    waiting.failures = 9;
    waiting.queried_at = Some(Timestamp::from_millis(1000));
    for (now, expected) in [(1000, 2000), (2999, 1), (3000, 0), (9000, 0), (0, 0)] {
        let fresh = waiting.fresh_for_payer(Timestamp::from_millis(now));
        assert_eq!(fresh, Duration::from_millis(expected), "{now}");
    }
}

#[test]
fn each_step_of_the_polling_schedule_begins_at_its_age() {
    let waiting = with_state("PENDIENTE", begun());
    for (seconds, millis) in [
        (59, 2000),
        (60, 3000),
        (69, 3000),
        (70, 4500),
        (89, 4500),
        (90, 6750),
        (119, 6750),
        (120, 10_000),
        (299, 10_000),
        (300, 15_000),
        (7199, 15_000),
        (7200, 300_000),
    ] {
        let expected = Some(Duration::from_millis(millis));
        assert_eq!(pause(&waiting, seconds * SECOND), expected, "{seconds} s");
    }
}

#[test]
fn cash_codes_and_transfers_are_looked_at_by_their_age() {
    for method in [PaymentMethodName::CashCode, PaymentMethodName::BankTransfer] {
        let mut slow = with_state("PENDIENTE", begun());
        slow.method = method.clone();
        for (age, expected) in [
            (Duration::ZERO, 30 * SECOND),
            (2 * MINUTE, 30 * SECOND),
            (4 * MINUTE, MINUTE),
            (HOUR, 5 * MINUTE),
        ] {
            assert_eq!(pause(&slow, age), Some(expected), "{method} {age:?}");
        }
    }
}

#[test]
fn failures_slow_the_looks_up_to_ten_seconds_and_never_speed_them_up() {
    let mut waiting = with_state("PENDIENTE", begun());
    let mut paid = with_state("AUTORIZADO", begun());
    for (failures, expected) in [(0, 2), (1, 2), (2, 4), (3, 8), (4, 10), (40, 10)] {
        waiting.failures = failures;
        paid.failures = failures;
        let slowed = pause(&waiting, Duration::ZERO);
        assert_eq!(slowed, Some(expected * SECOND), "{failures}");
        assert_eq!(pause(&paid, Duration::ZERO), Some(HOUR), "{failures}");
    }
}

#[test]
fn nothing_is_asked_about_an_operation_that_is_sent_refused_or_lost() {
    let mut operation = with_state("PENDIENTE", begun());
    for phase in [Phase::Sending, Phase::Refused, Phase::Lost] {
        operation.phase = phase;
        assert_eq!(pause(&operation, Duration::ZERO), None, "{phase:?}");
    }
}

#[test]
fn a_reported_reversal_is_asked_about_at_once() {
    for word in ["AUTORIZADO", "LIQUIDADO"] {
        let mut paid = with_state(word, begun());
        paid.reversal_seen_at = Some(begun());
        assert_eq!(pause(&paid, DAY), Some(SECOND), "{word}");
    }
}

#[test]
fn a_withdrawal_is_repeated_by_its_age_and_not_before_the_service_has_rested() {
    for (age, rest, expected) in [
        (Duration::ZERO, Duration::ZERO, 20 * SECOND),
        (80 * SECOND, Duration::ZERO, 20 * SECOND),
        (4 * MINUTE, Duration::ZERO, MINUTE),
        (4 * MINUTE, MINUTE + SECOND, MINUTE + SECOND),
        (DAY, MINUTE, HOUR),
        (DAY, DAY, DAY),
    ] {
        let mut waiting = with_state("PENDIENTE", begun());
        let now = begun().saturating_add(age);
        waiting.plan_withdrawal(now, rest);
        let due = now.saturating_add(expected);
        assert_eq!(waiting.due_at, Some(due), "{age:?} {rest:?}");
    }
}

#[test]
fn an_operation_that_was_never_asked_about_is_as_old_as_its_request() {
    let waiting = with_state("PENDIENTE", begun());
    assert_eq!(waiting.fresh_for_payer(begun()), 2 * SECOND);
    let later = begun().saturating_add(SECOND);
    assert_eq!(waiting.fresh_for_payer(later), SECOND);
}

#[test]
fn only_unknown_after_ten_minutes_ends_a_doubt() {
    let late = REQUEST_MAY_ARRIVE_FOR + MILLISECOND;
    for (status, may_arrive, age, stable_for, lost) in [
        (Some(404), false, late, late, true),
        (Some(410), false, late, late, true),
        // It exists, or the merchant's settings are wrong, or nothing was said.
        (Some(409), false, late, late, false),
        (Some(403), false, late, late, false),
        (Some(400), false, late, late, false),
        (None, false, late, late, false),
        (Some(404), true, late, late, false),
        (Some(404), false, REQUEST_MAY_ARRIVE_FOR, late, false),
        // The clock was set ahead.
        (Some(404), false, DAY, MINUTE, false),
    ] {
        let mut doubt = record();
        doubt.phase = Phase::InDoubt;
        let at = Reading {
            now: doubt.created_at.saturating_add(age),
            stable_for,
        };
        doubt.settlement_failed(status, may_arrive, at);
        assert_eq!(doubt.phase == Phase::Lost, lost, "{status:?} {age:?}");
        let unknown = matches!(status, Some(404 | 410));
        assert_eq!(doubt.unknown_at.is_some(), unknown, "{status:?}");
    }
}

#[test]
fn a_failed_query_counts_and_is_repeated_ever_more_slowly() {
    let failure = QueryFailure {
        reason: "status 500".to_owned(),
        is_unknown_there: false,
    };
    let mut known = pending();
    known.query_failed(&failure, instant(5));
    known.query_failed(&failure, instant(6));
    assert_eq!(known.failures, 2);
    assert!(known.due_at.is_some_and(|at| at > instant(6)));
    let mut hinted = record();
    let pauses = [2000, 4000, 8000].map(|pause| {
        hinted.hinted_query_failed(&failure, instant(5));
        (hinted.due_at, Some(instant(5 + pause)))
    });
    assert!(
        pauses.iter().all(|(due, expected)| due == expected),
        "{pauses:?}"
    );
}

#[test]
fn an_answer_that_is_believed_ends_a_row_of_failures() {
    let mut known = pending();
    known.plan_after_answer(Verdict::Mismatch, instant(5));
    known.plan_after_answer(Verdict::NoTransaction, instant(6));
    assert_eq!(known.failures, 2);
    known.plan_after_answer(Verdict::Overtaken, instant(7));
    assert_eq!(known.failures, 0);
}

#[test]
fn a_rest_of_the_service_delays_a_look_and_plans_none() {
    let mut doubt = record();
    doubt.phase = Phase::InDoubt;
    doubt.plan_after_backoff(DAY, instant(5));
    assert_eq!(doubt.due_at, Some(instant(5).saturating_add(DAY)));
    doubt.plan_after_backoff(Duration::ZERO, instant(5));
    let mut planned = doubt.clone();
    planned.plan(instant(5));
    assert_eq!(doubt, planned);
    doubt.phase = Phase::Refused;
    doubt.plan_after_backoff(DAY, instant(5));
    assert_eq!(doubt.due_at, None);
}
