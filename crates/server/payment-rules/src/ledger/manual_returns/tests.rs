use super::{NewReturn, ReturnEnd, ReturnEndError, ReturnError, ReturnStep};
use crate::ledger::Ledger;
use crate::ledger::fixture::refused;
use crate::ledger::fixture::{ledger, refund, reserve, returned};
use crate::outgoing::{Failed, SendFailure};
use crate::service_answers::AmountUnits::Cents;
use crate::timing::instant;
use payment_model::{Outcome, PaymentMethodName};
use staff_model::{AttemptState, ReturnState};

fn give_back(ledger: &mut Ledger, amount: u64) -> Result<(), ReturnError> {
    ledger.give_back(new(amount, false), instant(0)).map(|_| ())
}

fn new(amount: u64, already_made: bool) -> NewReturn {
    returned(&format!("r{amount}"), amount, already_made)
}

fn end(by: &str) -> ReturnEnd {
    ReturnEnd {
        by: by.to_owned(),
        at: instant(1),
        reason: "the payer wants none".to_owned(),
    }
}

fn state(step: Result<ReturnStep, ReturnEndError>) -> ReturnState {
    match step.unwrap() {
        ReturnStep::Ended(record) | ReturnStep::Asked(record) | ReturnStep::Repeated(record) => {
            record.state
        }
    }
}

fn by_qr() -> Ledger {
    let mut ledger = ledger();
    ledger.method = PaymentMethodName::Qr;
    ledger
}

#[test]
fn what_the_service_cannot_refund_is_returned_up_to_what_was_paid() {
    for method in ["QR", "CASHCODE", "BANK_TRANSFER", "NEW"] {
        let mut ledger = ledger();
        ledger.method = PaymentMethodName::from(method);
        assert_eq!(give_back(&mut ledger, 0), Err(ReturnError::NothingAskedFor));
        assert_eq!(give_back(&mut ledger, 400), Ok(()), "{method}");
        let left = ReturnError::MoreThanIsLeft { left: 600 };
        assert_eq!(give_back(&mut ledger, 601), Err(left));
        assert_eq!(give_back(&mut ledger, 600), Ok(()));
        ledger.outcome = None;
        assert_eq!(give_back(&mut ledger, 1), Err(ReturnError::NotPaid));
    }
}

#[test]
fn what_the_service_refunds_is_returned_only_after_it_said_no() {
    let mut ledger = ledger();
    assert_eq!(give_back(&mut ledger, 1), Err(ReturnError::Refundable));
    ledger.merge_refunds(&[refund("r", "RESOLVED", "300")], Cents, instant(0));
    assert_eq!(give_back(&mut ledger, 1), Err(ReturnError::Refundable));
    ledger.merge_refunds(&[refund("s", "REJECTED", "700")], Cents, instant(0));
    let left = ReturnError::MoreThanIsLeft { left: 700 };
    assert_eq!(give_back(&mut ledger, 701), Err(left));
    assert_eq!(give_back(&mut ledger, 700), Ok(()));
}

#[test]
fn only_a_word_of_the_service_about_a_refund_opens_returns() {
    let no = || refused(400);
    let check = |ending: Failed, listed: bool, may: bool| {
        let mut ledger = ledger();
        reserve(&mut ledger, "a", 10, instant(0));
        assert!(ledger.begin("a", instant(0)));
        ledger.end("a", ending, instant(0));
        if listed {
            ledger.end_unprocessed(instant(1), instant(1));
        }
        let returned = give_back(&mut ledger, 1).is_ok();
        assert_eq!(returned, may, "{:?}", ledger.attempts);
    };
    check(no(), false, true);
    check(SendFailure::NotSent.because(""), false, false);
    check(SendFailure::TokenRejected.because(""), false, false);
    check(SendFailure::TokenRejected.because(""), true, false);
    check(SendFailure::NoAnswer.because(""), true, false);
}

#[test]
fn what_was_not_let_in_is_refused_by_a_whole_list_alone() {
    let mut ledger = ledger();
    reserve(&mut ledger, "a", 10, instant(0));
    assert!(ledger.begin("a", instant(0)));
    ledger.end("a", SendFailure::TokenRejected.because(""), instant(5));
    assert_eq!(
        (ledger.attempts[0].state, ledger.left()),
        (AttemptState::InDoubt, 990)
    );
    // The look began before.
    ledger.end_unprocessed(instant(4), instant(6));
    assert_eq!(ledger.attempts[0].state, AttemptState::InDoubt);
    ledger.end_unprocessed(instant(5), instant(6));
    assert_eq!(
        (ledger.attempts[0].state, ledger.left()),
        (AttemptState::Refused, 1000)
    );
}

#[test]
fn a_return_that_is_given_up_takes_nothing_and_one_that_was_made_stays() {
    let mut ledger = by_qr();
    give_back(&mut ledger, 400).unwrap();
    assert_eq!((ledger.left(), ledger.balance().reserved), (600, 400));
    let ended = ledger.give_return_up("r400", end("ana"));
    assert_eq!(state(ended), ReturnState::GivenUp);
    assert_eq!(ledger.left(), 1000);
    let refusal = ReturnEndError::Ended(ReturnState::GivenUp);
    assert_eq!(ledger.return_was_made("r400", end("ana")), Err(refusal));
    give_back(&mut ledger, 500).unwrap();
    let made = ledger.return_was_made("r500", end("bea"));
    assert_eq!(state(made), ReturnState::Done);
    let again = ledger.return_was_made("r500", end("ana"));
    assert!(matches!(again, Ok(ReturnStep::Repeated(_))), "{again:?}");
    assert_eq!((ledger.left(), ledger.balance().given_back), (500, 500));
    let unknown = ledger.return_was_made("none", end("ana"));
    assert_eq!(unknown, Err(ReturnEndError::NotFound));
}

#[test]
fn only_the_one_who_reserved_a_return_gives_it_up_without_another() {
    let mut ledger = by_qr();
    give_back(&mut ledger, 400).unwrap();
    // Ana may have sent the money by now.
    let asked = ledger.give_return_up("r400", end("bea"));
    assert!(matches!(asked, Ok(ReturnStep::Asked(_))), "{asked:?}");
    assert_eq!(ledger.left(), 600);
    let alone = ledger.give_return_up("r400", end("bea"));
    assert_eq!(alone, Err(ReturnEndError::SamePerson));
    let second = ledger.give_return_up("r400", end("luz"));
    assert_eq!(state(second), ReturnState::GivenUp);
    assert_eq!(ledger.left(), 1000);
}

#[test]
fn what_counts_as_made_is_withdrawn_by_two_people() {
    for already_made in [false, true] {
        let mut ledger = by_qr();
        ledger
            .give_back(new(400, already_made), instant(0))
            .unwrap();
        assert_eq!(
            state(ledger.return_was_made("r400", end("ana"))),
            ReturnState::Done
        );
        let asked = ledger.give_return_up("r400", end("ana"));
        assert_eq!(state(asked), ReturnState::Done);
        assert_eq!(ledger.left(), 600);
        let alone = ledger.give_return_up("r400", end("ana"));
        assert_eq!(alone, Err(ReturnEndError::SamePerson));
        let second = ledger.give_return_up("r400", end("bea"));
        assert_eq!(state(second), ReturnState::GivenUp);
        assert_eq!(ledger.left(), 1000);
    }
}

#[test]
fn what_was_made_already_beyond_the_rest_or_the_limit_waits_for_a_second_person() {
    let mut ledger = ledger();
    let within = ledger.give_back(new(600, true), instant(0)).unwrap();
    assert_eq!(
        (within.state, within.already_made),
        (ReturnState::Done, true)
    );
    let beyond = ledger.give_back(new(401, true), instant(0)).unwrap();
    assert_eq!(beyond.state, ReturnState::Open);
    let balance = ledger.balance();
    assert_eq!((balance.given_back, balance.reserved), (600, 401));
    let alone = ledger.return_was_made("r401", end("ana"));
    assert_eq!(alone, Err(ReturnEndError::SamePerson));
    assert_eq!(
        state(ledger.return_was_made("r401", end("bea"))),
        ReturnState::Done
    );
    assert_eq!(ledger.balance().given_back, 1001);

    let mut ledger = by_qr();
    let limited = |amount, already_made| NewReturn {
        allowed: 300,
        ..new(amount, already_made)
    };
    let over = ledger.give_back(limited(301, true), instant(0)).unwrap();
    assert_eq!(over.state, ReturnState::Open);
    let refused = ledger.give_back(limited(302, false), instant(0));
    assert_eq!(refused, Err(ReturnError::OverLimit { left: 300 }));
}

#[test]
fn what_was_made_already_is_bounded_by_what_was_paid() {
    let mut ledger = ledger();
    assert!(ledger.give_back(new(0, true), instant(0)).is_err());
    let more = ledger.give_back(new(1001, true), instant(0));
    assert_eq!(more, Err(ReturnError::MoreThanWasPaid { paid: 1000 }));
    ledger.outcome = Some(Outcome::Reversed);
    let beside = ledger.give_back(new(1000, true), instant(0)).unwrap();
    assert_eq!(beside.state, ReturnState::Open);
    for never_paid in [None, Some(Outcome::Cancelled)] {
        ledger.outcome = never_paid;
        let refused = ledger.give_back(new(1, true), instant(0));
        assert_eq!(refused, Err(ReturnError::NotPaid));
    }
}

#[test]
fn nothing_is_given_back_by_hand_while_the_answers_about_the_payment_disagree() {
    for (reported, contradicted) in [(true, false), (false, true)] {
        let mut disputed = ledger();
        disputed.method = PaymentMethodName::CashCode;
        disputed.reversal_reported = reported;
        disputed.contradicted = contradicted;
        let refused = disputed.give_back(returned("m", 1, false), instant(0));
        assert_eq!(refused, Err(ReturnError::Disputed));
        assert_eq!(disputed.left(), 0);
    }
}
