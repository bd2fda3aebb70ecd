use super::{NewReversal, Purpose, ReserveReversalOutcome};
use crate::ledger::fixture::refused;
use crate::ledger::fixture::{doubtful, ledger, refund, reserve, returned, reversal};
use crate::ledger::{Ledger, Release, ReturnEnd, ReturnError, ReversalReleaseError};
use crate::operation::QuestionContext;
use crate::operation::fixture::{reading, record};
use crate::outgoing::SendFailure;
use crate::service_answers::AmountUnits::Cents;
use crate::timing::{Reading, instant};
use payment_model::{Outcome, PaymentMethodName, RefundType, Timestamp, TransactionState};
use staff_model::ReversalState;
use std::time::Duration;

/// For how long a lost request may still be carried out.
const LOST_FOR: Duration = Duration::from_millis(100);

/// A request of staff.
fn new(id: &str, purpose: Purpose, asked_at: Timestamp) -> NewReversal {
    NewReversal {
        staff: Some("ana".to_owned()),
        key: None,
        may_run_for: LOST_FOR,
        ..reversal(id, purpose, asked_at)
    }
}

/// A reading of a clock that was never set.
fn at(millis: i64) -> Reading {
    reading(instant(millis))
}

/// The answer to a query that began at an instant.
fn answered(ledger: &mut Ledger, state: &str, began: Reading) {
    let state = TransactionState::from(state);
    let outcome = Outcome::of_state(&state);
    let pending = ledger.pending_reversal().map(|own| own.begun_at);
    let question = QuestionContext::query(&record(), pending, began);
    ledger.state_was_answered(&state, outcome, &question, began.now);
}

/// With a request that left at an instant and whose answer was lost.
fn lost(millis: i64) -> Ledger {
    let begun = at(millis);
    let mut ledger = ledger();
    let reserved = ledger.reserve_reversal(new("v", Purpose::Reverse, begun.now), begun);
    assert_eq!(reserved, ReserveReversalOutcome::Created("v".to_owned()));
    ledger.end_reversal("v", SendFailure::NoAnswer.because(""), at(millis + 1));
    ledger
}

fn state(ledger: &Ledger, id: &str) -> ReversalState {
    ledger.reversal(id).unwrap().state
}

#[test]
fn a_reversal_needs_the_whole_untouched() {
    let untouched = ledger();
    let mut resolved = ledger();
    resolved.merge_refunds(&[refund("r", "RESOLVED", "1")], Cents, instant(0));
    let mut registered = ledger();
    registered.merge_refunds(&[refund("r", "REGISTERED", "1")], Cents, instant(0));
    let mut unreadable = ledger();
    unreadable.merge_refunds(&[refund("r", "REGISTERED", "ten")], Cents, instant(0));
    let mut new_state = ledger();
    new_state.merge_refunds(&[refund("r", "NEW", "1")], Cents, instant(0));
    let mut rejected = ledger();
    rejected.merge_refunds(&[refund("r", "REJECTED", "1")], Cents, instant(0));
    let mut reserved = ledger();
    reserve(&mut reserved, "a", 1, instant(0));
    let mut open = rejected.clone();
    open.give_back(returned("m", 1, false), instant(0)).unwrap();
    let mut given_up = open.clone();
    let end = ReturnEnd {
        by: "ana".to_owned(),
        at: instant(0),
        reason: "none".to_owned(),
    };
    given_up.give_return_up("m", end).unwrap();
    let mut made = ledger();
    made.give_back(returned("m", 1, true), instant(0)).unwrap();
    for (name, ledger, amounts) in [
        ("untouched", untouched, None),
        ("rejected", rejected, None),
        ("given up", given_up, None),
        ("resolved", resolved, Some((1, 0, 0))),
        ("registered", registered, Some((0, 1, 0))),
        ("unreadable", unreadable, Some((0, 0, 1000))),
        ("new state", new_state, Some((0, 0, 1))),
        ("reserved", reserved, Some((0, 1, 0))),
        ("in doubt", doubtful("a", 1, instant(0)), Some((0, 0, 1))),
        ("open return", open, Some((0, 1, 0))),
        ("made return", made, Some((1, 0, 0))),
    ] {
        for purpose in [Purpose::Reverse, Purpose::Cancel, Purpose::SettleDoubt] {
            let mut ledger = ledger.clone();
            if purpose != Purpose::Reverse {
                ledger.outcome = None;
            }
            let got = ledger.reserve_reversal(new("v", purpose, instant(5)), at(5));
            match (got, amounts) {
                (ReserveReversalOutcome::Created(_), None) => {
                    assert_eq!(ledger.left(), 0, "{name}");
                }
                (ReserveReversalOutcome::MoneyPending(balance), Some(amounts)) => {
                    let told = (balance.given_back, balance.reserved, balance.unknown);
                    assert_eq!(told, amounts, "{name}");
                    assert!(ledger.reversals.is_empty());
                }
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}

#[test]
fn what_is_paid_is_reversed_only_on_purpose_and_what_ended_not_at_all() {
    for (outcome, purpose, may) in [
        (None, Purpose::Cancel, true),
        (None, Purpose::Reverse, true),
        (None, Purpose::SettleDoubt, true),
        (Some(Outcome::Paid), Purpose::Reverse, true),
        (Some(Outcome::Paid), Purpose::Cancel, false),
        (Some(Outcome::Paid), Purpose::SettleDoubt, false),
        (Some(Outcome::Reversed), Purpose::Reverse, false),
        (Some(Outcome::Cancelled), Purpose::Reverse, false),
        (Some(Outcome::Expired), Purpose::Cancel, false),
    ] {
        let mut ledger = ledger();
        ledger.outcome = outcome;
        let got = ledger.reserve_reversal(new("v", purpose, instant(0)), at(0));
        assert_eq!(
            got != ReserveReversalOutcome::NotNeeded,
            may,
            "{outcome:?} {purpose:?}"
        );
    }
}

#[test]
fn the_answer_to_an_earlier_request_says_nothing_of_a_later_one() {
    let mut ledger = ledger();
    ledger.reserve_reversal(new("v", Purpose::Reverse, instant(10)), at(10));
    assert!(ledger.left_last("v", instant(10)) && !ledger.left_last("w", instant(10)));
    ledger.give_up_reversal(instant(60), instant(60));
    let again = ledger.reserve_reversal(new("w", Purpose::Reverse, instant(70)), at(70));
    assert_eq!(again, ReserveReversalOutcome::Created("v".to_owned()));
    assert!(ledger.left_last("v", instant(70)) && !ledger.left_last("v", instant(10)));
}

#[test]
fn whoever_asks_while_one_is_on_its_way_shares_it_and_a_later_one_repeats_it() {
    let mut ledger = ledger();
    let mut asks = |id: &str, asked_at, now| {
        let got = ledger.reserve_reversal(new(id, Purpose::Reverse, asked_at), reading(now));
        (got, ledger.clone())
    };
    assert_eq!(
        asks("a", instant(10), instant(12)).0,
        ReserveReversalOutcome::Created("a".to_owned())
    );
    assert_eq!(
        asks("b", instant(13), instant(13)).0,
        ReserveReversalOutcome::Running("a".to_owned())
    );
    let mut ledger = asks("c", instant(11), instant(14)).1;
    ledger.end_reversal("a", SendFailure::NoAnswer.because(""), at(20));
    // It left after this one was asked for.
    let early = ledger.reserve_reversal(new("d", Purpose::Reverse, instant(11)), at(21));
    assert_eq!(early, ReserveReversalOutcome::Running("a".to_owned()));
    // After the clock was set back, an old one is not taken for a new one.
    let mut back = ledger.clone();
    let set_back = back.reserve_reversal(new("x", Purpose::Reverse, instant(2)), at(3));
    assert_eq!(set_back, ReserveReversalOutcome::Created("a".to_owned()));
    // A repetition keeps the reservation.
    let later = ledger.reserve_reversal(new("e", Purpose::Reverse, instant(21)), at(22));
    assert_eq!(later, ReserveReversalOutcome::Created("a".to_owned()));
    assert_eq!(ledger.reversals.len(), 1);
    // A refusal of the second request does not cover the first.
    let no = || refused(409);
    ledger.end_reversal("a", no(), at(23));
    assert_eq!(state(&ledger, "a"), ReversalState::InDoubt);
    ledger.reserve_reversal(new("f", Purpose::Reverse, instant(200)), at(200));
    ledger.end_reversal("a", no(), at(201));
    assert_eq!(state(&ledger, "a"), ReversalState::NotDone);
    assert_eq!(ledger.left(), 1000);
}

#[test]
fn nothing_is_given_back_beside_a_reversal_in_doubt() {
    let mut ledger = lost(0);
    ledger.method = PaymentMethodName::Qr;
    assert_eq!(ledger.left(), 0);
    let refused = ledger.give_back(returned("m", 1, false), instant(5));
    assert_eq!(refused, Err(ReturnError::BeingReversed));
    assert!(ledger.check(&RefundType::Partial, 1).is_err());
}

#[test]
fn a_state_ends_a_doubt_only_when_the_request_could_not_arrive_any_more() {
    for (began, told, expected) in [
        (99, "AUTORIZADO", ReversalState::InDoubt),
        (100, "AUTORIZADO", ReversalState::NotDone),
        (100, "PENDIENTE", ReversalState::NotDone),
        (100, "LIQUIDADO", ReversalState::NotDone),
        // It may be that of a reversal on its way.
        (500, "NUEVO", ReversalState::InDoubt),
        // It is that of the reversal, which a second answer has to confirm.
        (500, "CANCELADO", ReversalState::InDoubt),
    ] {
        let mut ledger = lost(0);
        ledger.outcome = Outcome::of_state(&told.into());
        ledger.state = Some(told.into());
        answered(&mut ledger, told, at(began));
        assert_eq!(state(&ledger, "v"), expected, "{told} {began}");
    }
}

#[test]
fn who_asks_to_release_a_payers_cancellation_has_not_asked_for_the_cancellation() {
    let release = |by: &str| Release {
        by: by.to_owned(),
        at: instant(500),
        reason: "the service said so".to_owned(),
    };
    let payers = || {
        let mut ledger = lost(0);
        ledger.reversals[0].staff = None;
        ledger
    };
    let mut paid = payers();
    for (by, refusal) in [
        ("ana", ReversalReleaseError::SecondPerson),
        ("ana", ReversalReleaseError::SamePerson),
    ] {
        let asked = paid.release_reversal("v", release(by), at(500));
        assert_eq!(asked.unwrap_err(), refusal);
    }
    // Who asks for the release is not stored as who asked for the cancellation, which would count against their limit.
    assert_eq!(paid.reversals[0].staff, None);
    paid.release_reversal("v", release("bea"), at(500)).unwrap();
    // While nothing is paid, a release gives nothing away.
    let mut unpaid = payers();
    unpaid.outcome = None;
    unpaid.state = Some(TransactionState::Pending);
    unpaid
        .release_reversal("v", release("ana"), at(500))
        .unwrap();
}

#[test]
fn a_second_person_releases_a_doubt_when_it_is_old_enough() {
    use ReversalReleaseError as Refusal;
    let release = |by: &str, at: Reading| Release {
        by: by.to_owned(),
        at: at.now,
        reason: "the service said so".to_owned(),
    };
    let mut ledger = lost(0);
    let refusal = |ledger: &mut Ledger, id, by, now| {
        ledger
            .release_reversal(id, release(by, reading(now)), reading(now))
            .unwrap_err()
    };
    assert_eq!(
        refusal(&mut ledger, "w", "bea", instant(500)),
        Refusal::NotFound
    );
    assert_eq!(
        refusal(&mut ledger, "v", "ana", instant(500)),
        Refusal::SamePerson
    );
    assert_eq!(
        refusal(&mut ledger, "v", "bea", instant(99)),
        Refusal::TooEarly
    );
    // A jump of the clock either way is no time that passed.
    for jumped in [-3_600_000, 3_600_000] {
        let mut early = lost(0);
        let mut clock = at(jumped);
        for (stable_for, may) in [(99, false), (100, true)] {
            clock.stable_for = Duration::from_millis(stable_for);
            let released = early.release_reversal("v", release("bea", clock), clock);
            assert_eq!(released.is_ok(), may, "{jumped} {stable_for}: {released:?}");
        }
    }
    ledger
        .release_reversal("v", release("bea", at(100)), at(100))
        .unwrap();
    assert_eq!(ledger.left(), 1000);
    let again = refusal(&mut ledger, "v", "bea", instant(500));
    assert_eq!(again, Refusal::NotInDoubt(ReversalState::Released));
}

#[test]
fn what_was_on_its_way_at_the_stop_is_in_doubt_until_it_can_not_arrive_any_more() {
    let mut ledger = ledger();
    ledger.reserve_reversal(new("v", Purpose::Reverse, instant(10)), at(10));
    ledger.give_up_reversal(instant(10), instant(11));
    assert_eq!(state(&ledger, "v"), ReversalState::Sending);
    ledger.give_up_reversal(instant(11), instant(12));
    assert_eq!(state(&ledger, "v"), ReversalState::InDoubt);
    assert_eq!(
        ledger.reversal("v").unwrap().may_arrive_until,
        Some(instant(110))
    );
    answered(&mut ledger, "LIQUIDADO", at(109));
    assert_eq!(state(&ledger, "v"), ReversalState::InDoubt);
    answered(&mut ledger, "LIQUIDADO", at(110));
    assert_eq!(state(&ledger, "v"), ReversalState::NotDone);
}

#[test]
fn an_end_concerns_only_the_request_on_its_way() {
    let no = || refused(409);
    let mut sending = ledger();
    sending.reserve_reversal(new("v", Purpose::Reverse, instant(0)), at(0));
    let mut other = sending.clone();
    other.end_reversal("w", no(), at(1));
    assert_eq!(other, sending);
    sending.end_reversal("v", no(), at(1));
    let own = sending.reversal("v").unwrap();
    assert_eq!(
        (own.state, own.service_status, own.changed_at),
        (ReversalState::NotDone, Some(409), instant(1))
    );
    // It has ended, and stays so.
    let ended = sending.clone();
    sending.end_reversal("v", SendFailure::NoAnswer.because(""), at(2));
    assert_eq!(sending, ended);
}

#[test]
fn a_refusal_ends_a_repeated_request_once_the_first_one_can_not_arrive_any_more() {
    for (refused_at, expected) in [
        (99, ReversalState::InDoubt),
        (100, ReversalState::NotDone),
        (101, ReversalState::NotDone),
    ] {
        let mut ledger = lost(0);
        let again = new("w", Purpose::Reverse, instant(50));
        let reserved = ledger.reserve_reversal(again, at(50));
        assert_eq!(reserved, ReserveReversalOutcome::Created("v".to_owned()));
        let no = refused(409);
        ledger.end_reversal("v", no, at(refused_at));
        assert_eq!(state(&ledger, "v"), expected, "{refused_at}");
    }
}

#[test]
fn a_second_loss_never_shortens_the_wait_for_the_first() {
    let mut ledger = lost(0);
    let hurried = NewReversal {
        may_run_for: Duration::from_millis(10),
        ..new("w", Purpose::Reverse, instant(50))
    };
    ledger.reserve_reversal(hurried, at(50));
    ledger.end_reversal("v", SendFailure::NoAnswer.because(""), at(51));
    let until = |ledger: &Ledger| ledger.reversal("v").unwrap().may_arrive_until;
    assert_eq!(until(&ledger), Some(instant(100)));
    ledger.reserve_reversal(new("x", Purpose::Reverse, instant(60)), at(60));
    ledger.end_reversal("v", SendFailure::NoAnswer.because(""), at(61));
    assert_eq!(until(&ledger), Some(instant(160)));
}

#[test]
fn a_request_is_found_by_its_id_also_after_its_end() {
    let mut ledger = lost(0);
    answered(&mut ledger, "LIQUIDADO", at(100));
    assert_eq!(ledger.pending_reversal(), None);
    ledger.reserve_reversal(new("w", Purpose::Reverse, instant(200)), at(200));
    assert_eq!(state(&ledger, "v"), ReversalState::NotDone);
    assert_eq!(state(&ledger, "w"), ReversalState::Sending);
    let pending = ledger.pending_reversal().map(|own| own.id.as_str());
    assert_eq!(pending, Some("w"));
    assert_eq!(ledger.reversal("x"), None);
}

#[test]
fn who_asked_for_a_reversal_does_not_release_it_after_a_payer_repeated_the_request() {
    let mut ledger = lost(0);
    ledger.outcome = None;
    let of_payer = NewReversal {
        staff: None,
        ..new("w", Purpose::Cancel, instant(50))
    };
    let reserved = ledger.reserve_reversal(of_payer, at(50));
    assert_eq!(reserved, ReserveReversalOutcome::Created("v".to_owned()));
    ledger.end_reversal("v", SendFailure::NoAnswer.because(""), at(51));
    let release = |by: &str| Release {
        by: by.to_owned(),
        at: instant(500),
        reason: "the service said so".to_owned(),
    };
    let own = ledger.release_reversal("v", release("ana"), at(500));
    assert_eq!(own, Err(ReversalReleaseError::SamePerson));
    assert!(
        ledger
            .release_reversal("v", release("bea"), at(500))
            .is_ok()
    );
}

#[test]
fn an_account_reverses_no_more_than_it_may_give_back_and_cancels_what_is_unpaid() {
    let reserve = |mut ledger: Ledger, purpose, allowed| {
        let limited = NewReversal {
            allowed,
            ..new("v", purpose, instant(0))
        };
        let outcome = ledger.reserve_reversal(limited, at(1));
        (outcome, ledger.reversals.len())
    };
    let created = || ReserveReversalOutcome::Created("v".to_owned());
    let paid = ledger();
    let over = ReserveReversalOutcome::OverLimit(paid.amount - 1);
    assert_eq!(
        reserve(paid.clone(), Purpose::Reverse, paid.amount - 1),
        (over, 0)
    );
    assert_eq!(
        reserve(paid.clone(), Purpose::Reverse, paid.amount),
        (created(), 1)
    );
    let unpaid = Ledger {
        outcome: None,
        ..paid
    };
    assert_eq!(reserve(unpaid, Purpose::Cancel, 0), (created(), 1));
}
