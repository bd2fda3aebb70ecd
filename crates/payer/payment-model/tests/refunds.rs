//! The transactions that may be refunded, and the rule that never more is given back than was paid.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use payment_model::{
    Amount, PaymentMethodName, Refund, RefundQueryResponse, RefundRefusal, RefundState, RefundType,
    Transaction, TransactionState, check_refund, remaining_refundable,
};
use proptest::prelude::*;
use serde_json::json;
use support::sample;

fn refund(cents: &str, state: &str) -> Refund {
    let body = sample("refund_query_response");
    let mut refund = serde_json::from_value::<RefundQueryResponse>(body)
        .unwrap()
        .operations
        .remove(0);
    refund.refund_amount = Amount::new(cents);
    refund.state = RefundState::from(state);
    refund
}

/// A refund of a settled card payment.
fn check(kind: &str, asked: u64, amount: u64, left: u64) -> Result<(), RefundRefusal> {
    let (state, method) = (TransactionState::Settled, PaymentMethodName::Card);
    check_refund(&state, &method, &kind.into(), asked, amount, left)
}

#[test]
fn only_a_settled_transaction_of_three_methods_is_refunded() {
    for state in TransactionState::KNOWN
        .iter()
        .chain(&["NUEVO".into(), "liquidado".into()])
    {
        for method in PaymentMethodName::KNOWN
            .iter()
            .chain(&["NUEVO".into(), "card".into()])
        {
            let settled = state.as_str() == "LIQUIDADO";
            let refundable = ["CARD", "WALLET", "INSTALLMENT"].contains(&method.as_str());
            let expected = match (settled, refundable) {
                (true, true) => Ok(()),
                (true, false) => Err(RefundRefusal::MethodNotRefundable),
                (false, _) => Err(RefundRefusal::NotSettled),
            };
            let checked = check_refund(state, method, &RefundType::Partial, 1, 2, 2);
            assert_eq!(checked, expected, "{state} {method}");
            let transaction: Transaction = serde_json::from_value(json!({
                "transaction_id": "t", "state": state, "amount": "2", "currency": "604",
                "payment_method": {"method_name": method},
            }))
            .unwrap();
            assert_eq!(
                transaction.is_refundable(),
                expected.is_ok(),
                "{state} {method}"
            );
        }
    }
}

#[test]
fn the_amount_must_fit_what_is_left() {
    let more = |left| Err(RefundRefusal::MoreThanIsLeft { left });
    assert_eq!(check("PARTIAL", 100, 100, 100), Ok(()));
    assert_eq!(check("PARTIAL", 101, 100, 100), more(100));
    assert_eq!(check("PARTIAL", 40, 100, 40), Ok(()));
    assert_eq!(check("PARTIAL", 41, 100, 40), more(40));
    assert_eq!(check("PARTIAL", 1, 100, 0), more(0));
    assert_eq!(check("PARTIAL", 101, 100, u64::MAX), more(100));
    assert_eq!(check("TOTAL", 100, 100, 100), Ok(()));
    assert_eq!(
        check("TOTAL", 100, 100, 99),
        Err(RefundRefusal::NotTheWhole)
    );
    assert_eq!(check("TOTAL", 99, 100, 99), Err(RefundRefusal::NotTheWhole));
    assert_eq!(
        check("TOTAL", 99, 100, 100),
        Err(RefundRefusal::NotTheWhole)
    );
    assert_eq!(
        check("TOTAL", 101, 100, 100),
        Err(RefundRefusal::NotTheWhole)
    );
    for kind in ["TOTAL", "PARTIAL", "total"] {
        assert_eq!(
            check(kind, 0, 100, 100),
            Err(RefundRefusal::NothingAskedFor)
        );
        assert_eq!(check(kind, 0, 0, 0), Err(RefundRefusal::NothingAskedFor));
    }
    assert_eq!(
        check("total", 100, 100, 100),
        Err(RefundRefusal::UnknownType)
    );
    assert_eq!(check("", 1, 100, 100), Err(RefundRefusal::UnknownType));
}

#[test]
fn every_refund_but_a_rejected_one_reserves_its_amount() {
    let left = |state| remaining_refundable(100, &[refund("30", state)], 0);
    for state in [
        "REGISTERED",
        "IN_PROCESS",
        "RESOLVED",
        "NEW",
        "",
        "rejected",
    ] {
        assert_eq!(left(state), 70, "{state}");
    }
    assert_eq!(left("REJECTED"), 100);
    let several = [
        refund("30", "RESOLVED"),
        refund("20", "REJECTED"),
        refund("10", "REGISTERED"),
    ];
    assert_eq!(remaining_refundable(100, &several, 0), 60);
    assert_eq!(remaining_refundable(100, &several, 15), 45);
    assert_eq!(remaining_refundable(100, &several, u64::MAX), 0);
    assert_eq!(remaining_refundable(100, &[], 0), 100);
}

#[test]
fn an_unreadable_amount_counts_as_everything() {
    for amount in ["", "12.50", "-5", "1e2", "99999999999999999999"] {
        assert_eq!(
            remaining_refundable(100, &[refund(amount, "RESOLVED")], 0),
            0,
            "{amount}"
        );
        assert_eq!(
            remaining_refundable(100, &[refund(amount, "REJECTED")], 0),
            100,
            "{amount}"
        );
    }
}

#[test]
fn refusals_say_what_to_do() {
    let text = |refusal: RefundRefusal| refusal.to_string();
    assert_eq!(
        text(RefundRefusal::MoreThanIsLeft { left: 40 }),
        "refund_amount is more than the 40 cents left to refund"
    );
    assert!(text(RefundRefusal::NotSettled).contains("LIQUIDADO"));
    assert!(text(RefundRefusal::MethodNotRefundable).contains("CARD, WALLET and INSTALLMENT"));
    assert!(text(RefundRefusal::NothingAskedFor).starts_with("refund_amount"));
    assert!(text(RefundRefusal::NotTheWhole).contains("PARTIAL"));
    assert!(text(RefundRefusal::UnknownType).starts_with("type"));
}

proptest! {
    /// Any requests in any order, with refunds in any state and attempts in doubt: the refunds that
    /// were accepted and not rejected never exceed the amount.
    #[test]
    fn never_more_than_the_amount(
        amount in 0_u64..10_000,
        requests in prop::collection::vec((0_u64..5_000, any::<bool>(), 0_usize..6), 0..20),
    ) {
        let mut refunds = Vec::new();
        for (asked, total, fate) in requests {
            let left = remaining_refundable(amount, &refunds, 0);
            let kind = if total { "TOTAL" } else { "PARTIAL" };
            if check(kind, asked, amount, left).is_ok() {
                prop_assert!(asked > 0 && asked <= left);
                let states = ["REGISTERED", "IN_PROCESS", "RESOLVED", "REJECTED", "NEW", ""];
                refunds.push(refund(&asked.to_string(), states[fate]));
            }
            let given = refunds.iter().filter(|r| r.state.as_str() != "REJECTED");
            let given: u64 = given.filter_map(|r| r.refund_amount.cents()).sum();
            prop_assert!(given <= amount);
            prop_assert_eq!(remaining_refundable(amount, &refunds, 0), amount - given);
        }
    }

    #[test]
    fn the_exact_remainder_is_accepted_and_one_cent_more_is_not(
        amount in 1_u64..1_000_000,
        part in 0_u64..1_000_000,
        in_doubt in 0_u64..1_000_000,
    ) {
        let refunds = [refund(&part.to_string(), "RESOLVED")];
        let left = remaining_refundable(amount, &refunds, in_doubt);
        prop_assert_eq!(left, amount.saturating_sub(part).saturating_sub(in_doubt));
        prop_assert_eq!(check("PARTIAL", left, amount, left).is_ok(), left > 0);
        prop_assert_eq!(
            check("PARTIAL", left + 1, amount, left),
            Err(RefundRefusal::MoreThanIsLeft { left })
        );
        prop_assert_eq!(check("TOTAL", amount, amount, left).is_ok(), left == amount);
    }
}
