use super::{LineWrong, RefundForm, Step};
use crate::staff_state::amount::AmountProblem;
use crate::staff_state::test_data::{details, row};
use crate::staff_state::{Failure, FailureKind, Request};
use payment_model::{Cents, IdempotencyKey, RefundType, Timestamp};
use staff_model::{
    AttemptState, RefundAttempt, RefundRefusalItem, RefundRefusalReason, RefundResult,
    StaffRefundResponse,
};

fn form(left: u64, typed: &str) -> RefundForm {
    let mut form = RefundForm::of(&details(row("1"), left));
    form.type_amount(0, typed.to_owned());
    form
}

fn sent(form: &mut RefundForm, entropy: u128) -> (payment_model::RefundRequest, IdempotencyKey) {
    match form.send(entropy) {
        Some(Request::Refund(body, key)) => (body, key),
        other => panic!("{other:?}"),
    }
}

fn response(states: &[AttemptState]) -> Box<StaffRefundResponse> {
    let results = states.iter().map(|state| RefundResult {
        merchant_operation_number: "1".to_owned(),
        attempt: RefundAttempt {
            attempt_id: "a".to_owned(),
            state: *state,
            kind: RefundType::Partial,
            amount: Cents::new(1),
            staff: "ana".to_owned(),
            at: Timestamp::default(),
            refund_id: None,
            detail: String::new(),
            messages: Vec::new(),
            released_by: None,
        },
    });
    Box::new(StaffRefundResponse {
        success: "true".to_owned(),
        action: "refund".to_owned(),
        merchant_code: "100000001".into(),
        operations: Vec::new(),
        meta: payment_model::Meta::default(),
        results: results.collect(),
    })
}

#[test]
fn the_exact_rest_is_accepted_and_one_cent_more_and_zero_are_not() {
    let check = |left, typed, limit: Option<u64>, wrong: Option<LineWrong>| {
        let mut form = form(left, typed);
        assert_eq!(
            form.review(limit.map(Cents::new)),
            wrong.is_none(),
            "{typed}"
        );
        assert_eq!(form.lines[0].wrong, wrong, "{typed}");
    };
    check(6_999, "69.99", None, None);
    check(6_999, "69,99", Some(6_999), None);
    check(
        6_999,
        "70",
        None,
        Some(LineWrong::MoreThanIsLeft(Cents::new(6_999))),
    );
    check(
        6_999,
        "0.00",
        None,
        Some(LineWrong::Amount(AmountProblem::Zero)),
    );
    check(
        6_999,
        "69.99",
        Some(6_998),
        Some(LineWrong::OverLimit(Cents::new(6_998))),
    );
    check(
        6_999,
        "",
        None,
        Some(LineWrong::Amount(AmountProblem::Empty)),
    );
}

#[test]
fn the_lines_of_a_form_share_what_the_account_may_give_back() {
    let mut form = RefundForm::new(vec![row("1"), row("2")]);
    for (at, line) in form.lines.iter_mut().enumerate() {
        line.left = Some(Cents::new(10_000));
        line.whole = false;
        line.typed = ["60", "20.01"][at].to_owned();
    }
    assert!(!form.review(Some(Cents::new(8_000))));
    assert_eq!(form.lines[0].wrong, None);
    let rest = LineWrong::OverLimit(Cents::new(2_000));
    assert_eq!(form.lines[1].wrong, Some(rest));
    form.type_amount(1, "20".to_owned());
    assert!(form.review(Some(Cents::new(8_000))));
}

#[test]
fn all_is_a_total_refund_and_the_rest_is_a_part() {
    let kind = |left, all: bool| {
        let mut form = form(left, "10");
        if all {
            form.take(0, true);
        }
        assert!(form.review(None));
        let item = sent(&mut form, 1).0.operations.remove(0);
        (item.kind, item.refund_amount.as_str().to_owned())
    };
    assert_eq!(kind(10_000, true), (RefundType::Total, "10000".to_owned()));
    assert_eq!(
        kind(10_000, false),
        (RefundType::Partial, "1000".to_owned())
    );
    assert_eq!(kind(6_999, true), (RefundType::Partial, "6999".to_owned()));
}

#[test]
fn two_fast_presses_are_one_request_and_a_repetition_is_the_same() {
    let mut form = form(10_000, "10");
    assert_eq!(form.send(1), None);
    assert!(form.review(None));
    let first = sent(&mut form, 1);
    assert_eq!(form.send(2), None);
    form.settle(Err(FailureKind::Timeout.into()));
    assert!(matches!(form.step, Step::Unsure(_)));
    // It may have been done: another amount would be another refund.
    form.edit();
    form.type_amount(0, "20".to_owned());
    assert_eq!(sent(&mut form, 3), first);
    // These say nothing of the first request.
    for kind in [FailureKind::SignInRequired, FailureKind::BadRequest] {
        form.settle(Err(kind.into()));
        form.edit();
        assert_eq!(sent(&mut form, 4), first);
    }
    form.settle(Err(FailureKind::RefundsUnknown.into()));
    form.edit();
    assert!(form.review(None));
    assert_ne!(sent(&mut form, 5).1, first.1);
}

#[test]
fn what_was_typed_stays_when_it_is_refused() {
    let mut form = form(10_000, "10");
    assert!(form.review(None));
    let first = sent(&mut form, 1);
    form.settle(Err(Failure {
        refused: vec![RefundRefusalItem {
            index: 0,
            merchant_operation_number: "1".to_owned(),
            reason: RefundRefusalReason::MoreThanIsLeft,
            left: Some(Cents::new(500)),
        }],
        ..FailureKind::RefundRefused.into()
    }));
    assert_eq!(form.lines[0].typed, "10");
    assert_eq!(
        form.lines[0].wrong,
        Some(LineWrong::MoreThanIsLeft(Cents::new(500)))
    );
    form.take(0, true);
    assert!(form.review(None));
    let second = sent(&mut form, 2);
    assert_eq!(second.0.operations[0].refund_amount.as_str(), "500");
    assert_ne!(second.1, first.1);
}

#[test]
fn only_what_the_service_refused_is_corrected() {
    let mut form = RefundForm::new(vec![row("1"), row("2"), row("3")]);
    for number in ["1", "2", "3"] {
        let details = details(row(number), 10_000);
        let reference = super::Reference::of(&details.row);
        form.learn(&reference, Ok(&details));
    }
    for at in 0..3 {
        form.type_amount(at, format!("{}", at + 1));
    }
    assert!(form.review(None));
    assert_eq!(sent(&mut form, 1).0.operations.len(), 3);
    let states = [
        AttemptState::Registered,
        AttemptState::Refused,
        AttemptState::InDoubt,
    ];
    form.settle(Ok(response(&states)));
    form.correct();
    assert_eq!((form.lines.len(), form.lines[0].typed.as_str()), (1, "2"));
    assert_eq!(form.step, Step::Editing(None));
}

#[test]
fn nothing_is_sent_before_what_is_left_is_known() {
    let mut form = RefundForm::new(vec![row("1")]);
    form.type_amount(0, "1".to_owned());
    assert!(!form.review(None));
    assert_eq!(form.lines[0].wrong, Some(LineWrong::NotLoaded));
}
