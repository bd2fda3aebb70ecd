//! Kills the real program without a warning.

use crate::support::accounts::{CANCELER, REFUNDER};
use crate::support::database::{let_its_time_pass, nothing_is_under_way};
use crate::support::fault::Fault;
use crate::support::program::{Program, free_port};
use crate::support::sales::{PaidByQr, paid_by_qr, settled_installments};
use crate::support::stack::{Stack, TOKEN};
use crate::support::staff_client::{StaffClient, attempt, part, refusal};
use crate::support::wait::{until, until_some};
use staff_model::{AttemptState, ReversalState};
use std::process::Command;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_between_accepted_and_answered_knows_and_settles_the_operation() {
    let mut stack = Stack::start().await;
    let port = free_port();
    let (program, payer) = Program::after_an_order(&mut stack, port).await;
    stack
        .with_fault(Fault::delay(60_000).on("POST", "/charges").after())
        .await;
    let lost = tokio::spawn({
        let payer = payer.clone();
        async move { payer.pay_by_qr("k").await }
    });
    until("accepted", async || !stack.seen("POST").await.is_empty()).await;
    drop(program);
    let_its_time_pass(&stack).await;
    assert!(lost.await.is_err());

    let _program = Program::start(&stack, port).await;
    // The key is free: its repetition goes on with a fresh number.
    let number = payer.pay_by_qr("k").await.number();
    let first = stack.seen("POST").await[0]["merchant_operation_number"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_ne!(number, first);
    until("settled", async || {
        let told = payer.status_of(&first, "-", &[]).await;
        told.status == 200 && told.state() == "CANCELADO"
    })
    .await;
    let told = payer.status_of(&number, "-", &[]).await;
    assert_eq!(told.state(), "PENDIENTE");
    assert_eq!(stack.state_of(&first).await, "CANCELADO");

    let log = std::fs::read_to_string(stack.directory.path().join("log")).unwrap();
    assert!(
        log.lines()
            .all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok())
    );
    for secret in [
        TOKEN,
        "Canary",
        "canary@example.com",
        payer.order_id.as_str(),
        payer.cookie.as_str(),
    ] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_while_it_settles_a_doubt_goes_on_after_the_restart() {
    let mut stack = Stack::start().await;
    let port = free_port();
    let (program, payer) = Program::after_an_order(&mut stack, port).await;
    stack
        .with_faults([
            Fault::drop().on("POST", "/charges").after(),
            Fault::delay(60_000).on("DELETE", "/charges"),
        ])
        .await;
    payer.pay_by_qr("k").await.number();
    until("being settled", async || {
        let faults = stack
            .control(reqwest::Method::GET, "/sandbox/faults", None)
            .await;
        !faults.to_string().contains("delay")
    })
    .await;
    drop(program);
    let_its_time_pass(&stack).await;
    let _program = Program::start(&stack, port).await;
    let first = stack.seen("POST").await[0]["merchant_operation_number"].clone();
    until("settled", async || {
        let told = payer.status_of(first.as_str().unwrap(), "-", &[]).await;
        told.status == 200 && told.state() == "CANCELADO"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_program_has_finished_and_ends_well() {
    let mut stack = Stack::start().await;
    let (mut program, payer) = Program::after_an_order(&mut stack, free_port()).await;
    let number = payer.pay_by_qr("k").await.number();
    let held = tokio::spawn({
        let payer = payer.clone();
        async move {
            payer
                .status_of(&number, "-", &[("prefer", "wait=20")])
                .await
        }
    });
    until("held", async || !stack.seen("GET").await.is_empty()).await;
    let id = program.child.id().to_string();
    assert!(Command::new("kill").arg(id).status().unwrap().success());
    assert_eq!(held.await.unwrap().state(), "PENDIENTE");
    let status = until_some("the end", async || program.child.try_wait().unwrap()).await;
    assert!(status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_during_a_refund_finds_it_and_sends_it_once() {
    let mut stack = Stack::start().await;
    let sale = settled_installments(&stack).await;
    stack.stop().await;
    let port = free_port();
    let program = Program::start(&stack, port).await;
    let refunder = StaffClient::sign_in_at(&stack, &program.base, REFUNDER).await;
    stack
        .with_fault(Fault::delay(60_000).on("POST", "/refund").after())
        .await;
    let items = [part(&sale.number, 100)];
    let lost = tokio::spawn({
        let (refunder, items) = (refunder.clone(), items.clone());
        async move { refunder.refund("k", &items).await }
    });
    until("accepted", async || {
        !stack.seen_at("POST", "/refund").await.is_empty()
    })
    .await;
    drop(program);
    let_its_time_pass(&stack).await;
    assert!(lost.await.is_err());

    let _program = Program::start(&stack, port).await;
    nothing_is_under_way(&stack).await;
    let answer = refunder.refund("k", &items).await;
    assert_eq!(
        attempt(&answer).state,
        AttemptState::Registered,
        "{}",
        answer.text
    );
    let rest = sale.amount - 100;
    let more = refunder.refund("l", &[part(&sale.number, rest + 1)]).await;
    assert_eq!(refusal(&more).1, Some(rest));
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_while_it_reverses_gives_nothing_else_back_until_the_end_is_known() {
    let mut stack = Stack::start().await;
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    stack.stop().await;
    let port = free_port();
    let program = Program::start(&stack, port).await;
    let refunder = StaffClient::sign_in_at(&stack, &program.base, REFUNDER).await;
    let canceler = StaffClient::sign_in_at(&stack, &program.base, CANCELER).await;
    stack
        .with_fault(Fault::delay(60_000).on("DELETE", "/charges").after())
        .await;
    let lost = tokio::spawn({
        let (canceler, number) = (canceler.clone(), number.clone());
        async move { canceler.cancel(&number, "reverse").await }
    });
    until("carried out", async || {
        stack.state_of(&number).await == "CANCELADO"
    })
    .await;
    drop(program);
    let_its_time_pass(&stack).await;
    assert!(lost.await.is_err());
    let _program = Program::start(&stack, port).await;
    // The server knows of the payment, but not of its end.
    let refused = refunder.give_back("k", &number, amount).await;
    assert_eq!(refused.problem(), "return-refused", "{}", refused.text);
    until("the end is known", async || {
        canceler.reversal_state(&number).await == Some(ReversalState::Done)
    })
    .await;
    assert_eq!(stack.seen("DELETE").await.len(), 1);
    assert_eq!(
        refunder.give_back("l", &number, amount).await.json()["reason"],
        "not_paid"
    );
}
