//! A page that remembers nothing asks for the operation that its payer should see.

use crate::support::database::{age, edit, tamper, values};
use crate::support::fault::Fault;
use crate::support::order_token::{claims, seconds, sign};
use crate::support::payer::{Answer, Payer, installment};
use crate::support::roles::canceler;
use crate::support::sales::waiting_qr;
use crate::support::stack::Stack;
use crate::support::wait::{until, until_some};
use serde_json::{Value, json};
use std::time::Duration;

const BACK: &str = "https://shop.example/back";

fn number(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text);
    let number = &answer.json()["operation"]["merchant_operation_number"];
    number.as_str().unwrap().to_owned()
}

fn is_nothing(answer: &Answer) -> bool {
    answer.status == 204 && answer.text.is_empty() && answer.header("set-cookie").is_empty()
}

/// How many rows there are in the tables that a payment writes.
async fn rows(stack: &Stack) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in ["orders", "operations", "idempotency_keys", "order_sessions"] {
        let count = format!("SELECT count(*) FROM {table}");
        counts.extend(values::<i64>(stack, &count).await);
    }
    counts
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_tab_finds_the_code_with_its_picture() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    assert!(is_nothing(&payer.live().await));
    let first = payer.pay_by_qr("k").await.number();
    let before = rows(&stack).await;
    let found = payer.live().await;
    assert_eq!(
        (number(&found), found.state()),
        (first.clone(), "PENDIENTE".into())
    );
    let transaction = &found.json()["operation"]["transactions"][0];
    assert!(transaction["processor_response"]["qr_image"].is_string());
    // The very answer of the status address.
    let status = payer.status(&first).await;
    assert_eq!(status.text, found.text);
    assert_eq!(status.header("etag"), found.header("etag"));
    assert!(!found.header("date").is_empty());
    assert!(found.header("set-cookie").is_empty());
    assert_eq!(rows(&stack).await, before);
    assert_eq!(stack.seen("POST").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paid_order_answers_the_paid_operation_and_no_other() {
    let stack = Stack::start().await;
    let (payer, first) = waiting_qr(&stack).await;
    stack.with_fault(Fault::lose_notification().times(9)).await;
    stack.drive(&first, "pay").await;
    // Also where the server hears of the payment by this very question.
    until("paid", async || payer.live().await.state() == "AUTORIZADO").await;
    assert_eq!(number(&payer.live().await), first);
    assert_eq!(payer.shown().await["state"], "paid");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_payment_is_shown_before_the_code_that_took_its_place() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let first = payer.pay_by_qr("one").await.number();
    stack.drive(&first, "expire").await;
    until("nothing to see", async || is_nothing(&payer.live().await)).await;
    let second = payer.pay_by_qr("two").await.number();
    assert_eq!(number(&payer.live().await), second);
    stack.pay_late(&first).await;
    until("the paid one", async || {
        number(&payer.live().await) == first
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_was_given_back_is_shown_until_something_else_is_under_way() {
    let stack = Stack::start().await;
    let (payer, first) = waiting_qr(&stack).await;
    stack.drive(&first, "pay").await;
    payer.until_paid().await;
    let canceler = canceler(&stack).await;
    assert_eq!(canceler.cancel(&first, "reverse").await.status, 200);
    let found = payer.live().await;
    assert_eq!(
        (number(&found), found.header("order-state")),
        (first, "open")
    );
    let second = payer.pay_by_qr("again").await.number();
    assert_eq!(number(&payer.live().await), second);
    payer.cancel(&second).await.state();
    assert!(is_nothing(&payer.live().await));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_in_doubt_is_not_shown() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    // The service has the operation, and neither its answer nor its end comes.
    stack
        .with_faults([
            Fault::drop().on("POST", "/charges").after().times(9),
            Fault::drop().on("DELETE", "/charges").always(),
        ])
        .await;
    let body = installment(&payer.order_id, BACK);
    assert_eq!(payer.authorize("k", &body).await.status, 503);
    let phases = "SELECT count(*) FROM operations WHERE phase = 'in_doubt'";
    assert!(values::<i64>(&stack, phases).await[0] > 0);
    assert!(is_nothing(&payer.live().await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_learns_nothing() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    payer.pay_by_qr("k").await.number();
    let unknown = payer.live_of(&json!({"order_id": "x"})).await;
    let nobody = Payer {
        cookie: String::new(),
        ..payer.clone()
    };
    let other = Payer {
        order_id: payer.order_id.clone(),
        ..stack.payer().await
    };
    for stranger in [nobody, other] {
        let answer = stranger.live().await;
        assert_eq!((answer.status, answer.refusal()), (404, unknown.refusal()));
        assert!(answer.headers.get("set-cookie").is_none());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stored_state_says_how_old_it_is() {
    let stack = Stack::start().await;
    let (payer, first) = waiting_qr(&stack).await;
    stack
        .with_fault(Fault::drop().on("GET", "/charges").always())
        .await;
    edit(&stack, |_, document| {
        age(document, "/operation/changed_at", Duration::from_mins(1));
    })
    .await;
    tamper(&stack, "UPDATE operations SET queried_at = NULL").await;
    let found = until_some("no answer of the service", async || {
        let found = payer.live().await;
        (!found.header("age").is_empty()).then_some(found)
    })
    .await;
    assert_eq!(number(&found), first);
    assert!(found.header("age").parse::<u64>().unwrap() >= 60);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_order_that_was_never_paid_leaves_no_row_and_no_cookie() {
    let stack = Stack::start_for_shop(None).await;
    let order = json!({"order": sign(&claims(&stack.base(), "A-1", 500))});
    let phone = stack.browser();
    assert!(is_nothing(&phone.live_of(&order).await));
    assert_eq!(rows(&stack).await, [0, 0, 0, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_holder_of_a_signed_order_finds_its_code_on_another_device() {
    let stack = Stack::start_for_shop(None).await;
    let order = json!({"order": sign(&claims(&stack.base(), "A-1", 500))});
    let mut pays: Value = order.clone();
    pays["payment_method"] = json!({"method_name": "QR"});
    let mut phone = stack.browser();
    let answer = phone.authorize("k", &pays).await;
    phone.keep_cookie(&answer);
    assert!(phone.live_of(&order).await.header("set-cookie").is_empty());

    let mut laptop = stack.browser();
    let found = laptop.live_of(&order).await;
    assert_eq!(number(&found), answer.number());
    laptop.keep_cookie(&found);
    assert_eq!(laptop.status(&answer.number()).await.state(), "PENDIENTE");
    assert_eq!(stack.seen("POST").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_signed_order_shows_its_code_only_where_it_was_let_in() {
    let stack = Stack::start_for_shop(None).await;
    let mut short = claims(&stack.base(), "A-1", 700);
    short["exp"] = json!(seconds() + 2);
    let order = json!({"order": sign(&short)});
    let mut pays: Value = order.clone();
    pays["payment_method"] = json!({"method_name": "QR"});
    let mut phone = stack.browser();
    let answer = phone.authorize("k", &pays).await;
    phone.keep_cookie(&answer);
    until("expired", async || {
        seconds() > short["exp"].as_i64().unwrap()
    })
    .await;
    assert_eq!(number(&phone.live_of(&order).await), answer.number());
    // Its id alone does as well in a browser that was let in.
    let alone = json!({"order_id": "A-1"});
    assert_eq!(number(&phone.live_of(&alone).await), answer.number());
    let stranger = stack.browser();
    let refused = stranger.live_of(&order).await;
    assert_eq!(refused.problem(), "order-token-refused");
    assert!(refused.header("set-cookie").is_empty());
    assert_eq!(stranger.live_of(&alone).await.problem(), "not-found");
}
