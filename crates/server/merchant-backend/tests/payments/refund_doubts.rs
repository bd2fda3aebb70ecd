use crate::support::database::{let_its_time_pass, nothing_is_under_way, tamper};
use crate::support::fault::Fault;
use crate::support::roles::refunder;
use crate::support::sales::{Sale, settled_installments};
use crate::support::stack::Stack;
use crate::support::staff_client::{StaffClient, attempt, attempts, part, refusal};
use crate::support::wait::until;
use reqwest::Method;
use serde_json::json;
use staff_model::AttemptState;
use std::time::Duration;

async fn quick() -> Stack {
    Stack::start_with(|config| {
        config.payment_timeout = Duration::from_millis(400);
        config.timing.shutdown = Duration::from_millis(100);
    })
    .await
}

async fn sale(stack: &Stack) -> (Sale, StaffClient) {
    (settled_installments(stack).await, refunder(stack).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_whose_answer_is_lost_is_found_and_never_sent_again() {
    let stack = quick().await;
    let refunder = refunder(&stack).await;
    for kind in [
        Fault::drop().after(),
        Fault::cut(20),
        Fault::malformed(),
        Fault::malformed_html(),
        Fault::status(500).after(),
        Fault::status(408).after(),
        Fault::status(302).after().location("http://127.0.0.1:1/"),
        Fault::delay(2000).after(),
        Fault::replace("/operations", json!([])),
        Fault::replace("/merchant_code", "other"),
    ] {
        let sale = settled_installments(&stack).await;
        let before = stack.seen_at("POST", "/refund").await.len();
        stack.with_fault(kind.clone().on("POST", "/refund")).await;
        let answer = refunder
            .refund(&sale.number, &[part(&sale.number, 100)])
            .await;
        assert_eq!(
            attempt(&answer).state,
            AttemptState::Registered,
            "{kind} {}",
            answer.text
        );
        let key = format!("more {}", sale.number);
        let more = refunder
            .refund(&key, &[part(&sale.number, sale.amount)])
            .await;
        assert_eq!(refusal(&more).1, Some(sale.amount - 100), "{kind}");
        assert_eq!(stack.seen_at("POST", "/refund").await.len(), before + 1);
        let again = refunder
            .refund(&sale.number, &[part(&sale.number, 100)])
            .await;
        assert_eq!(again.text, answer.text);
        assert_eq!(stack.seen_at("POST", "/refund").await.len(), before + 1);
        stack.without_faults().await;
        let key = format!("rest {}", sale.number);
        let rest = refunder
            .refund(&key, &[part(&sale.number, sale.amount - 100)])
            .await;
        assert_eq!(attempt(&rest).state, AttemptState::Registered, "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_never_arrived_stays_in_doubt_and_reserved() {
    let stack = quick().await;
    let refunder = refunder(&stack).await;
    for kind in [Fault::drop(), Fault::status(503), Fault::status(429)] {
        let sale = settled_installments(&stack).await;
        stack.with_fault(kind.clone().on("POST", "/refund")).await;
        let key = |what: &str| format!("{what} {}", sale.number);
        let answer = refunder.refund(&key("a"), &[part(&sale.number, 100)]).await;
        assert_eq!(
            attempt(&answer).state,
            AttemptState::InDoubt,
            "{kind} {}",
            answer.text
        );
        assert_eq!(answer.json()["success"], "false");
        let refused = refunder
            .refund(&key("b"), &[part(&sale.number, sale.amount - 99)])
            .await;
        assert_eq!(refusal(&refused).1, Some(sale.amount - 100), "{kind}");
        // An empty list proves nothing: the remaining amount may be refunded, but no cent of the
        // doubt.
        let rest = refunder
            .refund(&key("c"), &[part(&sale.number, sale.amount - 100)])
            .await;
        assert_eq!(attempt(&rest).state, AttemptState::Registered, "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_refund_is_sent_while_a_doubt_cannot_be_queried() {
    let stack = quick().await;
    let (sale, refunder) = sale(&stack).await;
    let slow = Fault::delay(60_000).on("POST", "/refund").after();
    let silent = Fault::drop().on("GET", "/refund");
    stack.with_fault(silent.clone()).await;
    // The first look-up, before anything is sent, fails.
    let refused = refunder.refund("0", &[part(&sale.number, 100)]).await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (503, "refunds-unknown")
    );
    assert!(stack.seen_at("POST", "/refund").await.is_empty());

    let first = slow.then(silent.always());
    stack.with_fault(first).await;
    let answer = refunder.refund("1", &[part(&sale.number, 100)]).await;
    assert_eq!(
        attempt(&answer).state,
        AttemptState::InDoubt,
        "{}",
        answer.text
    );
    for key in ["2", "3"] {
        let refused = refunder.refund(key, &[part(&sale.number, 1)]).await;
        assert_eq!(
            (refused.status, refused.problem().as_str()),
            (503, "refunds-unknown")
        );
    }
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
    // An incomplete list proves as little.
    stack
        .with_fault(
            Fault::replace("/operations_count", "7")
                .on("GET", "/refund")
                .always(),
        )
        .await;
    let refused = refunder.refund("4", &[part(&sale.number, 1)]).await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (503, "refunds-unknown")
    );
    stack.without_faults().await;
    let allowed = refunder
        .refund("5", &[part(&sale.number, sale.amount - 100)])
        .await;
    assert_eq!(attempt(&allowed).state, AttemptState::Registered);
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_whose_server_stopped_before_its_answer_is_found_and_sent_once() {
    let mut stack = quick().await;
    let (sale, refunder) = sale(&stack).await;
    let other = settled_installments(&stack).await;
    let slow = Fault::delay(60_000).on("POST", "/refund").after();
    // The sandbox has the refund, and the server dies before its time for an answer is over.
    let items = [part(&sale.number, 100), part(&other.number, 50)];
    let silent = Fault::drop().on("GET", "/refund");
    let first = slow.then(silent);
    stack.with_fault(first).await;
    let lost = tokio::spawn({
        let (refunder, items) = (refunder.clone(), items.clone());
        async move { refunder.refund("k", &items).await }
    });
    until("accepted", async || {
        !stack.seen_at("POST", "/refund").await.is_empty()
    })
    .await;
    stack.stop().await;
    let_its_time_pass(&stack).await;
    lost.abort();
    stack.run().await;
    nothing_is_under_way(&stack).await;
    let answer = refunder.refund("k", &items).await;
    let both = attempts(&answer);
    assert_eq!(both[0].state, AttemptState::Registered, "{}", answer.text);
    // The second refund was never sent, and its detail says so.
    assert_eq!(both[1].state, AttemptState::Refused);
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
    assert_eq!(refunder.refund("k", &items).await.text, answer.text);
    let fresh = refunder.refund("l", &[part(&other.number, 50)]).await;
    assert_eq!(attempt(&fresh).state, AttemptState::Registered);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repetition_while_the_refund_is_on_its_way_is_no_answer_for_good() {
    let stack = Stack::start().await;
    let (sale, refunder) = sale(&stack).await;
    stack
        .with_fault(Fault::delay(1_500).on("POST", "/refund").after())
        .await;
    let items = [part(&sale.number, 100)];
    let first = tokio::spawn({
        let (refunder, items) = (refunder.clone(), items.clone());
        async move { refunder.refund("k", &items).await }
    });
    until("accepted", async || {
        !stack.seen_at("POST", "/refund").await.is_empty()
    })
    .await;
    // The run has lost its claim, as after a write that the disk refused.
    tamper(&stack, "UPDATE idempotency_keys SET running_until = NULL").await;
    let early = refunder.refund("k", &items).await;
    assert_eq!(early.status, 409, "{}", early.text);
    assert_eq!(early.problem(), "request-running");
    first.await.unwrap();
    nothing_is_under_way(&stack).await;
    let answer = refunder.refund("k", &items).await;
    assert_eq!(
        attempt(&answer).state,
        AttemptState::Registered,
        "{}",
        answer.text
    );
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_stops_answering_is_not_asked_for_the_rest() {
    let stack = quick().await;
    let (sale, refunder) = sale(&stack).await;
    let other = settled_installments(&stack).await;
    let slow = Fault::delay(60_000).on("POST", "/refund").after();
    let silent = Fault::drop().on("GET", "/refund");
    let first = slow.then(silent.always());
    stack.with_fault(first).await;
    let items = [part(&sale.number, 100), part(&other.number, 50)];
    let both = attempts(&refunder.refund("k", &items).await);
    assert_eq!(both[0].state, AttemptState::InDoubt);
    assert_eq!(both[1].state, AttemptState::Refused);
    assert!(both[1].detail.contains("not sent"));
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_not_accepted_is_said_and_costs_nothing() {
    let stack = quick().await;
    let (sale, refunder) = sale(&stack).await;
    let items = [part(&sale.number, 100)];
    for method in ["GET", "POST"] {
        stack
            .with_fault(Fault::status(401).on(method, "/refund").times(2))
            .await;
        let refused = refunder.refund("k", &items).await;
        let problem = (refused.status, refused.problem());
        assert_eq!(
            problem,
            (503, "payment-service-token".to_owned()),
            "{method}"
        );
        stack.without_faults().await;
    }
    let token = json!({"token": "renewed"});
    stack
        .control(Method::PUT, "/sandbox/settings", Some(token))
        .await;
    assert_eq!(
        refunder.refund("k", &items).await.problem(),
        "payment-service-token"
    );
    std::fs::write(stack.directory.path().join("token"), "renewed\n").unwrap();
    let answer = refunder.refund("k", &items).await;
    assert_eq!(
        attempt(&answer).state,
        AttemptState::Registered,
        "{}",
        answer.text
    );
    let accepted = stack.seen_at("POST", "/refund").await;
    assert_eq!(
        accepted
            .iter()
            .filter(|entry| entry["accepted"] == true)
            .count(),
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_is_a_doubt_since_our_own_attempt_may_be_registered() {
    let stack = quick().await;
    let (sale, refunder) = sale(&stack).await;
    stack
        .with_fault(Fault::status(409).on("POST", "/refund").after())
        .await;
    let found = refunder.refund("1", &[part(&sale.number, 100)]).await;
    assert_eq!(
        attempt(&found).state,
        AttemptState::Registered,
        "{}",
        found.text
    );
    stack
        .with_fault(Fault::status(409).on("POST", "/refund"))
        .await;
    let unknown = refunder.refund("2", &[part(&sale.number, 50)]).await;
    assert_eq!(
        attempt(&unknown).state,
        AttemptState::InDoubt,
        "{}",
        unknown.text
    );
    let left = sale.amount - 150;
    assert_eq!(refunder.refundable(&sale.number).await, left);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_that_was_not_let_in_is_refused_only_by_a_whole_list_and_opens_no_return() {
    let stack = quick().await;
    let (sale, refunder) = sale(&stack).await;
    stack
        .with_fault(Fault::status(401).on("POST", "/refund").after())
        .await;
    // A gateway refused after the service had accepted it.
    let found = refunder.refund("1", &[part(&sale.number, 100)]).await;
    assert_eq!(
        attempt(&found).state,
        AttemptState::Registered,
        "{}",
        found.text
    );

    stack
        .with_fault(Fault::status(401).on("POST", "/refund"))
        .await;
    let refused = refunder.refund("2", &[part(&sale.number, 50)]).await;
    assert_eq!(refused.problem(), "payment-service-token");
    let details = refunder.details(&sale.number).await;
    assert_eq!(details.attempts[0].state, AttemptState::Refused);
    let by_hand = refunder.give_back("3", &sale.number, 1).await;
    assert_eq!(by_hand.json()["reason"], "refundable", "{}", by_hand.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_that_the_service_never_had_has_no_refunds_and_nothing_is_asked() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    stack
        .with_fault(Fault::status(422).on("POST", "/charges").always())
        .await;
    let payer = stack.payer().await;
    assert_eq!(
        payer.pay_by_qr("k").await.problem(),
        "authorization-refused"
    );
    let number = payer.shown().await["operations"][0]["merchant_operation_number"].clone();
    let answer = refunder.refunds(number.as_str().unwrap()).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let list = answer.json();
    assert_eq!(
        (&list["operations_count"], &list["operations"]),
        (&json!("0"), &json!([]))
    );
    assert!(stack.seen_at("GET", "/refund").await.is_empty());
}
