//! A payer asks for a new code: the server has to know first that the old one has ended.

use crate::support::database::{age, change_payments, documents, is_server, tamper, values};
use crate::support::fault::Fault;
use crate::support::payer::{Answer, Payer, installment};
use crate::support::roles::{canceler, refunder, second_canceler};
use crate::support::sales::waiting_qr;
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::StaffClient;
use crate::support::wait::until;
use crate::support::wire::Wire;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::task::JoinHandle;

/// Moves the payment service's clock away from all others.
async fn service_clock(stack: &Stack, offset_s: i64) {
    let body = json!({ "offset_s": offset_s });
    stack
        .control(Method::PUT, "/sandbox/clock", Some(body))
        .await;
}

/// A deadline so many seconds from now, in whatever the service answers.
fn deadline(method: &str, pointer: &str, seconds: i64) -> Fault {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let at = i64::try_from(now.as_secs()).unwrap() + seconds;
    Fault::replace(
        &format!("{pointer}/expiration_date"),
        json!({"unix_time": at}),
    )
    .on(method, "/charges")
    .always()
}

/// An operation long past its deadline, although the service still waits for the payment.
async fn overdue(stack: &Stack, more: &[Fault]) -> (Payer, String) {
    let mut faults = more.to_vec();
    faults.push(deadline("POST", "/transaction", -300));
    faults.push(deadline("GET", "/operation/transactions/0", -300));
    stack.with_faults(faults).await;
    let (payer, number) = waiting_qr(stack).await;
    (payer, number)
}

/// Makes blocks a quarter of an hour older, and nothing else.
async fn a_quarter_of_an_hour_passes(stack: &mut Stack) {
    let place = "/operation/blocked_since";
    let all = documents(stack).await;
    let blocked = |one: &&(String, Value)| one.1.pointer(place) != Some(&Value::Null);
    assert_eq!(all.iter().filter(blocked).count(), 1);
    change_payments(stack, |_, document| {
        age(document, place, Duration::from_mins(15));
    })
    .await;
}

/// Nothing new was made, and the payer is told when to try again.
fn unconfirmed(answer: &Answer, number: &str) {
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (409, "operation-unconfirmed"),
        "{}",
        answer.text
    );
    let body = answer.json();
    assert_eq!(body["merchant_operation_number"], json!(number));
    assert_eq!(body["merchant_code"], MERCHANT);
    assert!(body["transaction_id"].is_string());
    let seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=600).contains(&seconds));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_in_an_unknown_state_is_not_replaced() {
    let stack = Stack::start().await;
    service_clock(&stack, -3600).await;
    let (payer, first) = waiting_qr(&stack).await;
    stack
        .with_fault(Fault::unknown_state("NUEVO").on("GET", "/charges").always())
        .await;
    unconfirmed(&payer.pay_by_qr("new").await, &first);
    assert_eq!(stack.seen("POST").await.len(), 1);
    assert!(stack.seen("DELETE").await.is_empty());
    // The key is not spent: it gets a code as soon as the end of the first one is known.
    stack.without_faults().await;
    stack.drive(&first, "expire").await;
    assert_ne!(payer.pay_by_qr("new").await.number(), first);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_overdue_by_the_services_clock_only() {
    let stack = Stack::start().await;
    service_clock(&stack, -3600).await;
    let (payer, first) = waiting_qr(&stack).await;
    let answer = payer.pay_by_qr("new").await;
    unconfirmed(&answer, &first);
    // Until the code is overdue for the service itself.
    let seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!(seconds > 60, "{seconds}");
    assert_eq!(stack.seen("POST").await.len(), 1);
    assert!(stack.seen("DELETE").await.is_empty());
    stack.drive(&first, "pay").await;
    assert_eq!(payer.pay_by_qr("new").await.problem(), "order-paid");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_overdue_code_is_cancelled_before_there_is_another() {
    let stack = Stack::start().await;
    let (payer, first) = overdue(&stack, &[]).await;
    let second = payer.pay_by_qr("new").await.number();
    assert_ne!(second, first);
    assert_eq!(stack.state_of(&first).await, "CANCELADO");
    let (posts, deletes) = (stack.seen("POST").await, stack.seen("DELETE").await);
    let seq = |entry: &Value| entry["seq"].as_u64().unwrap();
    assert_eq!((posts.len(), deletes.len()), (2, 1));
    assert!(seq(&deletes[0]) < seq(&posts[1]), "{posts:?} {deletes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_overdue_credit_that_stays_pending_is_cancelled_before_there_is_another() {
    let stack = Stack::start().await;
    let change = json!({"installment_expires_in_s": 1});
    stack
        .control(Method::PUT, "/sandbox/settings", Some(change))
        .await;
    let payer = stack.payer().await;
    let body = installment(&payer.order_id, "https://shop.example/back");
    let first = payer.authorize("k", &body).await.number();
    service_clock(&stack, 3600).await;
    // The specification lists no EXPIRADO for this method: time ends nothing at the service.
    until("the server asked after the deadline", async || {
        assert_eq!(payer.status(&first).await.state(), "PENDIENTE");
        !stack.seen("GET").await.is_empty()
    })
    .await;
    assert_eq!(stack.state_of(&first).await, "PENDIENTE");
    let second = payer.authorize("new", &body).await.number();
    assert_ne!(second, first);
    assert_eq!(stack.state_of(&first).await, "CANCELADO");
    assert_eq!(payer.status(&first).await.state(), "CANCELADO");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_made_while_the_first_code_cannot_be_withdrawn() {
    for fault in [
        Fault::drop().on("GET", "/charges"),
        Fault::status(503).on("GET", "/charges").retry_after(7),
        Fault::drop().on("DELETE", "/charges"),
        Fault::status(409).on("DELETE", "/charges"),
        Fault::replace("/operation/amount", "1").on("GET", "/charges"),
    ] {
        let stack = Stack::start().await;
        let (payer, first) = overdue(&stack, &[fault.clone().always()]).await;
        unconfirmed(&payer.pay_by_qr("new").await, &first);
        let body = installment(&payer.order_id, "https://shop.example/back");
        unconfirmed(&payer.authorize("lender", &body).await, &first);
        assert_eq!(stack.seen("POST").await.len(), 1, "{fault}");
        assert_eq!(payer.shown().await["operations"][0]["live"], true);
    }
}

/// A payer's overdue code that is paid while its cancellation is held on the way to the service,
/// its number, and the request for another code, which waits for the cancellation.
async fn paid_behind_a_held_cancellation(
    stack: &Stack,
    wire: &Wire,
) -> (Payer, String, JoinHandle<Answer>) {
    let lost = Fault::lose_notification().times(9);
    let (payer, first) = overdue(stack, &[lost]).await;
    wire.hold_cancellations();
    let asking = tokio::spawn({
        let payer = payer.clone();
        async move { payer.pay_by_qr("new").await }
    });
    // The server has sent the cancellation: it saw no payment, and sees none before the end.
    until("the cancellation is on its way", async || {
        !wire.requests("DELETE", "/charges").is_empty()
    })
    .await;
    stack.drive(&first, "pay").await;
    (payer, first, asking)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_payment_that_was_given_back_is_shown_before_a_new_code() {
    let mut stack = Stack::start().await;
    let wire = Wire::tap(&mut stack).await;
    let (payer, first, asking) = paid_behind_a_held_cancellation(&stack, &wire).await;
    wire.release_cancellations();
    let answer = asking.await.unwrap();
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (409, "payment-reversed")
    );
    assert_eq!(answer.json()["merchant_operation_number"], json!(first));
    // The same attempt gets the same answer; a new one gets a code.
    assert_eq!(payer.pay_by_qr("new").await.refusal(), answer.refusal());
    assert_eq!(stack.seen("POST").await.len(), 1);
    assert_ne!(payer.pay_by_qr("newer").await.number(), first);
}

/// Makes the database refuse the answer of every attempt, or takes the refusal away.
async fn refuse_answers(stack: &Stack, refuse: bool) {
    tamper(
        stack,
        match (refuse, is_server()) {
            (true, false) => {
                "CREATE TRIGGER no_answers BEFORE UPDATE ON idempotency_keys
                 WHEN new.answer IS NOT NULL BEGIN SELECT RAISE(ABORT, 'planted'); END"
            }
            (true, true) => {
                "CREATE FUNCTION no_answers() RETURNS trigger LANGUAGE plpgsql
                     AS $$ BEGIN RAISE EXCEPTION 'planted'; END $$;
                 CREATE TRIGGER no_answers BEFORE UPDATE ON idempotency_keys FOR EACH ROW
                     WHEN (NEW.answer IS NOT NULL) EXECUTE FUNCTION no_answers()"
            }
            (false, false) => "DROP TRIGGER no_answers",
            (false, true) => "DROP TRIGGER no_answers ON idempotency_keys",
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_was_given_back_before_a_crash_is_shown_before_a_new_code() {
    let mut stack = Stack::start().await;
    let wire = Wire::tap(&mut stack).await;
    let (payer, first, asking) = paid_behind_a_held_cancellation(&stack, &wire).await;
    // The reversal is stored, and its answer to the payer is not.
    refuse_answers(&stack, true).await;
    wire.release_cancellations();
    let failed = asking.await.unwrap();
    assert_eq!(
        (failed.status, failed.problem().as_str()),
        (500, "internal")
    );
    let stored = "SELECT count(*) FROM operations WHERE outcome = 'reversed'";
    assert_eq!(values::<i64>(&stack, stored).await, [1]);
    refuse_answers(&stack, false).await;
    let told = payer.pay_by_qr("new").await;
    assert_eq!(
        (told.status, told.problem().as_str()),
        (409, "payment-reversed")
    );
    assert_eq!(told.json()["merchant_operation_number"], json!(first));
    assert_ne!(payer.pay_by_qr("newer").await.number(), first);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reversal_that_is_learned_later_is_shown_before_a_new_code() {
    let stack = Stack::start().await;
    let no = Fault::status(500).on("DELETE", "/charges").always();
    let (payer, first) = overdue(&stack, &[no]).await;
    unconfirmed(&payer.pay_by_qr("new").await, &first);
    stack.without_faults().await;
    stack.drive(&first, "pay").await;
    stack.drive(&first, "reverse").await;
    until("the reversal is known", async || {
        let outcome = payer.shown().await["operations"][0]["outcome"].clone();
        payer.status(&first).await;
        outcome == "reversed"
    })
    .await;
    let told = payer.pay_by_qr("new").await;
    assert_eq!(
        (told.status, told.problem().as_str()),
        (409, "payment-reversed")
    );
    assert_eq!(told.json()["merchant_operation_number"], json!(first));
    assert_eq!(payer.pay_by_qr("new").await.refusal(), told.refusal());
    // Once is enough.
    assert_ne!(payer.pay_by_qr("newer").await.number(), first);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_is_listed_and_two_members_of_staff_release_it() {
    let mut stack = Stack::start().await;
    let silent = Fault::drop().on("DELETE", "/charges").always();
    let (payer, first) = overdue(&stack, &[silent]).await;
    let (canceler, second_canceler) = (canceler(&stack).await, second_canceler(&stack).await);
    let path = format!("/operations/{MERCHANT}/{first}/release");
    let release = async |staff: &StaffClient| {
        let body = json!({"reason": "the payer waits at the counter"});
        staff.send(Method::POST, &path, None, Some(&body)).await
    };
    let early = release(&canceler).await;
    assert_eq!(
        (early.status, early.problem().as_str()),
        (409, "not-blocked")
    );

    unconfirmed(&payer.pay_by_qr("new").await, &first);
    assert_eq!(release(&canceler).await.problem(), "not-blocked");
    a_quarter_of_an_hour_passes(&mut stack).await;
    let listed = canceler.exceptions().await;
    assert!(
        listed.contains(&("blocked".to_owned(), first.clone())),
        "{listed:?}"
    );

    let refunder = refunder(&stack).await;
    assert_eq!(release(&refunder).await.problem(), "permission-required");
    let asked = release(&canceler).await;
    assert_eq!(
        (asked.status, asked.json()["released"].clone()),
        (202, json!(false))
    );
    assert_eq!(release(&canceler).await.problem(), "second-person-required");
    unconfirmed(&payer.pay_by_qr("new").await, &first);
    let released = release(&second_canceler).await;
    assert_eq!(
        (released.status, released.json()["released"].clone()),
        (200, json!(true))
    );
    assert!(
        !canceler
            .exceptions()
            .await
            .contains(&("blocked".to_owned(), first.clone()))
    );

    let second = payer.pay_by_qr("new").await.number();
    assert_ne!(second, first);
    // The old code stays watched.
    stack.drive(&first, "pay").await;
    until("the payment of the old code", async || {
        payer.status(&first).await.state() == "AUTORIZADO"
    })
    .await;
    let listed = canceler.exceptions().await;
    assert!(
        listed.contains(&("paid_late".to_owned(), first)),
        "{listed:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_released_code_is_withdrawn_once_another_one_has_paid() {
    let mut stack = Stack::start().await;
    let silent = Fault::drop().on("DELETE", "/charges").always();
    let (payer, first) = overdue(&stack, &[silent]).await;
    unconfirmed(&payer.pay_by_qr("new").await, &first);
    a_quarter_of_an_hour_passes(&mut stack).await;
    let path = format!("/operations/{MERCHANT}/{first}/release");
    for staff in [canceler(&stack).await, second_canceler(&stack).await] {
        let body = json!({"reason": "the payer waits at the counter"});
        staff.send(Method::POST, &path, None, Some(&body)).await;
    }
    stack.without_faults().await;
    let second = payer.pay_by_qr("new").await.number();
    assert_ne!(second, first);
    assert_eq!(stack.state_of(&first).await, "PENDIENTE");
    stack.drive(&second, "pay").await;
    until("withdrawn", async || {
        payer.status(&second).await;
        stack.state_of(&first).await == "CANCELADO"
    })
    .await;
    assert_eq!(stack.state_of(&second).await, "AUTORIZADO");
}
