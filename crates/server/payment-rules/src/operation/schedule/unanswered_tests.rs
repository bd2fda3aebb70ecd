use super::{QueryFailure, UNANSWERED_LISTED_AFTER};
use crate::operation::OperationRecord;
use crate::operation::fixture::{apply, pending, transaction, with_state};
use crate::timing::{DAY, HOUR, SECOND};
use payment_model::Timestamp;
use std::time::Duration;

fn at(age: Duration) -> Timestamp {
    Timestamp::default().saturating_add(age)
}

fn failure(status: Option<u16>) -> QueryFailure {
    QueryFailure {
        reason: format!("{status:?}"),
        is_unknown_there: matches!(status, Some(404 | 410)),
    }
}

/// Polls as planned until this age; each poll fails.
fn fails_until(record: &mut OperationRecord, status: Option<u16>, end: Duration) -> u32 {
    let mut polls = 0;
    while let Some(due) = record.due_at.filter(|due| *due < at(end)) {
        record.query_failed(&failure(status), due);
        polls += 1;
    }
    polls
}

fn watched(state: &str) -> OperationRecord {
    let mut record = with_state(state, at(Duration::ZERO));
    record.plan(at(Duration::ZERO));
    record
}

#[test]
fn an_operation_is_long_unanswered_after_an_hour_of_any_failures_until_a_usable_answer() {
    for status in [None, Some(404), Some(500)] {
        let mut record = watched("PENDIENTE");
        fails_until(&mut record, status, UNANSWERED_LISTED_AFTER);
        let since = record.unanswered.clone().unwrap();
        assert_eq!(since.reason, format!("{status:?}"));
        let listed = since.since.saturating_add(UNANSWERED_LISTED_AFTER);
        assert!(!record.is_long_unanswered(listed.saturating_sub(SECOND)));
        assert!(record.is_long_unanswered(listed));
        apply(&mut record, &transaction("PENDIENTE", &[]), listed);
        assert_eq!(record.unanswered, None);
    }
}

#[test]
fn no_watch_ends_with_a_failure_and_after_a_month_it_polls_once_a_day() {
    for state in ["PENDIENTE", "NUEVO", "AUTORIZADO", "EXPIRADO"] {
        let mut record = watched(state);
        fails_until(&mut record, Some(500), 200 * DAY);
        let polls = fails_until(&mut record, Some(500), 210 * DAY);
        assert_eq!(polls, 10, "{state}");
        let paid = transaction("AUTORIZADO", &["PENDIENTE", "AUTORIZADO"]);
        apply(&mut record, &paid, at(210 * DAY));
        assert!(record.is_paid(), "{state}");
    }
}

#[test]
fn an_operation_that_ended_unpaid_may_be_forgotten_by_the_service() {
    let mut expired = watched("EXPIRADO");
    fails_until(&mut expired, Some(404), 2 * DAY);
    assert_eq!((expired.due_at, &expired.unanswered), (None, &None));
    let mut paid = watched("AUTORIZADO");
    fails_until(&mut paid, Some(404), 2 * HOUR);
    assert!(paid.unanswered.is_some());
}

#[test]
fn staff_end_only_the_watch_of_an_operation_without_an_answer_and_without_an_outcome() {
    let mut waiting = watched("PENDIENTE");
    assert!(!waiting.end_watch(at(2 * HOUR)));
    fails_until(&mut waiting, None, HOUR);
    assert!(!waiting.clone().end_watch(at(HOUR)));
    assert!(waiting.end_watch(at(2 * HOUR)));
    assert!(!waiting.live && waiting.due_at.is_none());
    let mut paid = watched("AUTORIZADO");
    fails_until(&mut paid, None, 3 * HOUR);
    assert!(paid.is_long_unanswered(at(3 * HOUR)) && !paid.end_watch(at(3 * HOUR)));
}

#[test]
fn after_the_end_of_the_watch_only_a_notification_or_a_usable_answer_begins_it_again() {
    let mut ended = pending();
    ended.plan(at(SECOND));
    fails_until(&mut ended, None, HOUR);
    assert!(ended.end_watch(at(2 * HOUR)));
    let mut asked_by_staff = ended.clone();
    asked_by_staff.query_failed(&failure(None), at(2 * HOUR));
    assert_eq!(asked_by_staff, ended);
    let mut notified = ended.clone();
    notified.hinted_at = Some(at(2 * HOUR));
    notified.query_failed(&failure(None), at(2 * HOUR));
    assert!(notified.due_at.is_some() && notified.watch_ended_at.is_none());
    let paid = transaction("AUTORIZADO", &["PENDIENTE", "AUTORIZADO"]);
    apply(&mut ended, &paid, at(3 * HOUR));
    assert!(ended.is_paid() && ended.paid_late_at.is_some());
}
