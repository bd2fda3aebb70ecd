//! Status requests with the tag of the payer's last answer.

use crate::support::fault::Fault;
use crate::support::payer::{Answer, Payer};
use crate::support::sales::waiting_qr;
use crate::support::stack::Stack;
use crate::support::wait::until;
use std::time::{Duration, Instant};

/// How long a request is held.
const LONGEST: Duration = Duration::from_millis(300);

/// A status request that may be held, with a tag.
async fn held(payer: &Payer, number: &str, tag: &str) -> Answer {
    let headers = [("prefer", "wait=20"), ("if-none-match", tag)];
    payer.status_of(number, "-", &headers).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_that_changed_between_two_held_requests_is_answered_at_once() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    let first = payer.status(&number).await;
    assert_eq!(first.state(), "PENDIENTE");
    stack
        .with_fault(Fault::unknown_state("NUEVO").on("GET", "/charges").always())
        .await;
    until("changed, and told to somebody else", async || {
        payer.status(&number).await.state() == "NUEVO"
    })
    .await;
    let start = Instant::now();
    let answer = held(&payer, &number, first.header("etag")).await;
    assert_eq!(answer.state(), "NUEVO");
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
    // It was not held, since otherwise the payer's next look would count as one after a pause.
    assert_eq!(answer.header("preference-applied"), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_known_comes_without_its_body() {
    let stack = Stack::start_with(|config| config.timing.longest_poll = LONGEST).await;
    let (payer, number) = waiting_qr(&stack).await;
    let first = payer.status(&number).await;
    let tag = first.header("etag");
    let plain = payer
        .status_of(&number, "-", &[("if-none-match", tag)])
        .await;
    let start = Instant::now();
    let waited = held(&payer, &number, tag).await;
    assert!(start.elapsed() >= LONGEST, "{:?}", start.elapsed());
    for (answer, applied) in [(&plain, ""), (&waited, "wait")] {
        assert_eq!((answer.status, answer.text.as_str()), (304, ""));
        assert_eq!(answer.header("etag"), tag);
        assert_eq!(answer.header("preference-applied"), applied);
        assert!(!answer.header("date").is_empty());
        let mut varies = answer.headers.get_all("vary").iter();
        assert!(varies.any(|vary| vary == "prefer"));
    }

    // The same state in another body ends no wait, but is sent when the time is over.
    let told = tag.split('.').next().unwrap();
    let start = Instant::now();
    let answer = held(&payer, &number, &format!("{told}.another\"")).await;
    assert!(start.elapsed() >= LONGEST, "{:?}", start.elapsed());
    assert_eq!(answer.state(), "PENDIENTE");
    assert_eq!(answer.header("etag"), tag);

    stack.drive(&number, "pay").await;
    until("paid", async || {
        let answer = held(&payer, &number, tag).await;
        answer.status == 200 && answer.state() == "AUTORIZADO"
    })
    .await;
}
