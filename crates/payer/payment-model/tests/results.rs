//! The meaning of each state, and the order in which results may follow each other.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use payment_model::{Outcome, Transaction, TransactionState};
use serde_json::json;

const OUTCOMES: [Outcome; 6] = [
    Outcome::Paid,
    Outcome::Declined,
    Outcome::Invalid,
    Outcome::Cancelled,
    Outcome::Expired,
    Outcome::Reversed,
];

fn transaction(state: &str, lifecycle: &[&str]) -> Transaction {
    let lifecycle = lifecycle
        .iter()
        .map(|state| json!({"state": state, "date": {"unix_time": 1}}))
        .collect::<Vec<_>>();
    serde_json::from_value(json!({
        "transaction_id": "t", "channel": "ecommerce", "state": state, "state_reason": "",
        "amount": "1", "currency": "604", "payment_method": {"method_name": "INSTALLMENT"},
        "lifecycle": lifecycle,
    }))
    .unwrap()
}

#[test]
fn each_state_has_its_outcome() {
    let expected = [
        ("REGISTRADO", None),
        ("PENDIENTE", None),
        ("INVALIDO", Some(Outcome::Invalid)),
        ("AUTORIZADO", Some(Outcome::Paid)),
        ("DENEGADO", Some(Outcome::Declined)),
        ("CANCELADO", Some(Outcome::Cancelled)),
        ("EXPIRADO", Some(Outcome::Expired)),
        ("LIQUIDADO", Some(Outcome::Paid)),
        ("EXTORNADO", Some(Outcome::Reversed)),
        ("NUEVO", None),
        ("", None),
    ];
    for (state, outcome) in expected {
        assert_eq!(transaction(state, &[]).outcome(), outcome, "{state}");
        let state = TransactionState::from(state);
        assert_eq!(Outcome::of_state(&state), outcome, "{state}");
        assert_eq!(state.is_final(), outcome.is_some(), "{state}");
        assert_eq!(state.is_paid(), outcome == Some(Outcome::Paid), "{state}");
    }
    let listed = expected.map(|(state, _)| TransactionState::from(state));
    assert_eq!(listed[..9], *TransactionState::KNOWN);
}

#[test]
fn cancelled_after_a_paid_state_is_reversed() {
    let check = |lifecycle: &[&str], outcome| {
        let cancelled = transaction("CANCELADO", lifecycle);
        assert_eq!(cancelled.outcome(), Some(outcome), "{lifecycle:?}");
    };
    check(
        &["REGISTRADO", "PENDIENTE", "CANCELADO"],
        Outcome::Cancelled,
    );
    check(
        &["REGISTRADO", "PENDIENTE", "DENEGADO", "CANCELADO"],
        Outcome::Cancelled,
    );
    check(
        &["REGISTRADO", "PENDIENTE", "autorizado", "CANCELADO"],
        Outcome::Cancelled,
    );
    check(
        &["REGISTRADO", "PENDIENTE", "AUTORIZADO", "CANCELADO"],
        Outcome::Reversed,
    );
    check(
        &["REGISTRADO", "AUTORIZADO", "LIQUIDADO", "CANCELADO"],
        Outcome::Reversed,
    );
    check(&["CANCELADO", "LIQUIDADO"], Outcome::Reversed);
}

/// The lifecycle corrects a cancellation and nothing else: the state decides.
#[test]
fn no_lifecycle_makes_another_state_paid() {
    let paid_before = ["REGISTRADO", "PENDIENTE", "AUTORIZADO", "LIQUIDADO"];
    for state in [
        "REGISTRADO",
        "PENDIENTE",
        "INVALIDO",
        "DENEGADO",
        "EXPIRADO",
        "EXTORNADO",
        "X",
    ] {
        let with = transaction(state, &paid_before).outcome();
        assert_eq!(with, transaction(state, &[]).outcome(), "{state}");
        assert_ne!(with, Some(Outcome::Paid), "{state}");
    }
}

#[test]
fn a_result_is_corrected_only_from_unpaid_to_paid_and_from_paid_to_reversed() {
    for from in OUTCOMES {
        for to in OUTCOMES {
            let expected = match (from, to) {
                (Outcome::Paid, Outcome::Reversed) => true,
                (Outcome::Paid | Outcome::Reversed, _) => false,
                (_, to) => to == Outcome::Paid || to == Outcome::Reversed,
            };
            assert_eq!(from.may_become(to), expected, "{from:?} to {to:?}");
            assert!(!from.may_become(from), "{from:?} to itself");
        }
    }
}

/// Waiting has no outcome at all, so no correction leads to it.
#[test]
fn nothing_becomes_waiting() {
    for state in TransactionState::KNOWN {
        if state.is_waiting() {
            assert_eq!(Outcome::of_state(state), None);
            assert!(!state.is_final() && !state.is_paid());
        }
    }
}

#[test]
fn outcomes_are_the_words_that_pages_are_told() {
    let words = serde_json::to_value(OUTCOMES).unwrap();
    assert_eq!(
        words,
        json!([
            "paid",
            "declined",
            "invalid",
            "cancelled",
            "expired",
            "reversed"
        ])
    );
    assert_eq!(
        serde_json::from_value::<[Outcome; 6]>(words).unwrap(),
        OUTCOMES
    );
    for outcome in OUTCOMES {
        assert_eq!(json!(outcome), outcome.as_str());
    }
    assert!(serde_json::from_value::<Outcome>(json!("PAID")).is_err());
}
