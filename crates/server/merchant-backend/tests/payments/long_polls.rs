use crate::metrics::{figures, value};
use crate::support::fault::Fault;
use crate::support::payer::Answer;
use crate::support::sales::waiting_qr;
use crate::support::stack::Stack;
use crate::support::wait::{until, until_some};
use std::time::{Duration, Instant};

const WAIT: (&str, &str) = ("prefer", "wait=20");

#[tokio::test(flavor = "multi_thread")]
async fn a_held_request_is_woken_by_the_payment() {
    // Only a wake-up can end the request early.
    let stack =
        Stack::start_with(|config| config.timing.wakeup_poll_interval = Duration::from_secs(60))
            .await;
    let (payer, number) = waiting_qr(&stack).await;
    let start = Instant::now();
    let held = tokio::spawn({
        let (payer, number) = (payer.clone(), number.clone());
        async move { payer.status_of(&number, "-", &[WAIT]).await }
    });
    until("held", async || {
        value(&figures(&stack).await, "payments_held_requests") == 1.0
    })
    .await;
    stack.drive(&number, "pay").await;
    let answer = held.await.unwrap();
    assert_eq!(answer.state(), "AUTORIZADO");
    assert_eq!(answer.header("preference-applied"), "wait");
    assert!(
        answer
            .headers
            .get_all("vary")
            .iter()
            .any(|vary| vary == "prefer")
    );
    assert!(start.elapsed() < Duration::from_secs(15));
    // A result is answered at once, and not marked as held.
    let answer = payer.status_of(&number, "-", &[WAIT]).await;
    assert_eq!(
        (answer.state().as_str(), answer.header("preference-applied")),
        ("AUTORIZADO", "")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_request_ends_when_its_time_is_over() {
    let stack =
        Stack::start_with(|config| config.timing.longest_poll = Duration::from_millis(300)).await;
    let (payer, number) = waiting_qr(&stack).await;
    let answer = payer
        .status_of(&number, "-", &[("prefer", "wait=999999")])
        .await;
    assert_eq!(
        (answer.state().as_str(), answer.header("preference-applied")),
        ("PENDIENTE", "wait")
    );
    for odd in ["wait=-1", "wait=abc", "respond-async"] {
        let answer = payer.status_of(&number, "-", &[("prefer", odd)]).await;
        assert_eq!(
            (answer.state().as_str(), answer.header("preference-applied")),
            ("PENDIENTE", "")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_session_holds_ten_requests_at_most_and_a_shutdown_ends_them() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    let mut held: Vec<_> = (0..11)
        .map(|_| {
            let (payer, number) = (payer.clone(), number.clone());
            tokio::spawn(async move { payer.status_of(&number, "-", &[WAIT]).await })
        })
        .collect();
    let one_too_many = until_some("one is refused", async || {
        held.iter().position(tokio::task::JoinHandle::is_finished)
    })
    .await;
    let refused = held.remove(one_too_many).await.unwrap();
    assert_eq!(
        (refused.status, refused.problem().as_str()),
        (429, "too-many-requests")
    );
    assert!(!refused.header("retry-after").is_empty());
    assert!(!held.iter().any(tokio::task::JoinHandle::is_finished));
    // Without waiting there is an answer, and also for another session.
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");

    let start = Instant::now();
    stack.backend().stop_waiting();
    for request in held {
        assert_eq!(request.await.unwrap().state(), "PENDIENTE");
    }
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
    let ready = payer.send(reqwest::Method::GET, "/readyz", &[], "").await;
    assert_eq!((ready.status, ready.problem().as_str()), (503, "not-ready"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_asks_for_a_backoff_gets_two_queries_a_second_at_most() {
    let refused = || Fault::status(429).on("GET", "/charges");
    for fault in [refused().retry_after(2), refused()] {
        let stack = Stack::start().await;
        let (payer, number) = waiting_qr(&stack).await;
        stack.with_fault(fault).await;
        until("told so", async || {
            payer.status(&number).await.state();
            !stack.seen("GET").await.is_empty()
        })
        .await;
        let start = Instant::now();
        let asked = until_some("asked again", async || {
            assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
            (stack.seen("GET").await.len() > 1).then_some(start.elapsed())
        })
        .await;
        assert!(asked >= Duration::from_millis(400), "{asked:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_down_leaves_the_stored_state() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    stack
        .with_fault(Fault::drop().on("*", "/charges").always())
        .await;
    until("asked in vain", async || {
        !stack.seen("GET").await.is_empty()
    })
    .await;
    assert_eq!(payer.status(&number).await.state(), "PENDIENTE");
    // The answer has its age.
    let age = |answer: &Answer| answer.header("age").parse::<u64>().ok();
    let older = until_some("older", async || {
        age(&payer.status(&number).await).filter(|age| *age >= 2)
    })
    .await;
    assert!(older <= 20, "{older}");
    let held = payer.status_of(&number, "-", &[("prefer", "wait=1")]).await;
    assert!(age(&held).is_some_and(|age| age >= older));
    stack.drive(&number, "pay").await;
    stack.without_faults().await;
    until("paid, and asked for", async || {
        let answer = payer.status(&number).await;
        answer.state() == "AUTORIZADO" && age(&answer).is_none()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_holds_a_quarter_of_the_places_and_all_together_three_quarters() {
    let stack = Stack::start_with(|config| {
        config.most_connections = 8;
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    let mut held = Vec::new();
    let mut ask = async |address: usize| {
        let (payer, number) = waiting_qr(&stack).await;
        let address = format!("203.0.113.{address}");
        let mut asking = tokio::spawn(async move {
            let headers = [WAIT, ("x-forwarded-for", &address)];
            payer.status_of(&number, "-", &headers).await
        });
        match tokio::time::timeout(Duration::from_secs(2), &mut asking).await {
            Ok(answer) => {
                let answer = answer.unwrap();
                assert_eq!(answer.state(), "PENDIENTE");
                assert_eq!(answer.header("preference-applied"), "");
                false
            }
            Err(_) => {
                held.push(asking);
                true
            }
        }
    };
    for (address, is_held) in [
        (1, true),
        (1, true),
        (1, false),
        (2, true),
        (2, true),
        (3, true),
        (4, true),
        (5, false),
    ] {
        assert_eq!(ask(address).await, is_held, "{address}");
    }
    stack.backend().stop_waiting();
    for request in held {
        assert_eq!(request.await.unwrap().header("preference-applied"), "wait");
    }
}
