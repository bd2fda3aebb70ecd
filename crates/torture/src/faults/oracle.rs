//! What holds after every story, once the faults are over.

use super::story::Played;
use crate::payer::MERCHANT;
use crate::service::Operation;
use crate::stack::{CLERK, Stack};
use anyhow::{Context as _, Result};
use payment_model::TransactionState;
use reqwest::Method;
use serde_json::Value;
use staff_model::OperationDetails;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// How long the server may take to learn what became of everything.
const QUIET: Duration = Duration::from_secs(15);

/// The broken promises, after the server had time to put everything right.
pub(super) async fn broken(stack: &Stack, played: &Played) -> Result<Vec<String>> {
    let staff = stack.sign_in(CLERK).await?;
    let begun = Instant::now();
    let mut unknown = unknown(stack, &staff).await?;
    while !unknown.is_empty() && begun.elapsed() < QUIET {
        sleep(Duration::from_millis(100)).await;
        unknown = self::unknown(stack, &staff).await?;
    }
    let mut broken = unknown;
    broken.extend(of_journal(&stack.journal().await?, played));
    let operations = stack.operations().await?;
    let payable = operations
        .iter()
        .filter(|one| one.state == TransactionState::Pending);
    if payable.count() > 1 {
        broken.push("two operations of one order can be paid".to_owned());
    }
    broken.extend(of_events(stack, &operations, &staff).await?);
    Ok(broken)
}

/// The operations of which the server has no row, or another state than the service while staff see no
/// exception.
async fn unknown(stack: &Stack, staff: &str) -> Result<Vec<String>> {
    let mut unknown = Vec::new();
    for Operation { number, state, .. } in stack.operations().await? {
        let Some(details) = details(stack, staff, &number).await? else {
            unknown.push(format!(
                "the server has no row of {number}, which the service accepted"
            ));
            continue;
        };
        let own = details.row.state.clone();
        if own.as_ref() != Some(&state) && details.exceptions.is_empty() {
            let own = own.map_or("no state".to_owned(), |own| own.to_string());
            unknown.push(format!(
                "{number} is {state} at the service and has {own} at the server, and staff see no exception"
            ));
        }
    }
    Ok(unknown)
}

async fn details(stack: &Stack, staff: &str, number: &str) -> Result<Option<OperationDetails>> {
    let path = format!("/staff/operations/{MERCHANT}/{number}");
    let answer = stack
        .as_staff(staff, Method::GET, &path, None, None)
        .await?;
    if answer.status == 404 {
        return Ok(None);
    }
    let read = serde_json::from_str(&answer.text);
    Ok(Some(read.with_context(|| format!("{path}: {answer}"))?))
}

/// The service gets a number once, the order's amount, and no more refunds than staff asked for.
fn of_journal(journal: &[Value], played: &Played) -> Vec<String> {
    let mut broken = Vec::new();
    let mut posts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut refunded = 0;
    for entry in journal {
        if entry["method"] == "POST" && entry["path"] == "/charges" {
            let number = entry["merchant_operation_number"].as_str().unwrap_or("-");
            *posts.entry(number).or_default() += 1;
            if entry["accepted"] == true && entry["amount"] != *played.order_cents {
                broken.push(format!("{number}: another amount than the order's"));
            }
        }
        for refund in entry["refunds"].as_array().into_iter().flatten() {
            let cents = refund["amount"]
                .as_str()
                .and_then(|text| text.parse::<u64>().ok());
            refunded += cents.unwrap_or(u64::MAX / 2);
        }
    }
    let twice = posts
        .iter()
        .filter(|(number, count)| **number != "-" && **count > 1);
    broken.extend(twice.map(|(number, count)| format!("{number} was sent {count} times")));
    if refunded > played.refunds_wanted {
        let wanted = played.refunds_wanted;
        broken.push(format!(
            "{refunded} cents were refunded, and staff asked for {wanted}"
        ));
    }
    broken
}

/// The shop gets one event of each payment that stays, unless staff see an exception.
async fn of_events(stack: &Stack, operations: &[Operation], staff: &str) -> Result<Vec<String>> {
    let mut broken = Vec::new();
    let stays = |one: &&Operation| one.state.is_paid();
    for Operation { number, .. } in operations.iter().filter(stays) {
        let about = |stack: &Stack| {
            let events = stack.events();
            let paid = events.iter().filter(|event| {
                let kind = event["type"].as_str().unwrap_or_default();
                kind.starts_with("order.paid")
                    && event["data"]["merchant_operation_number"] == **number
            });
            paid.count()
        };
        let begun = Instant::now();
        while about(stack) == 0 && begun.elapsed() < QUIET {
            let details = details(stack, staff, number).await?;
            if details.is_some_and(|details| !details.exceptions.is_empty()) {
                break;
            }
            sleep(Duration::from_millis(100)).await;
        }
        let details = details(stack, staff, number).await?;
        let listed = details.is_some_and(|details| !details.exceptions.is_empty());
        match about(stack) {
            0 if !listed => broken.push(format!("{number} is paid, and the shop got no event")),
            many if many > 1 => broken.push(format!("{number}: {many} events of one payment")),
            _ => {}
        }
    }
    Ok(broken)
}
