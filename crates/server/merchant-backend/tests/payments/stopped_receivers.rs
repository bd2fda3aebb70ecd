//! A receiver that answers 410 is stopped until somebody resumes it.

use crate::event_receivers::entry;
use crate::support::event_receiver::{Receiver, Reply};
use crate::support::program::{Program, command_beside, free_port, merchant_backend};
use crate::support::roles::refunder;
use crate::support::sales::{PaidByQr, paid_by_qr};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::wait::{until, until_some};
use staff_model::ExceptionKind;
use std::fs::File;
use std::process::{Output, Stdio};

const ERP_SECRET: &str = "canary-erp-0123456789abcdef01234567";

async fn resume(stack: &Stack, receiver: &str) -> Output {
    let mut command = command_beside(stack);
    command.args(["event", "resume", "--receiver", receiver]);
    let run = tokio::task::spawn_blocking(move || command.output().unwrap());
    run.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_gone_is_stopped_and_gets_each_kept_event_once_when_it_is_resumed() {
    let shop = Receiver::start().await;
    let erp = Receiver::with_secret(ERP_SECRET).await;
    erp.reply(&[Reply::Status(410)]);
    let file = entry("erp", &erp, ERP_SECRET, "");
    let mut stack = Stack::start_telling_all(Some(&shop.url()), Some(&file)).await;
    let staff = refunder(&stack).await;
    let first = paid_by_qr(&stack).await;
    let listed = [("event_refused".to_owned(), first.number.clone())];
    until("the exception", async || staff.exceptions().await == listed).await;
    let detail = staff.detail_of(ExceptionKind::EventRefused, &first.number);
    let detail = detail.await.unwrap();
    assert!(detail.contains("the receiver erp answered 410"), "{detail}");

    // Its queue grows, also over a restart, and the other receiver gets everything.
    stack.stop().await;
    stack.run().await;
    let staff = refunder(&stack).await;
    let second = paid_by_qr(&stack).await;
    for PaidByQr { number, .. } in [&first, &second] {
        stack.drive(number, "reverse").await;
        staff.get(&format!("/charges/{MERCHANT}/{number}/-")).await;
    }
    until("the other one", async || shop.types().len() == 4).await;
    assert_eq!(erp.deliveries().len(), 1);
    assert_eq!(staff.exceptions().await, listed);

    let wrong = resume(&stack, "epr").await;
    assert!(!wrong.status.success());
    let said = String::from_utf8(wrong.stderr).unwrap();
    assert!(said.contains("the receivers are default, erp"), "{said}");
    let done = resume(&stack, "erp").await;
    assert!(done.status.success(), "{done:?}");
    until("all that was kept", async || erp.types().len() >= 4).await;
    // Each once, and those of an order in sequence.
    assert_eq!(erp.deliveries().len(), 5);
    for sale in [&first, &second] {
        let deliveries = erp.deliveries();
        let own = deliveries
            .iter()
            .filter(|delivery| delivery.answered == 204);
        let own = own.map(|delivery| delivery.told());
        let own = own.filter(|told| told.1 == sale.payer.order_id);
        let types: Vec<_> = own.map(|told| told.0).collect();
        assert_eq!(types, ["order.paid", "order.reversed"]);
    }
    assert!(staff.exceptions().await.is_empty());
    let again = resume(&stack, "erp").await;
    let said = String::from_utf8(again.stdout).unwrap();
    assert!(said.contains("was not stopped"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_has_each_delivery_alerts_of_a_stopped_receiver_and_holds_no_secret() {
    let erp = Receiver::with_secret(ERP_SECRET).await;
    erp.reply(&[Reply::Status(410)]);
    let mut stack = Stack::start().await;
    let mut payer = stack.payer().await;
    stack.stop().await;
    let receivers = stack.directory.path().join("receivers.toml");
    std::fs::write(&receivers, entry("erp", &erp, ERP_SECRET, "")).unwrap();
    let path = stack.directory.path().join("log-of-receivers");
    let mut command = merchant_backend();
    command
        .env("EVENT_RECEIVERS_FILE", &receivers)
        .env("RUST_LOG", "trace")
        .stdout(Stdio::from(File::create(&path).unwrap()));
    let program = Program::start_by(&stack, free_port(), command).await;
    payer.base.clone_from(&program.base);
    stack
        .drive(&payer.pay_by_qr("k").await.number(), "pay")
        .await;
    let log = until_some("the alert", async || {
        let log = std::fs::read_to_string(&path).unwrap();
        log.contains("answered 410 and was stopped").then_some(log)
    })
    .await;
    let lines = log.lines().filter(|line| line.contains("was stopped"));
    let lines: Vec<_> = lines.collect();
    assert_eq!(lines.len(), 1);
    for told in ["\"alert\":true", "\"receiver\":\"erp\"", "evt_"] {
        assert!(lines[0].contains(told), "{}", lines[0]);
    }
    let mut tried = log
        .lines()
        .filter(|line| line.contains("an event was not delivered"));
    let tried = tried.next().unwrap();
    for told in [
        "the answer was 410",
        "\"failures\":1",
        "duration_ms",
        "evt_",
        "order.paid",
        "erp",
    ] {
        assert!(tried.contains(told), "{tried}");
    }
    assert!(!log.contains("canary-erp"), "a secret is in the log");
    assert!(
        !log.contains(erp.url().as_str()),
        "an address is in the log"
    );
}
