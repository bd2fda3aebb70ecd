//! `merchant-backend event send`: a signed sample for a receiver that is being written.

use crate::support::event_receiver::{Receiver, Reply};
use crate::support::program::command_beside;
use crate::support::stack::{EVENTS_SECRET, Stack};
use serde_json::Value;
use std::process::Output;

async fn send(stack: &Stack, to: &str, kind: &str) -> Output {
    let mut command = command_beside(stack);
    command
        .args(["event", "send", "--to", to, "--type", kind])
        .env("EVENTS_SECRET", EVENTS_SECRET)
        .envs(stack.events_url.iter().map(|url| ("EVENTS_URL", url)));
    let run = tokio::task::spawn_blocking(move || command.output().unwrap());
    run.await.unwrap()
}

fn said(output: &Output) -> String {
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sample_is_signed_and_can_be_told_from_a_payment() {
    let receiver = Receiver::start().await;
    let stack = Stack::start().await;
    for kind in ["order.paid", "refund.rejected"] {
        let output = send(&stack, &receiver.url(), kind).await;
        assert!(output.status.success(), "{output:?}");
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        // The receiver keeps only what is signed right.
        let delivered = receiver.deliveries().pop().unwrap().event();
        assert_eq!(printed, delivered);
        assert_eq!(delivered["type"], kind);
        assert!(
            delivered["data"]["order_id"]
                .as_str()
                .unwrap()
                .starts_with("sample-")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sample_never_goes_to_the_receiver_of_the_settings() {
    let receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    let text = said(&send(&stack, &receiver.url(), "order.paid").await);
    assert!(
        text.contains("would take the sample for a payment"),
        "{text}"
    );
    assert_eq!(receiver.deliveries().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sample_that_is_refused_or_unknown_is_said() {
    let receiver = Receiver::start().await;
    let stack = Stack::start().await;
    receiver.reply(&[Reply::Status(401)]);
    let text = said(&send(&stack, &receiver.url(), "order.paid").await);
    assert!(text.contains("the answer was 401"), "{text}");
    let text = said(&send(&stack, &receiver.url(), "order.lost").await);
    assert!(
        text.contains("give one of order.paid, order.paid_late"),
        "{text}"
    );
}
