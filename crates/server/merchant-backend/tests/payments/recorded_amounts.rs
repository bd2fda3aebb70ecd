//! Amounts that are recorded, however large, take no list, file or figure from anybody.

use crate::support::database::{edit, tamper};
use crate::support::roles::refunder;
use crate::support::sales::{paid_by_qr, settled_installments};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::{StaffClient, part};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use reqwest::Method;
use serde_json::json;
use std::cell::RefCell;

/// Every way by which staff, and who watches the server, read what is recorded.
async fn everything_answers(stack: &Stack, refunder: &StaffClient, number: &str) {
    for path in [
        "/exceptions".to_owned(),
        "/operations".to_owned(),
        format!("/operations?q={number}"),
        format!("/operations/{MERCHANT}/{number}"),
    ] {
        let answer = refunder.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    }
    let file = refunder.get("/operations.csv").await;
    assert_eq!(file.status, 200);
    assert!(file.text.contains(number), "{}", file.text);
    let url = stack.base().replace("/api", "/metrics");
    let figures = stack.client.get(url).send().await.unwrap();
    assert_eq!(figures.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn extreme_amounts_leave_every_list_file_and_metric_readable() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let by_qr = paid_by_qr(&stack).await;
    for key in ["1", "2", "3"] {
        assert_eq!(refunder.gave_back(key, &by_qr.number, 1).await.status, 201);
    }
    let sale = settled_installments(&stack).await;
    for key in ["4", "5"] {
        let refund = refunder.refund(key, &[part(&sale.number, 1)]).await;
        assert_eq!(refund.status, 200, "{}", refund.text);
    }
    let edges = [1, i64::MAX / 2 + 1, 5_000_000_000_000_000_000, i64::MAX];
    let amount = proptest::prop_oneof![proptest::sample::select(edges.to_vec()), 1..=i64::MAX];
    let mut runner = TestRunner::deterministic();
    for _ in 0..12 {
        let runner = RefCell::new(&mut runner);
        let any = || json!(amount.new_tree(&mut runner.borrow_mut()).unwrap().current());
        edit(&stack, |_, document| {
            document["operation"]["amount"] = any();
            for (list, member) in [
                ("returns", "amount"),
                ("attempts", "amount"),
                ("refunds", "cents"),
            ] {
                for entry in document[list].as_array_mut().unwrap() {
                    entry[member] = any();
                }
            }
        })
        .await;
        tamper(&stack, "UPDATE orders SET paid_twice = 1").await;
        everything_answers(&stack, &refunder, &by_qr.number).await;
        everything_answers(&stack, &refunder, &sale.number).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amount_that_no_payment_can_have_is_refused_by_name() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let by_qr = paid_by_qr(&stack).await;
    for already_made in [false, true] {
        for amount in [0, 1 << 63, u64::MAX] {
            let body = json!({
                "merchant_code": MERCHANT, "merchant_operation_number": by_qr.number,
                "amount": amount, "reason": "by transfer", "already_made": already_made,
            });
            let key = format!("{already_made}-{amount}");
            let refused = refunder
                .send(Method::POST, "/returns", Some(&key), Some(&body))
                .await;
            assert_eq!(refused.status, 400, "{amount}: {}", refused.text);
        }
    }
    everything_answers(&stack, &refunder, &by_qr.number).await;
}
