//! The server's wall clock is set back by ten minutes. The tests cannot set it, so they move all
//! stored instants ahead instead.

use crate::support::database::{edit, is_server, tamper, values};
use crate::support::event_receiver::Receiver;
use crate::support::fault::Fault;
use crate::support::sales::{paid_by_qr, waiting_qr};
use crate::support::stack::Stack;
use crate::support::wait::until;

/// Moves every stored instant ten minutes ahead.
async fn set_back(stack: &Stack) {
    edit(stack, |_, document| {
        let members = document["operation"].as_object_mut().unwrap();
        for (name, value) in members {
            if let (true, Some(millis)) = (name.ends_with("_at"), value.as_i64()) {
                *value = (millis + 600_000).into();
            }
        }
    })
    .await;
    for table in ["operations", "refund_watches", "events", "deliveries"] {
        let columns = if is_server() {
            format!(
                "SELECT CAST(column_name AS text) FROM information_schema.columns
                 WHERE table_name = '{table}' AND column_name LIKE '%\\_at'"
            )
        } else {
            format!(
                "SELECT name FROM pragma_table_info('{table}')
                 WHERE name LIKE '%\\_at' ESCAPE '\\'"
            )
        };
        let columns: Vec<String> = values(stack, &columns).await;
        let moved: Vec<String> = columns
            .iter()
            .map(|column| format!("{column} = {column} + 600000"))
            .collect();
        let sql = format!("UPDATE {table} SET {}", moved.join(", "));
        tamper(stack, &sql).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn payments_are_noticed_though_the_clock_was_set_back() {
    let stack = Stack::start().await;
    stack.with_fault(Fault::lose_notification().always()).await;
    let (payer, number) = waiting_qr(&stack).await;
    until("looked at", async || !stack.seen("GET").await.is_empty()).await;
    set_back(&stack).await;
    stack.drive(&number, "pay").await;
    payer.until_paid().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_delivered_though_the_clock_was_set_back() {
    let mut receiver = Receiver::start().await;
    let stack = Stack::start_telling(&receiver.url()).await;
    receiver.down().await;
    paid_by_qr(&stack).await;
    // It fails a few times, so its pause grows.
    until("failed", async || failures(&stack).await >= 3).await;
    set_back(&stack).await;
    receiver.up().await;
    until("told", async || receiver.types() == ["order.paid"]).await;
}

async fn failures(stack: &Stack) -> i64 {
    let failures = values(stack, "SELECT coalesce(max(failures), 0) FROM deliveries");
    failures.await[0]
}
