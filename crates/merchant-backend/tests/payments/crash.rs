//! The real program, killed without a warning.

use crate::clerk::{Clerk, PaidByQr, attempt, paid_by_qr, part, refusals, settled};
use crate::payer::Payer;
use crate::program::{HEADING, demo_shop};
use crate::stack::{MERCHANT, Stack, TOKEN};
use crate::waiting::until;
use serde_json::json;
use std::process::{Child, Command, Stdio};

struct Program {
    child: Child,
    base: String,
}

impl Program {
    async fn start(stack: &Stack, port: u16) -> Self {
        Self::start_on(stack, port, "crash.db").await
    }

    async fn start_on(stack: &Stack, port: u16, database: &str) -> Self {
        let base = format!("http://127.0.0.1:{port}/api");
        let child = demo_shop()
            .env("BACKEND_LISTEN", format!("127.0.0.1:{port}"))
            .env("PUBLIC_URL", &base)
            .env("DATABASE", stack.directory.path().join(database))
            .env("STAFF_FILE", stack.directory.path().join("staff.toml"))
            .env("PAYMENT_URL", &stack.sandbox)
            .env("PAYMENT_TOKEN", TOKEN)
            .env("MERCHANT_CODE", MERCHANT)
            .env("COOKIE_KEY", "0123456789abcdef0123456789abcdef")
            // Nobody listens there: a proxy would read the token, so none may be used over http.
            .env("HTTP_PROXY", "http://127.0.0.1:9")
            .stdout(Stdio::from(log(stack)))
            .spawn()
            .unwrap();
        let ready = format!("{base}/readyz");
        until("the program answers", async || {
            stack.client.get(&ready).send().await.ok().map(|_| ())
        })
        .await;
        Self { child, base }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn log(stack: &Stack) -> std::fs::File {
    let path = stack.directory.path().join("log");
    std::fs::File::options()
        .create(true)
        .append(true)
        .open(path)
        .unwrap()
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_accepted_and_answered_it_knows_and_settles_the_operation() {
    let stack = Stack::start().await;
    let port = free_port();
    let program = Program::start(&stack, port).await;
    let payer = Payer::order(&stack.client, &program.base).await;
    stack
        .faults(json!([{"kind": "delay", "method": "POST", "path": "/charges", "when": "after", "ms": 60_000}]))
        .await;
    let lost = tokio::spawn({
        let payer = payer.clone();
        async move { payer.pay_by_qr("k").await }
    });
    until("accepted", async || {
        (!stack.seen("POST").await.is_empty()).then_some(())
    })
    .await;
    drop(program);
    assert!(lost.await.is_err());

    let _program = Program::start(&stack, port).await;
    // The key is not stuck: its repetition goes on with a fresh number.
    let number = payer.pay_by_qr("k").await.number();
    let first = stack.seen("POST").await[0]["merchant_operation_number"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_ne!(number, first);
    let known = payer.shown().await["operations"][0].clone();
    assert_eq!(known["merchant_operation_number"], json!(first));
    until("settled", async || {
        let operations = payer.shown().await["operations"].clone();
        (operations[0]["state"] == "CANCELADO" && operations[1]["state"] == "PENDIENTE")
            .then_some(())
    })
    .await;
    assert_eq!(stack.state_of(&first).await, "CANCELADO");

    let log = std::fs::read_to_string(stack.directory.path().join("log")).unwrap();
    assert!(
        log.lines()
            .filter(|line| !HEADING.contains(line))
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
async fn killed_while_it_settles_a_doubt_it_goes_on_after_the_restart() {
    let stack = Stack::start().await;
    let port = free_port();
    let program = Program::start(&stack, port).await;
    let payer = Payer::order(&stack.client, &program.base).await;
    stack
        .faults(json!([
            {"kind": "drop", "method": "POST", "path": "/charges", "when": "after"},
            {"kind": "delay", "method": "DELETE", "path": "/charges", "when": "before", "ms": 60_000},
        ]))
        .await;
    payer.pay_by_qr("k").await.number();
    until("being settled", async || {
        let faults = stack
            .control(reqwest::Method::GET, "/sandbox/faults", None)
            .await;
        (!faults.to_string().contains("delay")).then_some(())
    })
    .await;
    drop(program);
    let _program = Program::start(&stack, port).await;
    until("settled", async || {
        (payer.shown().await["operations"][0]["state"] == "CANCELADO").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_program_has_finished_and_ends_well() {
    let stack = Stack::start().await;
    let mut program = Program::start(&stack, free_port()).await;
    let payer = Payer::order(&stack.client, &program.base).await;
    let number = payer.pay_by_qr("k").await.number();
    let held = tokio::spawn({
        let payer = payer.clone();
        async move {
            payer
                .status_of(&number, "-", &[("prefer", "wait=20")])
                .await
        }
    });
    until("held", async || {
        (!stack.seen("GET").await.is_empty()).then_some(())
    })
    .await;
    let id = program.child.id().to_string();
    assert!(Command::new("kill").arg(id).status().unwrap().success());
    assert_eq!(held.await.unwrap().state(), "PENDIENTE");
    let status = until("the end", async || program.child.try_wait().unwrap()).await;
    assert!(status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_it_refunds_it_finds_the_refund_and_sends_it_no_second_time() {
    let mut stack = Stack::start().await;
    let sale = settled(&stack).await;
    stack.stop().await;
    let port = free_port();
    let program = Program::start_on(&stack, port, "merchant.db").await;
    let ana = Clerk::sign_in_at(&stack, &program.base, "ana").await;
    stack
        .faults(json!([{"kind": "delay", "method": "POST", "path": "/refund", "when": "after", "ms": 60_000}]))
        .await;
    let items = [part(&sale.number, 100)];
    let lost = tokio::spawn({
        let (ana, items) = (ana.clone(), items.clone());
        async move { ana.refund("k", &items).await }
    });
    until("accepted", async || {
        (!stack.seen_at("POST", "/refund").await.is_empty()).then_some(())
    })
    .await;
    drop(program);
    assert!(lost.await.is_err());

    let _program = Program::start_on(&stack, port, "merchant.db").await;
    let answer = ana.refund("k", &items).await;
    assert_eq!(attempt(&answer)["state"], "registered", "{}", answer.text);
    let rest = sale.amount - 100;
    let more = ana.refund("l", &[part(&sale.number, rest + 1)]).await;
    assert_eq!(refusals(&more)[0].2, Some(rest));
    assert_eq!(stack.seen_at("POST", "/refund").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_it_reverses_nothing_else_is_given_back_until_the_end_is_known() {
    let mut stack = Stack::start().await;
    let PaidByQr { number, amount, .. } = paid_by_qr(&stack).await;
    stack.stop().await;
    let port = free_port();
    let program = Program::start_on(&stack, port, "merchant.db").await;
    let ana = Clerk::sign_in_at(&stack, &program.base, "ana").await;
    let rosa = Clerk::sign_in_at(&stack, &program.base, "rosa").await;
    stack
        .faults(json!([{"kind": "delay", "method": "DELETE", "path": "/charges", "when": "after", "ms": 60_000}]))
        .await;
    let lost = tokio::spawn({
        let (rosa, number) = (rosa.clone(), number.clone());
        async move { rosa.cancel(&number, "reverse").await }
    });
    until("carried out", async || {
        (stack.state_of(&number).await == "CANCELADO").then_some(())
    })
    .await;
    drop(program);
    assert!(lost.await.is_err());
    let _program = Program::start_on(&stack, port, "merchant.db").await;
    // It knows of the payment, and not of its end.
    let refused = ana.give_back("k", &number, amount).await;
    assert_eq!(refused.problem(), "return-refused", "{}", refused.text);
    until("the end is known", async || {
        let reversal = rosa.reversal(&number).await;
        (reversal["state"] == "done").then_some(())
    })
    .await;
    assert_eq!(stack.seen("DELETE").await.len(), 1);
    assert_eq!(
        ana.give_back("l", &number, amount).await.json()["reason"],
        "not_paid"
    );
}
