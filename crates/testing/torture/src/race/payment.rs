//! One payment, about which everybody asks at the same moment.

use crate::answer::Answer;
use crate::calls;
use crate::request::{Request, any_client};
use crate::stack::Stack;
use anyhow::{Context as _, Result, ensure};
use fastrand::Rng;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::{JoinHandle, yield_now};
use tokio::time::sleep;

/// How long the server may hold a question.
pub(super) const HELD: Duration = Duration::from_secs(20);
/// A held question that ends later was not woken by the payment, but by its own end, which is twice as late. The turns to
/// ask are a second apart; the rest is for a machine that runs other tests at the same time.
const SOON: Duration = Duration::from_secs(10);
/// The pages that wait before the payment.
const WAITING: usize = 3;
/// Notifications before the payment: whoever knows the address may send them, and each tempts the server to ask.
const EARLY: usize = 4;
/// The longest pause after each of these, so that the payment comes at any point between two turns to ask.
const LONGEST_PAUSE_MILLIS: u64 = 250;
const PAID: &str = "AUTORIZADO";

/// A race that is over.
pub(super) struct Raced {
    pub(super) order_id: String,
    pub(super) number: String,
    /// How long after the payment the last page learned of it.
    pub(super) longest: Duration,
    pub(super) broken: Vec<String>,
}

/// Lets a payer pay while pages wait, and return, poll and notify in any order directly after it.
pub(super) async fn race(stack: Arc<Stack>, mut random: Rng) -> Result<Raced> {
    let order = stack.send(&calls::order(2)).await?.success()?;
    let order_id = order.field("/order_id");
    let charge = calls::charge(&json!({"order_id": order_id}), "QR", &order_id, None);
    let charge = charge.with_cookie(order.cookie());
    let begun = stack.send(&charge).await?.success()?;
    let number = begun.field("/merchant_operation_number");
    // The server limits how many requests of one address it holds.
    let from = any_client(&mut random);
    let mut status = calls::status(&number).with_cookie(order.cookie());
    status.from = from;
    let prefer = format!("wait={}", HELD.as_secs());
    let waiting = status.clone().with("prefer", &prefer);
    let callback = stack.callback(&number).await?;
    let (_, path) = callback
        .split_once(stack.authority())
        .context("a notification goes elsewhere")?;
    let mut notification = Request::new("POST", path).with_json(&json!({}));
    notification.from = from;

    let mut pages: Vec<_> = (0..WAITING)
        .map(|_| ("waits", send(&stack, &waiting)))
        .collect();
    let mut hints = Vec::new();
    for _ in 0..EARLY {
        hints.push(send(&stack, &notification));
        sleep(Duration::from_millis(random.u64(..LONGEST_PAUSE_MILLIS))).await;
    }
    let is_paid = stack.service.drive(&number, "pay").await?;
    ensure!(is_paid, "a code cannot be paid");
    let paid_at = Instant::now();
    let mut acts = ["returns", "polls", "notifies", "notifies"];
    random.shuffle(&mut acts);
    for act in acts {
        match act {
            "notifies" => hints.push(send(&stack, &notification)),
            _ => pages.push((act, send(&stack, &waiting))),
        }
        for _ in 0..random.u8(..30) {
            yield_now().await;
        }
    }
    // This one gets what is known at once, which may be the state of before.
    let look = stack.send(&status).await?;
    ensure!(look.status == 200, "a question is answered {look}");
    for hint in hints {
        let (answer, _) = hint.await??;
        ensure!(answer.status == 204, "a notification is answered {answer}");
    }
    let mut raced = Raced {
        order_id,
        number,
        longest: Duration::ZERO,
        broken: Vec::new(),
    };
    for (act, page) in pages {
        let (answer, at) = page.await??;
        raced.learn(act, &answer, at.saturating_duration_since(paid_at));
    }
    let last = stack.send(&status).await?;
    raced.learn("looks afterwards", &last, Duration::ZERO);
    Ok(raced)
}

impl Raced {
    /// Notes what a page learned, and how long after the payment.
    fn learn(&mut self, act: &str, answer: &Answer, after: Duration) {
        self.longest = self.longest.max(after);
        let state = answer.json()["operation"]["state"].clone();
        if state != PAID {
            self.broken.push(format!(
                "{}: a page that {act} does not learn of the payment, but gets {answer}",
                self.number
            ));
        } else if after > SOON {
            self.broken.push(format!(
                "{}: a page that {act} learns of the payment {after:?} after it",
                self.number
            ));
        }
    }
}

/// Sends a request in a task of its own; returns the answer and when it came.
fn send(stack: &Arc<Stack>, request: &Request) -> JoinHandle<Result<(Answer, Instant)>> {
    let (stack, request) = (Arc::clone(stack), request.clone());
    tokio::spawn(async move {
        let answer = stack.send(&request).await?;
        Ok((answer, Instant::now()))
    })
}
