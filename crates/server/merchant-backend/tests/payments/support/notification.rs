//! Notifications of the payment service that a test brings itself.

use crate::support::fault::Fault;
use crate::support::payer::Payer;
use crate::support::stack::Stack;
use reqwest::Method;

/// The path of an operation's callback URL.
pub(crate) async fn callback(stack: &Stack, number: &str) -> String {
    let operation = stack
        .control(Method::GET, &format!("/sandbox/operations/{number}"), None)
        .await;
    let text = operation.to_string();
    let start = text
        .find("/notifications/")
        .expect("no callback URL in the sandbox's view");
    text[start..].chars().take_while(|c| *c != '"').collect()
}

/// Notifies the server of this browser, and waits for its answer.
pub(crate) async fn notify(stack: &Stack, server: &Payer, number: &str) {
    let path = callback(stack, number).await;
    let answer = server.send(Method::POST, &path, &[], "{}").await;
    assert_eq!(answer.status, 204);
}

/// The service loses all of its own notifications, and has these faults besides.
pub(crate) async fn lose_all(stack: &Stack, faults: &[Fault]) {
    let lost = Fault::lose_notification().always();
    let all = std::iter::once(lost).chain(faults.iter().cloned());
    stack.with_faults(all).await;
}
