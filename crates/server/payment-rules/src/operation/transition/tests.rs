mod details;
mod lateness;

use super::{QuestionContext, Verdict};
use crate::operation::fixture::{
    apply, apply_asked, authorized, operation, pending, reading, record, transaction, with_state,
};
use crate::operation::{OperationRecord, Phase};
use crate::service_answers::AmountUnits;
use crate::timing::instant;
use payment_model::{MerchantCode, Outcome, ProcessorResponse, TransactionState};
use serde_json::json;
use std::time::Duration;

const STATES: [&str; 10] = [
    "REGISTRADO",
    "PENDIENTE",
    "NUEVO",
    "AUTORIZADO",
    "LIQUIDADO",
    "DENEGADO",
    "INVALIDO",
    "CANCELADO",
    "EXPIRADO",
    "EXTORNADO",
];

/// The permitted successors of each state.
fn successors(state: &str) -> &'static [&'static str] {
    match state {
        "PENDIENTE" => &STATES[1..],
        "REGISTRADO" | "NUEVO" => &STATES,
        "AUTORIZADO" => &["AUTORIZADO", "LIQUIDADO", "EXTORNADO"],
        "LIQUIDADO" => &["LIQUIDADO", "EXTORNADO"],
        "DENEGADO" => &["DENEGADO", "AUTORIZADO", "LIQUIDADO", "EXTORNADO"],
        "INVALIDO" => &["INVALIDO", "AUTORIZADO", "LIQUIDADO", "EXTORNADO"],
        "CANCELADO" => &["CANCELADO", "AUTORIZADO", "LIQUIDADO", "EXTORNADO"],
        "EXPIRADO" => &["EXPIRADO", "AUTORIZADO", "LIQUIDADO", "EXTORNADO"],
        _ => &["EXTORNADO"],
    }
}

#[test]
fn a_state_only_moves_forward() {
    for from in STATES.into_iter().filter(|state| *state != "REGISTRADO") {
        for to in STATES {
            let mut record = with_state(from, instant(1));
            assert!(apply(&mut record, &transaction(to, &[to]), instant(2)).is_believed());
            let expected = if successors(from).contains(&to) {
                to
            } else {
                from
            };
            assert_eq!(
                record.state().unwrap().as_str(),
                expected,
                "{from} then {to}"
            );
            assert_eq!(
                record.changed_at,
                if expected == from {
                    instant(1).min(record.changed_at)
                } else {
                    instant(2)
                }
            );
        }
    }
}

#[test]
fn a_cancellation_after_a_payment_is_a_reversal() {
    let mut record = with_state("AUTORIZADO", instant(1));
    apply(
        &mut record,
        &transaction("CANCELADO", &["PENDIENTE", "AUTORIZADO", "CANCELADO"]),
        instant(2),
    );
    assert_eq!(record.outcome(), Some(Outcome::Reversed));
}

#[test]
fn a_payment_that_is_answered_as_canceled_is_reversed_once_a_second_query_says_so() {
    let canceled = transaction("CANCELADO", &[]);
    let bare = transaction("CANCELADO", &["PENDIENTE", "CANCELADO"]);
    let query =
        |record: &OperationRecord| QuestionContext::query(record, None, reading(instant(0)));
    let cancellation =
        |record: &OperationRecord| QuestionContext::cancellation(record, reading(instant(0)));
    for answer in [canceled, bare] {
        // An answer to a question from before the payment was stored is late, however often it
        // comes.
        let mut record = pending();
        let before = query(&record);
        apply(&mut record, &transaction("AUTORIZADO", &[]), instant(10));
        for _ in 0..3 {
            let verdict = apply_asked(&mut record, &answer, &before, instant(20));
            assert_eq!(verdict, Verdict::Overtaken);
        }
        assert_eq!(
            (record.outcome(), record.reversal_seen_at),
            (Some(Outcome::Paid), None)
        );
        // The first one since then is only noted, and so is one that was asked before it came.
        let first = query(&record);
        let question = cancellation(&record);
        apply_asked(&mut record, &answer, &question, instant(20));
        assert_eq!(record.reversal_seen_at, Some(instant(20)));
        assert!(record.is_disputed());
        record.plan(instant(20));
        assert_eq!(record.due_at, Some(instant(1020)));
        apply_asked(&mut record, &answer, &first, instant(21));
        let second = cancellation(&record);
        apply_asked(&mut record, &answer, &second, instant(23));
        assert_eq!(record.outcome(), Some(Outcome::Paid));
        // A second query confirms it, whatever the clock says, and the lifecycle has the payment.
        let mut confirmed = record.clone();
        let question = query(&record);
        apply_asked(&mut confirmed, &answer, &question, instant(5));
        assert_eq!(
            (confirmed.outcome(), confirmed.changed_at),
            (Some(Outcome::Reversed), instant(5))
        );
        let lifecycle = &confirmed.transaction().unwrap().lifecycle;
        let states: Vec<_> = lifecycle.iter().map(|entry| entry.state.as_str()).collect();
        assert_eq!(states, ["AUTORIZADO", "CANCELADO"]);
        // Or the query reports it as paid, and nothing happened.
        let paid = transaction("AUTORIZADO", &[]);
        apply_asked(&mut record, &paid, &question, instant(22));
        assert_eq!(
            (record.outcome(), record.is_disputed()),
            (Some(Outcome::Paid), false)
        );
    }
}

/// For every stored state and every other one that an answer may have after it: the answer replaces
/// the stored state, or leaves a trace where money is concerned.
#[test]
fn an_answer_that_contradicts_what_is_known_of_the_money_leaves_a_trace() {
    let paid = |state: &str| ["AUTORIZADO", "LIQUIDADO"].contains(&state);
    for stored in STATES.into_iter().filter(|state| *state != "REGISTRADO") {
        for answered in STATES {
            let mut record = with_state(stored, instant(1));
            let late = QuestionContext::query(&pending(), None, reading(instant(0)));
            let answer = transaction(answered, &[]);
            let mut overtaken = record.clone();
            apply_asked(&mut overtaken, &answer, &late, instant(2));
            assert!(overtaken.contradiction.is_none(), "{stored} {answered}");
            let verdict = apply(&mut record, &answer, instant(2));
            let followed = record.state().unwrap().as_str() == answered;
            let unpaid = [
                "REGISTRADO",
                "PENDIENTE",
                "DENEGADO",
                "INVALIDO",
                "EXPIRADO",
            ];
            let contradicts = (paid(stored) && unpaid.contains(&answered))
                || (stored == "EXTORNADO" && paid(answered));
            assert_eq!(
                record.contradiction.is_some(),
                contradicts,
                "{stored} {answered}"
            );
            assert_eq!(
                verdict == Verdict::Contradicts,
                contradicts,
                "{stored} {answered}"
            );
            if followed || paid(stored) == paid(answered) {
                assert!(!contradicts, "{stored} {answered}");
            }
            if contradicts {
                // An answer that agrees ends it.
                apply(&mut record, &transaction(stored, &[stored]), instant(3));
                assert_eq!(record.contradiction, None, "{stored} {answered}");
            }
        }
    }
}

#[test]
fn a_payment_after_its_reversal_pays_again_once_a_second_query_says_so() {
    let mut record = with_state("EXTORNADO", instant(1));
    let paid = transaction("AUTORIZADO", &[]);
    apply(&mut record, &paid, instant(2));
    record.plan(instant(2));
    assert_eq!(
        (record.paid_again_at, record.due_at),
        (None, Some(instant(1002)))
    );
    let contradiction = record.contradiction.clone().unwrap();
    assert_eq!(contradiction.at, instant(2));
    assert_eq!(
        contradiction.detail,
        "the payment service answered AUTORIZADO after EXTORNADO"
    );
    assert!(record.may_be_paid_again());
    apply(&mut record, &paid, instant(3));
    apply(&mut record, &paid, instant(4));
    let paid_again = Some(instant(3));
    assert_eq!(
        (record.paid_again_at, record.paid_late_at),
        (paid_again, paid_again)
    );
    assert!(record.is_paid() && !record.may_be_paid_again());
    assert_eq!(record.contradiction, None);
    // It may be reversed and come again.
    apply(&mut record, &transaction("EXTORNADO", &[]), instant(5));
    apply(&mut record, &paid, instant(6));
    apply(&mut record, &paid, instant(7));
    assert_eq!(record.paid_again_at, Some(instant(7)));
}

#[test]
fn what_nobody_can_tell_blocks_its_order_until_it_is_known_again() {
    let mut record = pending();
    assert_eq!(record.blocked_since, None);
    apply(&mut record, &transaction("NUEVO", &[]), instant(5));
    apply(&mut record, &transaction("NUEVO", &[]), instant(6));
    assert_eq!(record.blocked_since, Some(instant(5)));
    apply(&mut record, &transaction("PENDIENTE", &[]), instant(7));
    assert_eq!(record.blocked_since, None);
    // An operation that still waits long after its time has not ended, however many answers report
    // it as waiting.
    let late = record.overdue_from();
    let after = |millis| late.saturating_add(Duration::from_millis(millis));
    record.block(late);
    apply(&mut record, &transaction("PENDIENTE", &[]), after(1));
    record.block(after(2));
    assert_eq!(record.blocked_since, Some(late));
    record.release_block();
    assert_eq!((record.live, record.blocked_since), (false, None));
    record.block(after(3));
    assert_eq!(record.blocked_since, None);
}

#[test]
fn the_code_is_kept_while_it_can_be_paid() {
    let code = |record: &OperationRecord| match record.transaction()?.processor_response.clone()? {
        ProcessorResponse::Qr(qr) => qr.qr_image,
        _ => None,
    };
    let mut record = pending();
    let mut first = transaction("PENDIENTE", &["PENDIENTE"]);
    first["expiration_date"] = json!({"unix_time": 1_800_000_000});
    apply(&mut record, &first, instant(1));
    assert!(code(&record).is_some());
    let mut answer = transaction("PENDIENTE", &["PENDIENTE"]);
    answer["processor_response"] = json!({"qr_image": null, "qr_id": "8"});
    apply(&mut record, &answer, instant(1));
    assert!(code(&record).is_some());
    assert_eq!(record.overdue_from(), instant(1_800_000_060_000));
    answer["expiration_date"] = json!({"unix_time": 0});
    apply(&mut record, &answer, instant(1));
    assert_eq!(
        record.overdue_from(),
        instant(1_800_000_060_000),
        "that date cannot be"
    );
    apply(
        &mut record,
        &transaction("AUTORIZADO", &["AUTORIZADO"]),
        instant(2),
    );
    assert!(code(&record).is_none());
}

#[test]
fn an_answer_that_is_not_the_orders_is_never_believed() {
    let changes: [(&str, serde_json::Value); 4] = [
        ("/amount", json!("1")),
        ("/currency", json!("USD")),
        ("/transactions/0/amount", json!("387")),
        ("/merchant_operation_number", json!("2")),
    ];
    for (field, value) in changes {
        let mut answer = serde_json::to_value(operation(&transaction("AUTORIZADO", &[]))).unwrap();
        *answer.pointer_mut(field).unwrap() = value;
        let answer = serde_json::from_value(answer).unwrap();
        let mut record = pending();
        let verdict = record.apply_answer(
            &MerchantCode::new("shop"),
            &answer,
            AmountUnits::Cents,
            &QuestionContext::query(&pending(), None, reading(instant(1))),
            instant(1),
        );
        assert_eq!(verdict, Verdict::Mismatch, "{field}");
        assert_eq!(record.state(), Some(&TransactionState::Pending));
        assert!(record.answer_mismatch.is_some() && !record.is_paid());
    }
    let mut record = pending();
    let answer = operation(&transaction("AUTORIZADO", &[]));
    let verdict = record.apply_answer(
        &MerchantCode::new("other"),
        &answer,
        AmountUnits::Cents,
        &QuestionContext::query(&pending(), None, reading(instant(1))),
        instant(1),
    );
    assert_eq!((verdict, record.is_paid()), (Verdict::Mismatch, false));
}

#[test]
fn another_transaction_says_nothing() {
    let mut record = pending();
    let mut other = transaction("AUTORIZADO", &[]);
    other["transaction_id"] = json!("u");
    assert_eq!(
        apply(&mut record, &other, instant(1)),
        Verdict::NoTransaction
    );
    assert_eq!(record.state(), Some(&TransactionState::Pending));
}

#[test]
fn of_several_transactions_the_first_counts_where_no_id_is_known() {
    for (first, second) in [("PENDIENTE", "AUTORIZADO"), ("AUTORIZADO", "PENDIENTE")] {
        let mut answer = operation(&transaction(first, &[]));
        answer.state = TransactionState::Pending;
        let mut other = operation(&transaction(second, &[])).transactions;
        other[0].transaction_id = "u".into();
        answer.transactions.append(&mut other);
        let mut record = record();
        let question = QuestionContext::query(&record, None, reading(instant(1)));
        let code = MerchantCode::new("shop");
        record.apply_answer(&code, &answer, AmountUnits::Cents, &question, instant(1));
        assert_eq!(record.state().unwrap().as_str(), first);
        assert_eq!(record.transaction_id().unwrap().as_str(), "t");
    }
}

#[test]
fn the_first_answer_is_never_final_unless_it_is_a_rejection() {
    for (state, kept, live) in [
        ("PENDIENTE", "PENDIENTE", true),
        ("INVALIDO", "INVALIDO", false),
        ("AUTORIZADO", "REGISTRADO", true),
        ("NUEVO", "REGISTRADO", true),
    ] {
        let mut answer = authorized();
        answer.transaction.state = state.into();
        let mut record = record();
        assert_eq!(
            record.register(&answer, AmountUnits::Cents, instant(1)),
            Verdict::Believed
        );
        assert_eq!(record.state().unwrap().as_str(), kept);
        assert_eq!((record.live, record.phase), (live, Phase::Known), "{state}");
    }
}

#[test]
fn a_first_answer_that_cannot_be_asked_about_is_not_believed() {
    for id in ["", ".", "..", "a\nb"] {
        let mut answer = authorized();
        answer.transaction.transaction_id = id.into();
        let mut record = record();
        let verdict = record.register(&answer, AmountUnits::Cents, instant(1));
        assert_eq!(
            (verdict, record.answer),
            (Verdict::Mismatch, None),
            "{id:?}"
        );
    }
}

#[test]
fn the_callback_token_is_not_kept() {
    let mut record = pending();
    apply(&mut record, &transaction("PENDIENTE", &[]), instant(1));
    let kept = serde_json::to_string(&(&record.operation, &record.answer)).unwrap();
    assert!(!kept.contains("canary"));
}
