//! What holds after every story, once its trouble is over.

use super::people::{Payer, Staff};
use super::rows::{OperationRow, Rows};
use super::scene::Scene;
use crate::service::Operation;
use anyhow::Result;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// How long the promises must hold before they count as kept.
const CALM: Duration = Duration::from_millis(1200);

/// Holds everything against the promises, again and again until all are kept, and notes those that are not kept
/// within the bound.
pub(super) async fn check(scene: &Scene, payers: &[Payer]) -> Result<()> {
    scene.step("everything comes to its end").await?;
    scene.mishap_ends().await?;
    let begun = Instant::now();
    let mut kept_since = None;
    loop {
        let broken = match look(scene, payers).await {
            Ok(broken) => broken,
            Err(error) => vec![format!("the server does not tell its state: {error:#}")],
        };
        if broken.is_empty() {
            if kept_since.get_or_insert_with(Instant::now).elapsed() > CALM {
                return Ok(());
            }
        } else {
            kept_since = None;
            if begun.elapsed() > scene.bound() {
                for promise in broken {
                    scene.log.broken(promise);
                }
                return Ok(());
            }
        }
        sleep(Duration::from_millis(400)).await;
    }
}

/// The promises that are broken now.
async fn look(scene: &Scene, payers: &[Payer]) -> Result<Vec<String>> {
    let mut orders = Vec::new();
    for payer in payers {
        orders.push((payer.order_id.as_str(), payer.reads_state(scene).await?));
    }
    let accepted = scene.service.operations().await?;
    let journal = scene.service.journal(0).await?;
    let rows = Rows::read(&scene.database).await?;
    let mut broken = Vec::new();
    operations(&accepted, &rows, &mut broken);
    requests(&accepted, &journal, &rows, &mut broken);
    for (order_id, state) in orders {
        paid(order_id, &state, &accepted, &journal, &rows, &mut broken);
        told(scene, order_id, &rows, &mut broken);
    }
    events(scene, &mut broken);
    doubts(scene, &rows, &mut broken).await?;
    Ok(broken)
}

/// Each operation of the service has a row, and an order one that can be paid.
fn operations(accepted: &[Operation], rows: &Rows, broken: &mut Vec<String>) {
    let mut payable: HashMap<&str, Vec<&str>> = HashMap::new();
    for operation in accepted {
        let number = operation.number.as_str();
        let Some(row) = rows.operations.iter().find(|row| row.number == number) else {
            broken.push(format!("the service has {number}, and the server does not"));
            continue;
        };
        if operation.is_waiting() {
            payable.entry(&row.order_id).or_default().push(number);
        }
    }
    let mut live: HashMap<&str, Vec<&str>> = HashMap::new();
    for row in rows.operations.iter().filter(|row| row.is_live) {
        live.entry(&row.order_id).or_default().push(&row.number);
    }
    for (what, found) in [("payable at the service", payable), ("live", live)] {
        for (order, numbers) in found {
            if numbers.len() > 1 {
                broken.push(format!("order {order} has several {what}: {numbers:?}"));
            }
        }
    }
}

/// Each number was sent once, each refund too, and no more was refunded than was paid.
fn requests(accepted: &[Operation], journal: &[Value], rows: &Rows, broken: &mut Vec<String>) {
    let mut posts: HashMap<&str, usize> = HashMap::new();
    let mut refunds: HashMap<&str, (usize, u64)> = HashMap::new();
    for entry in journal {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
        let number = text("merchant_operation_number");
        if (text("method"), text("path")) == ("POST", "/charges") {
            *posts.entry(number).or_default() += 1;
        }
        for refund in entry
            .get("refunds")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let text = |name: &str| refund.get(name).and_then(Value::as_str).unwrap_or_default();
            let (count, sum) = refunds
                .entry(text("merchant_operation_number"))
                .or_default();
            *count += 1;
            *sum += text("amount").parse::<u64>().unwrap_or(u64::MAX / 4);
        }
    }
    for (number, times) in posts {
        if times > 1 {
            broken.push(format!("the operation {number} was sent {times} times"));
        }
    }
    for (number, (count, sum)) in refunds {
        let paid = accepted.iter().find(|operation| operation.number == number);
        if sum > paid.map_or(0, |operation| operation.amount_cents) {
            broken.push(format!(
                "{sum} cents of {number} were refunded, more than paid"
            ));
        }
        let attempts = rows.givings.iter();
        let attempts = attempts.filter(|row| row.is_refund && row.has_left && row.number == number);
        let attempts = attempts.count();
        if count > attempts {
            broken.push(format!(
                "{count} refunds of {number} by {attempts} attempts"
            ));
        }
    }
}

/// Paid at the service is paid in the server's answer, and the other way round.
fn paid(
    order_id: &str,
    state: &str,
    accepted: &[Operation],
    journal: &[Value],
    rows: &Rows,
    broken: &mut Vec<String>,
) {
    let own: HashSet<&str> = numbers_of(order_id, &rows.operations).collect();
    let own_accepted = || {
        accepted
            .iter()
            .filter(|operation| own.contains(operation.number.as_str()))
    };
    let at_service = own_accepted()
        .filter(|operation| operation.is_paid())
        .count();
    if at_service > 1 {
        broken.push(format!(
            "order {order_id} is paid {at_service} times at the service"
        ));
    }
    // What was given back was paid once.
    let ever = own_accepted().any(|operation| {
        let path = format!("/sandbox/operations/{}/pay", operation.number);
        journal.iter().any(|entry| {
            entry.get("path").and_then(Value::as_str) == Some(&path)
                && entry.get("accepted") == Some(&Value::Bool(true))
        })
    });
    if at_service > 0 && state != "paid" {
        broken.push(format!(
            "order {order_id} is paid at the service, and its payer reads {state:?}"
        ));
    }
    if state == "paid" && !ever {
        broken.push(format!(
            "the payer of {order_id} reads paid, and the service has no payment"
        ));
    }
    let stored = rows.operations.iter();
    let stored = stored
        .filter(|row| row.order_id == order_id)
        .any(|row| row.order_is_paid);
    if stored != (state == "paid") {
        broken.push(format!(
            "the payer of {order_id} reads {state:?}, and paid is stored as {stored}"
        ));
    }
}

fn numbers_of<'a>(order_id: &'a str, rows: &'a [OperationRow]) -> impl Iterator<Item = &'a str> {
    let own = rows.iter().filter(move |row| row.order_id == order_id);
    own.map(|row| row.number.as_str())
}

/// An event has one id and one body however often it is sent.
fn events(scene: &Scene, broken: &mut Vec<String>) {
    let mut bodies: HashMap<String, String> = HashMap::new();
    let mut ids: HashMap<(String, String), HashSet<String>> = HashMap::new();
    for delivery in scene.receiver.deliveries() {
        let event = delivery.event();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (kind, order) = (text(&event["type"]), text(&event["data"]["order_id"]));
        // Each refund has an event of its own.
        if kind.starts_with("order.") {
            let ids = ids.entry((kind, order)).or_default();
            ids.insert(delivery.id.clone());
        }
        let first = bodies.entry(delivery.id.clone());
        let first = first.or_insert_with(|| delivery.body.clone());
        if *first != delivery.body {
            broken.push(format!("the event {} came with two bodies", delivery.id));
        }
    }
    for ((kind, order), ids) in ids {
        if ids.len() > 1 {
            broken.push(format!("{kind} of {order} came under {} ids", ids.len()));
        }
    }
}

/// The shop took an event of each payment.
fn told(scene: &Scene, order_id: &str, rows: &Rows, broken: &mut Vec<String>) {
    let deliveries = scene.receiver.deliveries();
    let is_told = deliveries.iter().any(|delivery| {
        let event = delivery.event();
        let is_own = event["type"] == "order.paid" && event["data"]["order_id"] == order_id;
        delivery.is_taken && is_own
    });
    let mut own = rows.operations.iter();
    let is_paid = own.any(|row| row.order_id == order_id && row.order_is_paid);
    if is_paid && !is_told {
        broken.push(format!("nobody told the shop that {order_id} is paid"));
    }
}

/// What is in doubt is on the staff's list.
async fn doubts(scene: &Scene, rows: &Rows, broken: &mut Vec<String>) -> Result<()> {
    let operations = rows.operations.iter();
    let operations = operations.map(|row| (&row.number, &row.phase));
    let givings = rows.givings.iter().map(|row| (&row.number, &row.state));
    let open: Vec<_> = operations
        .chain(givings)
        .filter(|(_, state)| matches!(state.as_str(), "sending" | "in_doubt"))
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    let mut staff = Staff::signs_in(scene).await?;
    let listed = staff.exceptions().await?;
    for (number, state) in open {
        if state == "sending" || !listed.contains(number) {
            broken.push(format!(
                "{number} stays {state} and is not on the list of exceptions"
            ));
        }
    }
    Ok(())
}
