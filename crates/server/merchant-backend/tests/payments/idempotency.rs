use crate::support::database::{tamper, values};
use crate::support::fault::Fault;
use crate::support::payer::{installment, qr};
use crate::support::roles::refunder;
use crate::support::sales::{paid_by_qr, settled_installments};
use crate::support::shop_program::ShopProgram;
use crate::support::stack::Stack;
use crate::support::staff_client::part;
use crate::support::wait::until;
use reqwest::Method;
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_has_the_same_answer_also_after_a_restart() {
    let mut stack = Stack::start().await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("k").await;
    assert_eq!(payer.pay_by_qr("k").await.text, first.text);
    // Quoted or bare, the key is the same.
    let bare = [("idempotency-key", "k")];
    let body = qr(&payer.order_id).to_string();
    assert_eq!(
        payer
            .send(Method::POST, "/charges", &bare, &body)
            .await
            .text,
        first.text
    );
    stack.restart().await;
    assert_eq!(payer.pay_by_qr("k").await.text, first.text);
    assert_eq!(stack.seen("POST").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_belongs_to_its_request() {
    let stack = Stack::start().await;
    let mut payer = stack.payer().await;
    let first = payer.order_id.clone();
    payer.pay_by_qr("k").await.number();
    let other = payer
        .authorize("k", &installment(&first, "https://shop.example/"))
        .await;
    assert_eq!(
        (other.status, other.problem().as_str()),
        (422, "idempotency-key-reused")
    );
    payer.order_again().await;
    let other = payer.pay_by_qr("k").await;
    assert_eq!(
        (other.status, other.problem().as_str()),
        (422, "idempotency-key-reused")
    );
    assert_eq!(stack.seen("POST").await.len(), 1);
    // Another session's key of the same text is another key.
    let stranger = stack.payer().await;
    stranger.pay_by_qr("k").await.number();
    assert_eq!(stack.seen("POST").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unusable_key_is_refused_before_anything_happens() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let body = qr(&payer.order_id).to_string();
    let long = "k".repeat(256);
    let cases: [&[(&str, &str)]; 6] = [
        &[],
        &[("idempotency-key", "")],
        &[("idempotency-key", "\"\"")],
        &[("idempotency-key", &long)],
        &[("idempotency-key", "a\tb")],
        &[("idempotency-key", "a"), ("idempotency-key", "a")],
    ];
    for headers in cases {
        let answer = payer.send(Method::POST, "/charges", headers, &body).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (400, "idempotency-key-required"),
            "{headers:?}"
        );
    }
    assert!(stack.seen("POST").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_at_once_waits_for_the_one_answer() {
    let stack = Stack::start().await;
    stack
        .with_fault(Fault::delay(300).on("POST", "/charges"))
        .await;
    let payer = stack.payer().await;
    let tasks = (0..20).map(|_| {
        let payer = payer.clone();
        tokio::spawn(async move { payer.pay_by_qr("k").await.text })
    });
    let mut texts = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        texts.push(task.await.unwrap());
    }
    texts.dedup();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert_eq!(stack.seen("POST").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_runs_too_long_is_answered_with_retry_after() {
    let stack =
        Stack::start_with(|config| config.timing.key_wait = Duration::from_millis(50)).await;
    stack
        .with_fault(Fault::delay(1000).on("POST", "/charges"))
        .await;
    let payer = stack.payer().await;
    let first = tokio::spawn({
        let payer = payer.clone();
        async move { payer.pay_by_qr("k").await }
    });
    until("reserved", async || {
        payer.shown().await["operations"][0]["phase"] == "sending"
    })
    .await;
    for key in ["k", "another"] {
        let second = payer.pay_by_qr(key).await;
        assert_eq!(
            (second.status, second.problem().as_str()),
            (409, "request-running")
        );
        assert_eq!(second.header("retry-after"), "1");
    }
    let number = first.await.unwrap().number();
    assert_eq!(payer.pay_by_qr("k").await.number(), number);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_goes_on_when_its_browser_is_gone() {
    let stack = Stack::start().await;
    stack
        .with_fault(Fault::delay(300).on("POST", "/charges"))
        .await;
    let payer = stack.payer().await;
    let gone = tokio::spawn({
        let payer = payer.clone();
        async move { payer.pay_by_qr("k").await.number() }
    });
    until("reserved", async || {
        payer.shown().await["operations"][0]["phase"] == "sending"
    })
    .await;
    gone.abort();
    until("known", async || {
        payer.shown().await["operations"][0]["phase"] == "known"
    })
    .await;
    payer.pay_by_qr("k").await.number();
    assert_eq!(stack.seen("POST").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_authorizations_of_one_session_are_refused() {
    let stack = Stack::start_with(|config| config.timing.authorizes_per_minute = 3).await;
    let payer = stack.payer().await;
    for key in ["1", "2", "3"] {
        payer.pay_by_qr(key).await.number();
    }
    let refused = payer.pay_by_qr("4").await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (429, "too-many-requests")
    );
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 0);
    stack.payer().await.pay_by_qr("k").await.number();
}

#[tokio::test(flavor = "multi_thread")]
async fn all_payers_together_begin_a_limited_number_of_attempts_a_minute() {
    let stack = Stack::start_with(|config| config.starts_per_minute = 3).await;
    let payer = stack.payer().await;
    let number = payer.pay_by_qr("k1").await.number();
    for key in ["k2", "k3"] {
        payer.pay_by_qr(key).await.number();
    }
    for _ in 0..2 {
        stack.payer().await;
    }
    // A new session does not get around the limit.
    let body = r#"{"items": [{"sku": "cafe-250", "quantity": 1}]}"#;
    let refused = payer
        .send(Method::POST, "/orders", &[("cookie", "")], body)
        .await;
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (429, "too-many-requests")
    );
    assert!(refused.header("retry-after").parse::<u64>().unwrap() >= 1);
    let refused = payer.pay_by_qr("k4").await;
    assert_eq!(refused.problem(), "too-many-requests");
    // A payment that has begun goes on.
    stack.drive(&number, "pay").await;
    payer.until_paid().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_key_another_one_took_over_gives_nothing_back() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let program = ShopProgram::of(&stack).await;
    let sale = settled_installments(&stack).await;
    let (by_hand, reversed) = (paid_by_qr(&stack).await, paid_by_qr(&stack).await);
    // Each run asks the service before it reserves.
    stack
        .with_fault(Fault::delay(500).on("GET", "/charges").always())
        .await;
    let whole = [part(&sale.number, sale.amount)];
    let order = json!({"order_id": reversed.payer.order_id, "amount": "all"});
    let runs = async {
        tokio::join!(
            refunder.refund("taken-1", &whole),
            refunder.give_back("taken-2", &by_hand.number, by_hand.amount),
            program.refund("taken-3", &order),
        )
    };
    let take_over = async {
        let running = "SELECT count(*) FROM idempotency_keys
            WHERE key LIKE 'taken-%' AND running_until IS NOT NULL";
        until("all run", async || {
            values::<i64>(&stack, running).await == [3]
        })
        .await;
        // As another server claims them that finds their leases over.
        let claim = "UPDATE idempotency_keys SET running_until = running_until + 1
            WHERE key LIKE 'taken-%'";
        tamper(&stack, claim).await;
    };
    let ((refund, by_hand, reversal), ()) = tokio::join!(runs, take_over);
    for answer in [refund, by_hand, reversal] {
        let came = (answer.status, answer.problem());
        assert_eq!(came, (409, "request-running".to_owned()), "{}", answer.text);
    }
    assert_eq!(
        values::<i64>(&stack, "SELECT count(*) FROM requests").await,
        [0]
    );
    assert!(stack.seen_at("POST", "/refund").await.is_empty());
    assert!(stack.seen("DELETE").await.is_empty());
}
