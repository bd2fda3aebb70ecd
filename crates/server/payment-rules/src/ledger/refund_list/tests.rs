use super::is_complete;
use crate::ledger::fixture::{doubtful, echo, ledger, refund};
use crate::operation::OperationKey;
use crate::service_answers::AmountUnits::Cents;
use crate::timing::instant;
use payment_model::{Refund, RefundQueryResponse};
use serde_json::json;
use staff_model::AttemptState;

fn list(count: &str, refunds: &[Refund]) -> RefundQueryResponse {
    serde_json::from_value(json!({
        "success": "true", "merchant_code": "shop", "operations_count": count,
        "operations": refunds,
    }))
    .unwrap()
}

#[test]
fn only_a_whole_list_of_this_operation_proves_what_is_not_in_it() {
    let key = OperationKey::new("shop", "1");
    let whole = |count: &str, refunds: &[Refund]| is_complete(&key, &list(count, refunds));
    let one = refund("r", "REGISTERED", "1");
    assert!(whole("0", &[]) && whole("1", std::slice::from_ref(&one)));
    assert!(!whole("1", &[]) && !whole("", &[]) && !whole("0", std::slice::from_ref(&one)));
    let mut foreign = one.clone();
    foreign.merchant_operation_number = "2".into();
    assert!(!whole("1", &[foreign]));
    assert!(!whole("1", &[refund("", "REGISTERED", "1")]));
    assert!(whole("2", &[one.clone(), one.clone()]));
    assert!(!whole("2", &[one, refund("r", "REGISTERED", "2")]));
    assert!(!is_complete(
        &OperationKey::new("other", "1"),
        &list("0", &[])
    ));
}

#[test]
fn a_refund_and_its_attempt_count_once_whichever_comes_first() {
    let mut ledger = doubtful("a", 300, instant(0));
    for _ in 0..3 {
        ledger.merge_refunds(&[echo("r", "a", "REGISTERED", "300")], Cents, instant(1));
        assert_eq!(ledger.left(), 700);
    }
    // By the service's id, when a later list leaves the echo out.
    ledger.merge_refunds(&[refund("r", "IN_PROCESS", "300")], Cents, instant(2));
    assert_eq!(ledger.left(), 700);
    let record = &ledger.refunds[0];
    assert_eq!(record.attempt_id.as_deref(), Some("a"));
    // An older list without it takes nothing back.
    ledger.merge_refunds(&[], Cents, instant(3));
    assert_eq!(ledger.left(), 700);
    // Another refund with a copy of the id was made elsewhere.
    ledger.merge_refunds(&[echo("s", "a", "REGISTERED", "200")], Cents, instant(4));
    assert_eq!(ledger.left(), 500);
    assert_eq!(ledger.attempt("a").unwrap().state, AttemptState::Registered);
}

#[test]
fn a_registered_attempt_whose_refund_was_never_listed_still_counts() {
    let mut ledger = doubtful("a", 300, instant(0));
    ledger.merge_refunds(&[echo("r", "a", "REGISTERED", "300")], Cents, instant(1));
    ledger.refunds.clear();
    assert_eq!(ledger.left(), 700);
}

#[test]
fn refunds_made_elsewhere_count_and_other_operations_do_not() {
    let mut ledger = ledger();
    let mut foreign = refund("s", "RESOLVED", "400");
    foreign.merchant_operation_number = "2".into();
    ledger.merge_refunds(
        &[refund("r", "RESOLVED", "100"), foreign],
        Cents,
        instant(0),
    );
    assert_eq!((ledger.left(), ledger.refunds.len()), (900, 1));
}

#[test]
fn states_only_move_forward() {
    let states = ["REGISTERED", "IN_PROCESS", "NEW", "REJECTED", "RESOLVED"];
    let rank = |state: &str| match state {
        "REGISTERED" => 0,
        "IN_PROCESS" | "NEW" => 1,
        "REJECTED" => 2,
        _ => 3,
    };
    for from in states {
        for to in states {
            let mut ledger = ledger();
            ledger.merge_refunds(&[refund("r", from, "100")], Cents, instant(0));
            ledger.merge_refunds(&[refund("r", to, "100")], Cents, instant(1));
            let forward = rank(from) <= rank(to);
            let is = ledger.refunds[0].refund.state.as_str().to_owned();
            assert_eq!(is, if forward { to } else { from }, "{from} to {to}");
            let changed = i64::from(forward && from != to);
            assert_eq!(
                ledger.refunds[0].changed_at,
                instant(changed),
                "{from} to {to}"
            );
        }
    }
}
