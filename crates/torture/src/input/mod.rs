//! Thousands of requests that are nearly valid, from people without rights and from the payer of an order.
//!
//! The server never fails: every answer comes, is no 5xx, and a refusal under the API is a problem of RFC 9457.
//! Nobody without a right moves money, a payer moves the order's own amount, and the memory stays flat.

mod mutate;
mod raw;

use crate::report::{Budget, Finding, Part};
use crate::stack::{MERCHANT, Payer, STAFF, STAFF_PASSWORD, Stack};
use anyhow::{Context as _, Result};
use fastrand::Rng;
use mutate::mutate;
use raw::RawRequest;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Instant;

/// The requests of a run, if the time is enough for them.
const REQUESTS: u64 = 10_000;
/// Of ten requests so many come from people without rights.
const WITHOUT_RIGHTS: u64 = 7;
/// After so many requests the journal of the payment service is read.
const LOOK_EVERY: u64 = 200;
/// More memory than this is a leak.
const MOST_GROWTH_BYTES: u64 = 64 * 1024 * 1024;
/// After this many findings a run ends.
const MOST_FINDINGS: usize = 20;

/// Sends the requests.
#[must_use]
pub fn run(budget: &Budget) -> Part {
    run_times(budget, REQUESTS)
}

#[allow(
    clippy::expect_used,
    reason = "without a runtime no part of the run can begin"
)]
fn run_times(budget: &Budget, most: u64) -> Part {
    let begun = Instant::now();
    let mut input = Input {
        again: format!("cargo xtask torture --only input --seed {}", budget.seed),
        random: Rng::with_seed(budget.seed),
        sent: 0,
        found: Vec::new(),
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    if let Err(error) = runtime.block_on(input.all(budget, most)) {
        input.finds(format!("the run ended early: {error:#}"), Vec::new());
    }
    Part {
        name: "input",
        tried: "a request with one to three mistakes".to_owned(),
        times: input.sent,
        took: begun.elapsed(),
        skipped: Vec::new(),
        found: input.found,
    }
}

struct Input {
    again: String,
    random: Rng,
    sent: u64,
    found: Vec<Finding>,
}

/// What the requests are about: an order with a code, and an order that is paid.
struct Scene {
    stack: Stack,
    waiting: Payer,
    waiting_number: String,
    paid_number: String,
    callback: String,
    /// Sessions without a right to these orders: none, another payer's, and a member of staff who may only look.
    strangers: [Option<String>; 3],
}

impl Scene {
    async fn set() -> Result<Self> {
        let stack = Stack::start().await?;
        let (waiting, paying) = (stack.payer().await?, stack.payer().await?);
        let waiting_number = waiting.pay_by_qr("waiting").await?;
        let paid_number = paying.pay_by_qr("paid").await?;
        let path = format!("/sandbox/operations/{paid_number}/pay");
        stack.control(Method::POST, &path).await?;
        let callback = stack.callback(&waiting_number).await?;
        let (_, callback) = callback.split_once("/api").context("another address")?;
        let stranger = stack.payer().await?.cookie;
        let staff = stack.sign_in(STAFF).await?;
        Ok(Self {
            callback: callback.to_owned(),
            stack,
            waiting,
            waiting_number,
            paid_number,
            strangers: [None, Some(stranger), Some(staff)],
        })
    }

    /// Valid requests to every address, if their senders had the right.
    fn templates(&self) -> Vec<(&'static str, String, Option<Value>)> {
        let order = &self.waiting.order_id;
        let own = format!("{MERCHANT}/{}", self.waiting_number);
        let paid = format!("{MERCHANT}/{}", self.paid_number);
        let reason = json!({"reason": "as the payer asked"});
        let qr = json!({"method_name": "QR", "method_details": {}});
        let item = json!({"type": "PARTIAL", "merchant_operation_number": self.paid_number, "refund_amount": "100"});
        let refund = json!({"merchant_code": MERCHANT, "operations": [item]});
        let resolved = json!({"merchant_code": MERCHANT, "merchant_operation_number": self.paid_number,
            "kind": "doubt", "reason": "looked at"});
        let returned = json!({"merchant_code": MERCHANT, "merchant_operation_number": self.paid_number,
            "amount": 100, "reason": "by transfer"});
        let new_order = json!({"order_id": "o-1", "amount": "100", "currency": "PEN"});
        let shop_refund = json!({"order_id": order, "amount": "100", "reason": "returned"});
        let sign_in = json!({"name": STAFF, "password": STAFF_PASSWORD});
        let cart =
            json!({"items": [{"sku": "cafe-250", "quantity": 2}], "customer": {"first_name": "A"}});
        vec![
            (
                "POST",
                "/charges".to_owned(),
                Some(json!({"order_id": order, "payment_method": qr})),
            ),
            (
                "POST",
                "/charges/live".to_owned(),
                Some(json!({"order_id": order})),
            ),
            ("GET", format!("/charges/{own}/-"), None),
            ("GET", format!("/charges/{paid}/-"), None),
            ("DELETE", format!("/charges/{own}"), None),
            ("DELETE", format!("/charges/{paid}"), None),
            ("POST", self.callback.clone(), Some(json!({}))),
            ("POST", "/orders".to_owned(), Some(cart)),
            ("GET", format!("/orders/{order}"), None),
            ("GET", "/catalog".to_owned(), None),
            ("GET", "/healthz".to_owned(), None),
            ("GET", "/readyz".to_owned(), None),
            ("POST", "/staff/session".to_owned(), Some(sign_in)),
            ("GET", "/staff/session".to_owned(), None),
            ("GET", "/staff/operations?state=paid".to_owned(), None),
            ("GET", "/staff/operations.csv".to_owned(), None),
            ("GET", format!("/staff/operations/{paid}"), None),
            (
                "POST",
                format!("/staff/operations/{own}/release"),
                Some(reason.clone()),
            ),
            ("GET", "/staff/exceptions".to_owned(), None),
            ("GET", "/staff/deliveries".to_owned(), None),
            (
                "POST",
                "/staff/exceptions/resolve".to_owned(),
                Some(resolved),
            ),
            ("GET", format!("/staff/charges/{paid}/-"), None),
            (
                "DELETE",
                format!("/staff/charges/{paid}?intent=reverse"),
                None,
            ),
            (
                "DELETE",
                format!("/staff/charges/{own}?intent=cancel"),
                None,
            ),
            ("POST", "/staff/refund".to_owned(), Some(refund)),
            ("GET", format!("/staff/refund/{paid}"), None),
            (
                "POST",
                "/staff/refund-attempts/1/release".to_owned(),
                Some(reason.clone()),
            ),
            ("POST", "/staff/returns".to_owned(), Some(returned)),
            (
                "POST",
                "/staff/returns/1/done".to_owned(),
                Some(reason.clone()),
            ),
            (
                "POST",
                "/staff/returns/1/given-up".to_owned(),
                Some(reason.clone()),
            ),
            (
                "POST",
                "/staff/reversals/1/release".to_owned(),
                Some(reason),
            ),
            ("GET", "/shop/events?after=0".to_owned(), None),
            ("GET", "/shop/events/1/deliveries".to_owned(), None),
            ("POST", "/shop/events/1/resend".to_owned(), Some(json!({}))),
            ("GET", "/shop/orders".to_owned(), None),
            ("POST", "/shop/orders".to_owned(), Some(new_order)),
            ("GET", format!("/shop/orders/{order}"), None),
            (
                "POST",
                format!("/shop/orders/{order}/cancel"),
                Some(json!({})),
            ),
            (
                "POST",
                format!("/shop/orders/{order}/link"),
                Some(json!({})),
            ),
            ("POST", "/shop/refunds".to_owned(), Some(shop_refund)),
            ("GET", "/shop/refunds/1".to_owned(), None),
            ("GET", "/pay/AAAAAAAAAAAAAAAAAAAAAA".to_owned(), None),
            (
                "POST",
                "/pay/AAAAAAAAAAAAAAAAAAAAAA".to_owned(),
                Some(json!("act=pay&method=QR")),
            ),
        ]
    }
}

impl Input {
    async fn all(&mut self, budget: &Budget, most: u64) -> Result<()> {
        let scene = Scene::set().await?;
        let without_rights = most * WITHOUT_RIGHTS / 10;
        let before = accepted(&scene.stack).await?;
        let mut memory = memory_bytes()?;
        while self.sent < without_rights && !budget.is_spent() && self.found.len() < MOST_FINDINGS {
            let stranger = self.random.usize(..scene.strangers.len());
            let session = scene.strangers[stranger].clone();
            self.one(&scene, session.as_deref()).await?;
            // Until then caches and the allocator's arenas fill.
            if self.sent == without_rights / 2 {
                memory = memory_bytes()?;
            }
            if self.sent.is_multiple_of(LOOK_EVERY) {
                let now = accepted(&scene.stack).await?;
                // The server itself asks, and asking is not accepted as a change.
                for entry in now.iter().skip(before.len()) {
                    self.finds(
                        format!(
                            "one of {LOOK_EVERY} requests without a right had an effect: {entry}"
                        ),
                        vec![format!("requests up to number {}", self.sent)],
                    );
                }
            }
        }
        let session = scene.waiting.cookie.clone();
        while self.sent < most && !budget.is_spent() && self.found.len() < MOST_FINDINGS {
            self.one(&scene, Some(&session)).await?;
        }
        let amount = before.first().map(|entry| entry["amount"].clone());
        for entry in accepted(&scene.stack).await? {
            let is_charge = entry["method"] == "POST" && entry["path"] == "/charges";
            if is_charge && Some(&entry["amount"]) != amount.as_ref() {
                self.finds(
                    format!("another amount than the order's: {entry}"),
                    Vec::new(),
                );
            }
            if entry["path"]
                .as_str()
                .is_some_and(|path| path.starts_with("/refund"))
            {
                self.finds(format!("a payer refunded: {entry}"), Vec::new());
            }
        }
        let growth = memory_bytes()?.saturating_sub(memory);
        if growth > MOST_GROWTH_BYTES {
            self.finds(format!("the memory grew by {growth} bytes"), Vec::new());
        }
        scene.stack.stop().await;
        Ok(())
    }

    /// Sends a valid request with mistakes.
    async fn one(&mut self, scene: &Scene, session: Option<&str>) -> Result<()> {
        let templates = scene.templates();
        let (method, path, body) = &templates[self.random.usize(..templates.len())];
        let mut headers = Vec::new();
        if let Some(session) = session {
            headers.push(("cookie".to_owned(), session.to_owned()));
        }
        if body.is_some() {
            headers.push(("content-type".to_owned(), "application/json".to_owned()));
        }
        if *method == "POST" {
            let key = format!("\"k{}\"", self.random.u8(..));
            headers.push(("idempotency-key".to_owned(), key));
        }
        let mut request = RawRequest {
            method: (*method).to_owned(),
            path: format!("/api{path}"),
            headers,
            body: body
                .as_ref()
                .map(Value::to_string)
                .unwrap_or_default()
                .into_bytes(),
        };
        mutate(&mut request, &mut self.random);
        self.sent += 1;
        match request.send(scene.stack.authority()).await {
            Err(error) => self.finds(format!("{error:#}"), request.lines()),
            Ok(Some(answer)) if answer.status >= 500 => {
                self.finds(format!("the answer was {}", answer.status), request.lines());
            }
            Ok(Some(answer)) if is_odd(&answer, &request) => {
                let (status, kind) = (answer.status, answer.content_type);
                self.finds(
                    format!("{status} is no problem but {kind:?}"),
                    request.lines(),
                );
            }
            Ok(_) => {}
        }
        Ok(())
    }

    fn finds(&mut self, what: String, story: Vec<String>) {
        let again = self.again.clone();
        self.found.push(Finding { what, again, story });
    }
}

/// True for a refusal of the API that is no problem of RFC 9457.
fn is_odd(answer: &raw::RawAnswer, request: &RawRequest) -> bool {
    // The head was refused before it was read, no answer to this method has a body, or the address is a page's.
    let apart = matches!(answer.status, 400 | 414 | 431) && answer.content_type.is_empty()
        || request.method.eq_ignore_ascii_case("head")
        || request.path.starts_with("/api/pay");
    (400..500).contains(&answer.status)
        && !apart
        && answer.content_type != "application/problem+json"
}

/// The requests that changed something at the payment service, apart from what the run itself did there.
async fn accepted(stack: &Stack) -> Result<Vec<Value>> {
    let mut entries = stack.journal().await?;
    entries.retain(|entry| {
        let own = entry["path"]
            .as_str()
            .is_some_and(|path| path.starts_with("/sandbox"));
        entry["accepted"] == true && !own
    });
    Ok(entries)
}

/// The memory of this process that is in use.
fn memory_bytes() -> Result<u64> {
    const PAGE_BYTES: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm")?;
    let pages = text.split(' ').nth(1).context("no resident pages")?;
    Ok(pages.parse::<u64>()? * PAGE_BYTES)
}

#[cfg(test)]
mod tests {
    use super::run_times;
    use crate::report::{Budget, print};
    use std::time::Duration;

    #[test]
    fn no_mistake_in_a_request_makes_the_server_fail_or_move_money() {
        let part = run_times(&Budget::new(7, Duration::from_mins(5)), 1_500);
        assert!(
            part.found.is_empty(),
            "{}",
            print(std::slice::from_ref(&part))
        );
        assert_eq!(part.times, 1_500);
    }
}
