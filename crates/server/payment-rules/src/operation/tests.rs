use super::fixture::{apply, pending, record, transaction, with_state};
use super::{BLOCK_LISTED_AFTER, Phase};
use crate::timing::{DAY, HOUR, MINUTE, instant};
use payment_model::PaymentMethodName;
use serde_json::json;
use std::time::Duration;

#[test]
fn a_phase_is_stored_as_its_word() {
    let words = [
        (Phase::Sending, "sending"),
        (Phase::InDoubt, "in_doubt"),
        (Phase::Refused, "refused"),
        (Phase::Known, "known"),
        (Phase::Lost, "lost"),
    ];
    for (phase, word) in words {
        assert_eq!(phase.as_str(), word);
        assert_eq!(serde_json::to_value(phase).unwrap(), word);
    }
}

#[test]
fn the_payers_number_comes_from_the_last_answer_that_has_it() {
    assert_eq!(record().payers_number("qr_id"), None);
    let mut operation = pending();
    assert_eq!(operation.payers_number("qr_id").as_deref(), Some("7"));
    assert_eq!(operation.payers_number("cip"), None);
    let mut later = transaction("PENDIENTE", &[]);
    later["processor_response"] = json!({"qr_id": "8"});
    apply(&mut operation, &later, instant(1));
    assert_eq!(operation.payers_number("qr_id").as_deref(), Some("8"));
    // The answer about a paid operation leaves it out; the authorization still has it.
    let paid = with_state("AUTORIZADO", instant(1));
    assert_eq!(paid.payers_number("qr_id").as_deref(), Some("7"));
}

#[test]
fn a_code_without_a_deadline_is_overdue_after_an_hour_and_one_of_another_way_after_a_day() {
    let mut untold = record();
    for (method, life) in [
        (PaymentMethodName::Qr, HOUR),
        (PaymentMethodName::Installment, HOUR),
        (PaymentMethodName::CashCode, DAY),
        (PaymentMethodName::BankTransfer, DAY),
        (PaymentMethodName::Card, DAY),
    ] {
        untold.method = method.clone();
        assert_eq!(untold.is_shown_by_us(), life == HOUR, "{method}");
        let overdue = untold.created_at.saturating_add(life + MINUTE);
        assert_eq!(untold.overdue_from(), overdue, "{method}");
    }
}

#[test]
fn staff_see_a_block_of_a_quarter_of_an_hour_until_they_release_it() {
    let mut blocking = pending();
    let now = instant(5).saturating_add(BLOCK_LISTED_AFTER);
    assert_eq!(blocking.long_blocked_since(now), None);
    blocking.block(instant(5));
    let early = instant(4).saturating_add(BLOCK_LISTED_AFTER);
    assert_eq!(blocking.long_blocked_since(early), None);
    for later in [now, now.saturating_add(Duration::from_millis(1))] {
        assert_eq!(blocking.long_blocked_since(later), Some(instant(5)));
    }
    let mut replaced = blocking.clone();
    replaced.live = false;
    assert_eq!(replaced.long_blocked_since(now), None);
    blocking.release_block();
    assert_eq!(blocking.long_blocked_since(now), None);
}

#[test]
fn an_operation_with_a_transaction_is_answered_in_the_services_form() {
    let unknown = record();
    assert!(unknown.query_response().is_none() && unknown.cancel_response().is_none());
    let paid = with_state("AUTORIZADO", instant(1));
    let queried = paid.query_response().unwrap();
    let cancelled = paid.cancel_response().unwrap();
    assert!(queried.success && cancelled.success);
    assert_eq!(queried.merchant_code, paid.key.merchant_code);
    assert_eq!(cancelled.merchant_code, paid.key.merchant_code);
    assert_eq!(
        cancelled.merchant_operation_number,
        Some(paid.key.number.clone())
    );
    let own = paid.operation.unwrap();
    assert_eq!((queried.operation, cancelled.operation), (own.clone(), own));
}
