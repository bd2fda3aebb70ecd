use crate::support::fault::Fault;
use crate::support::payer::Payer;
use crate::support::roles::canceler;
use crate::support::stack::Stack;
use crate::support::wait::until;
use serde_json::json;
use std::time::Duration;

/// The server knows every operation that the service accepted, and in the end its state.
async fn settled(stack: &Stack, payer: &Payer) {
    until("no doubts about what was accepted", async || {
        let order = payer.shown().await;
        let known = order["operations"].as_array().unwrap();
        for seen in stack.seen("POST").await {
            let number = seen["merchant_operation_number"].as_str().unwrap();
            let own = known
                .iter()
                .find(|o| o["merchant_operation_number"] == number);
            let own = own.unwrap_or_else(|| panic!("{number} is unknown"));
            if seen["accepted"] == true {
                let state = stack.state_of(number).await;
                if own["state"] != json!(state) {
                    return false;
                }
            }
        }
        true
    })
    .await;
}

/// A stack with this fault at the next authorization, and a payer.
async fn once(fault: Fault) -> (Stack, Payer) {
    meets(Stack::start().await, fault).await
}

async fn meets(stack: Stack, fault: Fault) -> (Stack, Payer) {
    stack.with_fault(fault.on("POST", "/charges")).await;
    let payer = stack.payer().await;
    (stack, payer)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_costs_the_payer_nothing() {
    for kind in [
        Fault::drop().after(),
        Fault::drop(),
        Fault::cut(20),
        Fault::malformed(),
        Fault::malformed_html(),
        Fault::status(500).after(),
        Fault::status(502),
        Fault::status(408).after(),
        Fault::status(302).after().location("http://127.0.0.1:1/"),
    ] {
        let (stack, payer) = once(kind.clone()).await;
        let answer = payer.pay_by_qr("k").await;
        let number = answer.number();
        assert_eq!(payer.pay_by_qr("k").await.text, answer.text, "{kind}");
        settled(&stack, &payer).await;
        assert_eq!(stack.state_of(&number).await, "PENDIENTE");
        // The first operation is given up at the service; only the shown one is live.
        let operations = payer.shown().await["operations"].clone();
        assert_eq!(operations.as_array().unwrap().len(), 2, "{kind}");
        assert_eq!(
            (&operations[0]["live"], &operations[1]["live"]),
            (&json!(false), &json!(true))
        );
        let posts = stack.seen("POST").await;
        assert_ne!(
            posts[0]["merchant_operation_number"],
            posts[1]["merchant_operation_number"]
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_late_is_asked_again_with_the_same_key() {
    let hasty =
        Stack::start_with(|config| config.payment_timeout = Duration::from_millis(400)).await;
    let (stack, payer) = meets(hasty, Fault::delay(2500)).await;
    let late = payer.pay_by_qr("k").await;
    assert_eq!(
        (late.status, late.problem().as_str()),
        (503, "payment-service-unavailable")
    );
    assert_eq!(late.header("retry-after"), "1");
    let number = payer.pay_by_qr("k").await.number();
    // The first request arrives after the service answered "unknown" about it; the next question
    // finds it.
    until("unknown", async || {
        let asked = stack.seen("DELETE").await;
        asked.iter().any(|d| d["status"] == 404)
    })
    .await;
    until("the late one is cancelled", async || {
        let posts = stack.seen("POST").await;
        let lost = posts
            .iter()
            .find(|p| p["merchant_operation_number"] != json!(number));
        let Some(lost) = lost else {
            return false;
        };
        let lost = lost["merchant_operation_number"].as_str().unwrap();
        stack.state_of(lost).await == "CANCELADO"
    })
    .await;
    settled(&stack, &payer).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backoff_that_the_service_asks_for_is_kept() {
    for status in [429, 503] {
        let (stack, payer) = once(Fault::status(status).retry_after(7)).await;
        let answer = payer.pay_by_qr("k").await;
        assert_eq!(answer.problem(), "payment-service-unavailable");
        assert_eq!(answer.header("retry-after"), "7");
        assert_eq!(stack.seen("POST").await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_the_keys_answer() {
    let (stack, payer) = once(Fault::status(422)).await;
    let refused = payer.pay_by_qr("k").await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (422, "authorization-refused")
    );
    assert!(refused.text.contains("\"messages\":["), "{}", refused.text);
    assert_eq!(payer.pay_by_qr("k").await.refusal(), refused.refusal());
    assert_eq!(stack.seen("POST").await.len(), 1);
    let order = payer.shown().await;
    assert_eq!(order["operations"][0]["phase"], "refused");
    payer.pay_by_qr("another").await.number();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_was_used_before_is_never_cancelled_and_another_one_is_taken() {
    let (stack, payer) = once(Fault::status(409)).await;
    let number = payer.pay_by_qr("k").await.number();
    let operations = payer.shown().await["operations"].clone();
    let first = operations[0]["merchant_operation_number"].as_str().unwrap();
    assert_ne!(first, number);
    assert_eq!(operations[0]["phase"], "refused");
    let canceler = canceler(&stack).await;
    let listed = ("number_taken".to_owned(), first.to_owned());
    assert!(canceler.exceptions().await.contains(&listed));
    assert!(stack.seen("DELETE").await.is_empty());
    // If every number gets this answer, the service means something else by it.
    stack
        .with_fault(Fault::status(409).on("POST", "/charges").always())
        .await;
    let other = stack.payer().await;
    assert_eq!(
        other.pay_by_qr("k").await.problem(),
        "payment-service-unavailable"
    );
    assert_eq!(stack.seen("POST").await.len(), 5);
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn doubts_are_settled_in_the_background_after_a_restart() {
    let mut stack = Stack::start().await;
    stack
        .with_faults([
            Fault::drop().on("POST", "/charges").after().times(2),
            Fault::status(500).on("DELETE", "/charges").always(),
        ])
        .await;
    let payer = stack.payer().await;
    assert_eq!(payer.pay_by_qr("k").await.status, 503);
    until("a failed cancellation", async || {
        !stack.seen("DELETE").await.is_empty()
    })
    .await;
    let phases = payer.shown().await["operations"].clone();
    assert_eq!(
        (&phases[0]["phase"], &phases[1]["phase"]),
        (&json!("in_doubt"), &json!("in_doubt"))
    );
    stack.restart().await;
    stack.without_faults().await;
    settled(&stack, &payer).await;
    let operations = payer.shown().await["operations"].clone();
    assert_eq!(
        (&operations[0]["state"], &operations[1]["state"]),
        (&json!("CANCELADO"), &json!("CANCELADO"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_down_is_a_problem_and_no_loss() {
    let stack = Stack::start_with(|config| {
        config.payment_url = "http://127.0.0.1:9".parse().unwrap();
    })
    .await;
    let payer = stack.payer().await;
    let answer = payer.pay_by_qr("k").await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (503, "payment-service-unavailable")
    );
    // Nothing left, so that its one number is used again however often the payer tries.
    for key in ["l", "m", "n"] {
        assert_eq!(payer.pay_by_qr(key).await.status, 503);
    }
    let operations = payer.shown().await["operations"].clone();
    let phases: Vec<_> = operations.as_array().unwrap().iter().collect();
    assert_eq!((phases.len(), &phases[0]["phase"]), (1, &json!("refused")));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_of_the_service_ends_no_order() {
    let stack = Stack::start_with(|config| {
        config.payment_timeout = Duration::from_millis(200);
    })
    .await;
    let payer = stack.payer().await;
    stack
        .with_fault(Fault::drop().on("*", "/charges").always())
        .await;
    for press in 0..3 {
        for _ in 0..5 {
            let answer = payer.pay_by_qr(&format!("press {press}")).await;
            assert_eq!(answer.problem(), "payment-service-unavailable");
        }
    }
    // More doubts would only be more work for a service that comes back.
    assert_eq!(
        payer.shown().await["operations"].as_array().unwrap().len(),
        2
    );
    stack.without_faults().await;
    until("a code", async || {
        payer.pay_by_qr("after it").await.status == 200
    })
    .await;
}
