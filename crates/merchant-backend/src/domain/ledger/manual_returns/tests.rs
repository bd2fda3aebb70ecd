use super::{NewReturn, ReturnEnd, ReturnRefusal};
use crate::amount_units::AmountUnits::Cents;
use crate::clock::instant;
use crate::domain::ledger::fixture::{asker, ledger, refund, reserve};
use crate::domain::ledger::{Ending, Ledger};
use payment_model::PaymentMethodName;
use staff_model::{AttemptState, ReturnState};

fn give_back(ledger: &mut Ledger, amount: u64) -> Result<(), ReturnRefusal> {
    ledger.give_back(new(amount, false), instant(0)).map(|_| ())
}

fn new(amount: u64, already_made: bool) -> NewReturn {
    NewReturn {
        id: format!("r{amount}"),
        amount,
        reason: "by transfer".to_owned(),
        asker: asker("ana"),
        already_made,
    }
}

#[test]
fn what_the_service_cannot_refund_is_returned_up_to_what_was_paid() {
    for method in ["QR", "CASHCODE", "BANK_TRANSFER", "NEW"] {
        let mut ledger = ledger();
        ledger.method = PaymentMethodName::from(method);
        assert_eq!(
            give_back(&mut ledger, 0),
            Err(ReturnRefusal::NothingAskedFor)
        );
        assert_eq!(give_back(&mut ledger, 400), Ok(()), "{method}");
        let left = ReturnRefusal::MoreThanIsLeft { left: 600 };
        assert_eq!(give_back(&mut ledger, 601), Err(left));
        assert_eq!(give_back(&mut ledger, 600), Ok(()));
        ledger.outcome = None;
        assert_eq!(give_back(&mut ledger, 1), Err(ReturnRefusal::NotPaid));
    }
}

#[test]
fn what_the_service_refunds_is_returned_only_after_it_said_no() {
    let mut ledger = ledger();
    assert_eq!(give_back(&mut ledger, 1), Err(ReturnRefusal::Refundable));
    ledger.take(&[refund("r", "RESOLVED", "300")], Cents, instant(0));
    assert_eq!(give_back(&mut ledger, 1), Err(ReturnRefusal::Refundable));
    ledger.take(&[refund("s", "REJECTED", "700")], Cents, instant(0));
    let left = ReturnRefusal::MoreThanIsLeft { left: 700 };
    assert_eq!(give_back(&mut ledger, 701), Err(left));
    assert_eq!(give_back(&mut ledger, 700), Ok(()));
}

#[test]
fn only_a_word_of_the_service_about_a_refund_opens_returns() {
    let no = || Ending::Refused(String::new(), Vec::new());
    let check = |ending: Ending, listed: bool, may: bool| {
        let mut ledger = ledger();
        reserve(&mut ledger, "a", 10, instant(0));
        assert!(ledger.begin("a", instant(0)));
        ledger.end("a", ending, instant(0));
        if listed {
            ledger.whole_list_came(instant(1), instant(1));
        }
        let returned = give_back(&mut ledger, 1).is_ok();
        assert_eq!(returned, may, "{:?}", ledger.attempts);
    };
    check(no(), false, true);
    check(Ending::NotSent(String::new()), false, false);
    check(Ending::LockedOut, false, false);
    check(Ending::LockedOut, true, false);
    check(Ending::InDoubt(String::new()), true, false);
}

#[test]
fn what_was_not_let_in_is_refused_by_a_whole_list_alone() {
    let mut ledger = ledger();
    reserve(&mut ledger, "a", 10, instant(0));
    assert!(ledger.begin("a", instant(0)));
    ledger.end("a", Ending::LockedOut, instant(5));
    assert_eq!(
        (ledger.attempts[0].state, ledger.left()),
        (AttemptState::InDoubt, 990)
    );
    // The look began before.
    ledger.whole_list_came(instant(4), instant(6));
    assert_eq!(ledger.attempts[0].state, AttemptState::InDoubt);
    ledger.whole_list_came(instant(5), instant(6));
    assert_eq!(
        (ledger.attempts[0].state, ledger.left()),
        (AttemptState::Refused, 1000)
    );
}

#[test]
fn a_return_that_is_given_up_takes_nothing_and_one_that_was_made_stays() {
    let mut ledger = ledger();
    ledger.method = PaymentMethodName::Qr;
    let end = |by: &str| ReturnEnd {
        by: by.to_owned(),
        at: instant(1),
        reason: "the payer wants none".to_owned(),
    };
    give_back(&mut ledger, 400).unwrap();
    assert_eq!((ledger.left(), ledger.balance().reserved), (600, 400));
    let ended = ledger.end_return("r400", ReturnState::GivenUp, end("bea"));
    assert_eq!(ended.unwrap().state, ReturnState::GivenUp);
    assert_eq!(ledger.left(), 1000);
    give_back(&mut ledger, 500).unwrap();
    ledger.end_return("r500", ReturnState::Done, end("ana"));
    // An end stays.
    let again = ledger.end_return("r500", ReturnState::GivenUp, end("bea"));
    assert_eq!(again.unwrap().state, ReturnState::Done);
    assert_eq!((ledger.left(), ledger.balance().given_back), (500, 500));
    assert_eq!(
        ledger.end_return("none", ReturnState::Done, end("ana")),
        None
    );
}

#[test]
fn what_was_made_already_is_recorded_whatever_is_left() {
    let mut ledger = ledger();
    ledger.outcome = None;
    assert!(ledger.give_back(new(0, true), instant(0)).is_err());
    let made = ledger.give_back(new(1700, true), instant(0)).unwrap();
    assert_eq!((made.state, made.already_made), (ReturnState::Done, true));
    assert_eq!((ledger.left(), ledger.balance().given_back), (0, 1700));
}

#[test]
fn a_return_is_found_by_its_id() {
    let mut ledger = ledger();
    for amount in [1, 2] {
        let made = ledger.give_back(new(amount, true), instant(0)).unwrap();
        assert_eq!(ledger.returned(&made.id), Some(&made));
    }
    assert_eq!(ledger.returned("none"), None);
}
