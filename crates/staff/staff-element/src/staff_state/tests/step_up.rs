//! The code before an act.

use super::super::permitted_actions::Way;
use super::super::refund_form::Step;
use super::super::test_data::{details, row, session};
use super::super::{
    Announcement, Answer, Ask, Event, Failure, FailureKind, Field, Focus, Page, Reference, Request,
};
use super::second_factor::{fails, with};
use super::{Staff, required};
use staff_model::{Exception, ExceptionKind, SecondFactor};
use std::rc::Rc;
use std::time::Duration;

#[test]
fn an_act_goes_on_after_its_code_with_the_very_same_request() {
    let (mut staff, act) = Staff::stepping_up();
    assert_eq!(
        staff.announced(),
        Some(Announcement::Code(FailureKind::SecondFactorRequired))
    );
    staff.presses();
    assert!(staff.sent.is_empty());
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    staff.presses();
    staff.does(Event::Closed);
    assert_eq!(staff.sent.len(), 1);
    assert_eq!(staff.sent[0].1.address().path(), "/session/code");
    staff.hears(Ok(Answer::Nothing));
    assert_eq!(staff.sent.len(), 1);
    assert_eq!(staff.sent[0].1, act);
    assert!(staff.refund_form().is_sending());
}

#[test]
fn every_act_waits_for_its_code_and_goes_on_unchanged() {
    let reversal: staff_model::Reversal = serde_json::from_value(serde_json::json!({
        "reversal_id": "v", "state": "in_doubt", "amount": 1, "at": 0, "detail": ""
    }))
    .unwrap();
    let exception = Rc::new(Exception {
        kind: ExceptionKind::Blocked,
        since: payment_model::Timestamp::default(),
        detail: String::new(),
        operation: row("1"),
    });
    let mut paid = row("1");
    paid.state = Some(payment_model::TransactionState::Authorized);
    let mut by_hand = row("1");
    by_hand.method_name = "QR".into();
    for (operation, ask) in [
        (paid, Ask::GiveBack(Way::Reverse)),
        (row("1"), Ask::GiveBack(Way::Refund)),
        (by_hand, Ask::GiveBack(Way::ByHand)),
        (row("1"), Ask::ReleaseReversal(Box::new(reversal))),
        (row("1"), Ask::ReleaseOrder(exception.clone())),
        (row("1"), Ask::Resolve(exception, String::new())),
    ] {
        let named = format!("{ask:?}");
        let mut staff = Staff::new();
        staff.hears(with(SecondFactor::Enrolled));
        staff.sent.clear();
        staff.does(Event::Opened(Page::Operation(Reference::of(&operation))));
        staff.hears(Ok(Answer::Details(Box::new(details(operation, 10_000)))));
        staff.does(Event::Asked(ask));
        staff.types(Field::Confirmation, "1");
        staff.types(Field::Reason, "so");
        staff.types(Field::Amount(0), "1.00");
        staff.presses();
        if staff.sent.is_empty() {
            staff.presses();
        }
        let act = staff.hears(fails(FailureKind::SecondFactorRequired));
        assert!(staff.is_stepping_up(), "{named}");
        staff.types(Field::DialogCode, "123456");
        staff.presses();
        staff.hears(Ok(Answer::Nothing));
        assert_eq!(staff.sent.len(), 1, "{named}");
        assert_eq!(staff.sent[0].1, act, "{named}");
    }
}

#[test]
fn back_from_the_code_leads_to_the_form_as_it_was_and_sends_nothing() {
    let (mut staff, _) = Staff::stepping_up();
    staff.types(Field::DialogCode, "123456");
    staff.does(Event::Closed);
    assert!(
        staff
            .sent
            .iter()
            .all(|(_, request)| matches!(request, Request::Details(_)))
    );
    assert_eq!(staff.refund_form().lines[0].typed, "12.34");
    assert!(!staff.refund_form().is_sending());
    staff.does(Event::Closed);
    assert!(staff.state.dialog.is_none());
}

#[test]
fn a_refused_code_leaves_the_act_waiting() {
    let (mut staff, act) = Staff::stepping_up();
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    staff.hears(fails(FailureKind::SecondFactorRefused));
    let refused = Announcement::Code(FailureKind::SecondFactorRefused);
    assert_eq!(staff.announced(), Some(refused));
    assert!(staff.is_stepping_up() && staff.sent.is_empty());
    assert_eq!(staff.state.focus, Some(Focus::Field(Field::DialogCode)));
    staff.state.focus = None;
    staff.presses();
    assert!(staff.sent.is_empty(), "an empty code");
    assert_eq!(staff.state.focus, Some(Focus::Field(Field::DialogCode)));
    staff.types(Field::DialogCode, "654321");
    staff.presses();
    staff.hears(Ok(Answer::Nothing));
    assert_eq!(staff.sent[0].1, act);
}

#[test]
fn too_many_codes_wait_in_the_dialog_second_by_second() {
    let (mut staff, _) = Staff::stepping_up();
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    staff.hears(Err(Failure {
        retry_after: Some(Duration::from_secs(2)),
        ..FailureKind::TooManyRequests.into()
    }));
    staff.presses();
    assert!(staff.sent.is_empty());
    assert_eq!(staff.wake, Some(Duration::from_secs(1)));
    staff.passes(Duration::from_secs(2));
    staff.presses();
    assert_eq!(staff.sent.len(), 1);
}

#[test]
fn a_recovery_code_waits_for_no_guesser() {
    let (mut staff, _) = Staff::stepping_up();
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    staff.hears(Err(Failure {
        retry_after: Some(Duration::from_mins(1)),
        ..FailureKind::TooManyRequests.into()
    }));
    staff.types(Field::DialogCode, "0000-0000-0000-000");
    staff.presses();
    assert!(staff.sent.is_empty());
    staff.types(Field::DialogCode, "0000-0000-0000-0000");
    staff.presses();
    assert_eq!(staff.sent.len(), 1);
}

#[test]
fn a_code_that_is_lost_on_its_way_is_sent_again_and_the_act_is_not() {
    let (mut staff, _) = Staff::stepping_up();
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    staff.hears(fails(FailureKind::Network));
    assert!(staff.is_stepping_up() && staff.sent.is_empty());
    staff.presses();
    assert!(matches!(staff.sent[..], [(_, Request::StepUp(_))]));
}

#[test]
fn a_session_that_ends_during_a_step_up_leads_back_to_the_form() {
    let (mut staff, act) = Staff::stepping_up();
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    staff.hears(required());
    assert!(staff.state.sign_in.asks() && staff.sent.is_empty());
    assert_eq!(staff.refund_form().lines[0].typed, "12.34");
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    staff.hears(with(SecondFactor::Enrolled));
    staff.presses();
    assert_eq!(staff.sent.pop().map(|(_, request)| request), Some(act));
}

#[test]
fn a_session_that_ended_elsewhere_takes_its_code_at_the_sign_in_alone() {
    let (mut staff, act) = Staff::stepping_up();
    staff.does(Event::QueryPressed);
    staff.hears(required());
    assert!(staff.is_stepping_up() && staff.state.sign_in.asks());
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    staff.hears(with(SecondFactor::Enrolled));
    assert!(!staff.refund_form().is_sending());
    staff.sent.clear();
    staff.presses();
    assert_eq!(staff.sent.pop().map(|(_, request)| request), Some(act));
}

#[test]
fn another_person_never_sends_the_act_that_waited_for_a_code() {
    let (mut staff, _) = Staff::stepping_up();
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    let stale = staff.sent[0].0;
    staff.does(Event::QueryPressed);
    let query = staff.sent[1].0;
    staff.answers(query, required());
    staff.types(Field::Name, "bea");
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    let sign_in = staff.sent.last().unwrap().0;
    staff.answers(sign_in, Ok(Answer::Session(session("bea"))));
    staff.answers(stale, Ok(Answer::Nothing));
    assert!(staff.state.dialog.is_none());
    assert!(
        staff
            .sent
            .iter()
            .all(|(_, request)| !matches!(request, Request::Refund(..)))
    );
}

#[test]
fn the_answer_to_a_code_does_not_act_on_a_form_that_came_after() {
    let (mut staff, _) = Staff::stepping_up();
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    let stale = staff.sent[0].0;
    staff.does(Event::QueryPressed);
    let query = staff.sent[1].0;
    staff.answers(query, required());
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    let sign_in = staff.sent.last().unwrap().0;
    staff.answers(sign_in, with(SecondFactor::Enrolled));
    staff.answers(stale, Ok(Answer::Nothing));
    assert!(matches!(staff.refund_form().step, Step::Confirming(_)));
    assert!(
        staff
            .sent
            .iter()
            .all(|(_, request)| !matches!(request, Request::Refund(..)))
    );
}

#[test]
fn a_refund_whose_outcome_is_unknown_stays_unknown_over_a_code() {
    let mut staff = Staff::on_operation_with(SecondFactor::Enrolled);
    staff.does(Event::Asked(Ask::GiveBack(Way::Refund)));
    staff.types(Field::Amount(0), "12.34");
    staff.presses();
    staff.presses();
    let first = staff.hears(fails(FailureKind::Timeout));
    staff.sent.clear();
    staff.presses();
    assert_eq!(staff.hears(fails(FailureKind::SecondFactorRequired)), first);
    staff.does(Event::Closed);
    assert!(matches!(staff.refund_form().step, Step::Unsure(_)));
    staff.sent.clear();
    staff.presses();
    assert_eq!(staff.sent[0].1, first);
}
