//! Thousands of requests that are valid or nearly so, from people without rights and from the payer of an order.
//!
//! The part checks that every request is answered without a 5xx, that a refusal is a problem of RFC 9457 or a page, that
//! nobody without a right moves money, that a payer moves the order's own amount, and that the memory stays flat.

mod mutate;
mod raw;

use crate::payer::{MERCHANT, Payer};
use crate::report::{Budget, Part};
use crate::stack::{STAFF_PASSWORD, Stack, VIEWER, block_on};
use anyhow::{Context as _, Result};
use fastrand::Rng;
use mutate::mutate;
use raw::RawRequest;
use reqwest::Method;
use serde_json::{Value, json};

/// The requests of a run, if the time is enough for them.
const REQUESTS: u64 = 10_000;
/// The tenths of all requests that come from people without rights; the others come from the payer of an order.
const WITHOUT_RIGHTS: u64 = 7;
/// How many requests without rights are sent between two checks of the payment service's journal.
const LOOK_EVERY: u64 = 200;
/// More memory than this is a leak.
const MOST_GROWTH_BYTES: u64 = 64 * 1024 * 1024;

/// Sends the requests.
#[must_use]
pub fn run(budget: &Budget) -> Part {
    run_some(budget, REQUESTS)
}

/// Sends at most this many requests. Nothing else may run in the process, whose memory is measured.
#[must_use]
pub fn run_some(budget: &Budget, most: u64) -> Part {
    let tried = "a request from somebody without the right to it, or with mistakes";
    let mut input = Input {
        random: Rng::with_seed(budget.seed),
        part: Part::begin("input", tried, budget),
    };
    if let Err(error) = block_on(input.all(budget, most)) {
        let what = format!("the requests ended early: {error:#}");
        input.part.finds(what, Vec::new());
    }
    input.part
}

struct Input {
    random: Rng,
    part: Part,
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
        let staff = stack.sign_in(VIEWER).await?;
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
        let sign_in = json!({"name": VIEWER, "password": STAFF_PASSWORD});
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
        let mut seen = before.len();
        let mut memory = memory_bytes()?;
        while self.part.times < without_rights && !budget.is_spent() && !self.part.has_enough() {
            let stranger = self.random.usize(..scene.strangers.len());
            let session = scene.strangers[stranger].clone();
            self.one(&scene, session.as_deref()).await?;
            // Until then caches and the allocator's arenas fill.
            if self.part.times == without_rights / 2 {
                memory = memory_bytes()?;
            }
            if self.part.times.is_multiple_of(LOOK_EVERY) {
                let now = accepted(&scene.stack).await?;
                // The server itself asks, and asking is not accepted as a change.
                for entry in now.iter().skip(seen) {
                    self.part.finds(
                        format!(
                            "one of {LOOK_EVERY} requests without a right had an effect: {entry}"
                        ),
                        vec![format!("requests up to number {}", self.part.times)],
                    );
                }
                seen = now.len();
            }
        }
        let session = scene.waiting.cookie.clone();
        while self.part.times < most && !budget.is_spent() && !self.part.has_enough() {
            self.one(&scene, Some(&session)).await?;
        }
        let amount = before.first().map(|entry| entry["amount"].clone());
        for entry in accepted(&scene.stack).await? {
            let is_charge = entry["method"] == "POST" && entry["path"] == "/charges";
            if is_charge && Some(&entry["amount"]) != amount.as_ref() {
                self.part.finds(
                    format!("another amount than the order's: {entry}"),
                    Vec::new(),
                );
            }
            if entry["path"]
                .as_str()
                .is_some_and(|path| path.starts_with("/refund"))
            {
                self.part
                    .finds(format!("a payer refunded: {entry}"), Vec::new());
            }
        }
        let growth = memory_bytes()?.saturating_sub(memory);
        if growth > MOST_GROWTH_BYTES {
            self.part
                .finds(format!("the memory grew by {growth} bytes"), Vec::new());
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
        // A valid request of the wrong person is what a missing check of rights would let pass.
        if self.random.u8(0..4) > 0 {
            mutate(&mut request, &mut self.random);
        }
        self.part.times += 1;
        match request.send(scene.stack.authority()).await {
            Err(error) => self.part.finds(format!("{error:#}"), request.lines()),
            Ok(Some(answer)) if answer.status >= 500 => {
                self.part
                    .finds(format!("the answer was {}", answer.status), request.lines());
            }
            Ok(Some(answer)) if is_odd(&answer, &request) => {
                let (status, kind) = (answer.status, answer.content_type);
                self.part.finds(
                    format!("{status} is no problem but {kind:?}"),
                    request.lines(),
                );
            }
            Ok(_) => {}
        }
        Ok(())
    }
}

/// True for a refusal of the API that is no problem of RFC 9457.
fn is_odd(answer: &raw::RawAnswer, request: &RawRequest) -> bool {
    // The head was refused before it was read, or no answer to this method has a body.
    let apart = matches!(answer.status, 400 | 414 | 431) && answer.content_type.is_empty()
        || request.method.eq_ignore_ascii_case("head");
    let is_page =
        request.path.starts_with("/api/pay") && answer.content_type.starts_with("text/html");
    let is_problem = answer.content_type == "application/problem+json";
    (400..500).contains(&answer.status) && !apart && !is_page && !is_problem
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
