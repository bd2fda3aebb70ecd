//! What really happened, as the payment service and the shop saw it, and what may never happen at any moment.

use crate::shared::lock;
use axum::body::Bytes;
use axum::http::{Method, Request, StatusCode};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// A request that the payment service got.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    /// When the server sent it.
    pub(super) left: Duration,
    pub(super) method: Method,
    pub(super) path: String,
    /// The operation of a new charge or of a cancellation.
    pub(super) number: Option<String>,
    /// The order of a new charge: the shop names it in the products.
    pub(super) order_id: Option<String>,
    /// The cents of a new charge or of a refund.
    pub(super) cents: Option<u64>,
    pub(super) status: Option<StatusCode>,
    /// A cancellation ended an operation that was paid.
    pub(super) gave_back: bool,
}

impl Sent {
    pub(super) fn read(request: &Request<Bytes>, left: Duration) -> Self {
        let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        let path = request.uri().path().to_owned();
        let in_path = path
            .rsplit('/')
            .next()
            .filter(|_| request.method() == Method::DELETE);
        let in_body = |value: &Value| value.as_str().map(str::to_owned);
        let details = &body["payment_details"];
        let refund = &body["operations"][0];
        let cents = [&details["amount"], &refund["refund_amount"]];
        let number = [
            &body["merchant_operation_number"],
            &refund["merchant_operation_number"],
        ];
        Self {
            left,
            method: request.method().clone(),
            number: in_path
                .map(str::to_owned)
                .or_else(|| number.into_iter().find_map(in_body)),
            order_id: in_body(&details["product_details"][0]["sku"]),
            cents: cents
                .into_iter()
                .find_map(|cents| cents.as_str()?.parse().ok()),
            status: None,
            gave_back: false,
            path,
        }
    }

    pub(super) fn is_charge(&self) -> bool {
        self.method == Method::POST && self.path == "/charges"
    }

    pub(super) fn is_refund(&self) -> bool {
        self.method == Method::POST && self.path == "/refund"
    }

    pub(super) fn is_cancellation(&self) -> bool {
        self.method == Method::DELETE
    }

    pub(super) fn is_accepted(&self) -> bool {
        self.status.is_some_and(|status| status.is_success())
    }
}

/// An event that the shop took.
#[derive(Debug, Clone)]
pub(super) struct Told {
    /// When the server wrote it, or when the shop took it if that was earlier.
    pub(super) at: Duration,
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) number: String,
}

/// What a payer read of an operation.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) from: Duration,
    pub(super) until: Duration,
    pub(super) number: String,
    pub(super) state: String,
}

/// What really happened. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Truth(Arc<Mutex<Facts>>);

#[derive(Debug, Default)]
struct Facts {
    sent: Vec<Sent>,
    told: Vec<Told>,
    looks: Vec<Look>,
    /// What the shop said that an order costs, and when.
    accounts: Vec<(String, u64, Duration)>,
    /// The orders that the shop closed, and when it read that the server confirmed it.
    closed: Vec<(String, Duration)>,
    /// The operations that the service made, while the server got a refusal.
    denied: BTreeSet<String>,
    /// The operations of which the server took a notification.
    reported: BTreeSet<String>,
    /// A backup took the place of the database.
    is_restored: bool,
    /// Something is being read only: nothing may begin.
    only_read: u32,
    broken: Vec<String>,
}

impl Truth {
    fn facts(&self) -> MutexGuard<'_, Facts> {
        lock(&self.0)
    }

    /// Notes a request that the service gets now, and returns its number.
    pub(super) fn sends(&self, sent: Sent) -> usize {
        let mut facts = self.facts();
        if sent.is_charge() {
            let broken = facts.of_charge(&sent);
            facts.broken.extend(broken);
        }
        facts.sent.push(sent);
        facts.sent.len() - 1
    }

    pub(super) fn is_answered(&self, number: usize, status: StatusCode, body: &Bytes) {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let operation = &body["operation"];
        let lifecycle = operation["transactions"][0]["lifecycle"].as_array();
        let was_paid = lifecycle.is_some_and(|all| {
            let mut states = all.iter().filter_map(|entry| entry["state"].as_str());
            states.any(|state| matches!(state, "AUTORIZADO" | "LIQUIDADO"))
        });
        let is_over = operation["state"] == "CANCELADO";
        let mut facts = self.facts();
        if let Some(sent) = facts.sent.get_mut(number) {
            sent.status = Some(status);
            sent.gave_back = sent.is_cancellation() && was_paid && is_over;
        }
    }

    pub(super) fn says(&self, order_id: &str, cents: u64, at: Duration) {
        self.facts().accounts.push((order_id.to_owned(), cents, at));
    }

    pub(super) fn is_told(&self, told: Told) {
        self.facts().told.push(told);
    }

    pub(super) fn is_restored(&self) {
        let mut facts = self.facts();
        facts.is_restored = true;
        // The backup may lack what was reported.
        facts.reported.clear();
    }

    pub(super) fn denies(&self, sent: &Sent) {
        let number = sent.number.clone().filter(|_| sent.is_charge());
        self.facts().denied.extend(number);
    }

    /// Notes a notification that the server took.
    pub(super) fn reports(&self, notification: &Bytes) {
        let body: Value = serde_json::from_slice(notification).unwrap_or_default();
        let number = body["merchant_operation_number"].as_str();
        self.facts().reported.extend(number.map(str::to_owned));
    }

    /// True if the server cannot know that the service made this operation: it got a refusal, and no notification.
    pub(super) fn is_hidden(&self, number: &str) -> bool {
        let facts = self.facts();
        facts.denied.contains(number) && !facts.reported.contains(number)
    }

    pub(super) fn closes(&self, order_id: &str, at: Duration) {
        self.facts().closed.push((order_id.to_owned(), at));
    }

    /// Notes what a payer read: no payment is forgotten, and none comes back.
    pub(super) fn looks(&self, look: Look) {
        let mut facts = self.facts();
        let worse = facts.looks.iter().find(|earlier| {
            earlier.number == look.number
                && earlier.until < look.from
                && is_worse(&earlier.state, &look.state)
        });
        if let Some(earlier) = worse {
            let what = format!(
                "a payer read {} of {}, and {} afterwards",
                earlier.state, look.number, look.state
            );
            facts.broken.push(what);
        }
        facts.looks.push(look);
    }

    /// Marks the time in which somebody only reads.
    pub(super) fn reads(&self, begins: bool) {
        let mut facts = self.facts();
        facts.only_read = if begins {
            facts.only_read + 1
        } else {
            facts.only_read.saturating_sub(1)
        };
    }

    pub(super) fn sent(&self) -> Vec<Sent> {
        self.facts().sent.clone()
    }

    pub(super) fn told(&self) -> Vec<Told> {
        self.facts().told.clone()
    }

    /// What was broken at some moment.
    pub(super) fn broken(&self) -> Vec<String> {
        self.facts().broken.clone()
    }

    pub(super) fn breaks(&self, what: String) {
        self.facts().broken.push(what);
    }
}

impl Facts {
    fn of_charge(&self, sent: &Sent) -> Vec<String> {
        let mut broken = Vec::new();
        let number = sent.number.as_deref().unwrap_or("-");
        let mut charges = self.sent.iter().filter(|earlier| earlier.is_charge());
        if charges.any(|earlier| earlier.number == sent.number) {
            broken.push(format!("{number} was sent twice"));
        }
        let order_id = sent.order_id.as_deref().unwrap_or("-");
        let mut accounts = self.accounts.iter().rev();
        // What the shop says after a request has left cannot be in it, however late it arrives.
        let account = accounts.find(|(order, _, at)| order == order_id && *at <= sent.left);
        // After the first attempt to pay the amount stays.
        let mut charges = self.sent.iter().filter(|earlier| earlier.is_charge());
        let first = charges.find(|earlier| earlier.order_id == sent.order_id);
        let expected = match first {
            Some(first) => first.cents,
            None => account.map(|(_, cents, _)| *cents),
        };
        if expected != sent.cents && !self.is_restored {
            broken.push(format!(
                "{number}: another amount than the shop said last of {order_id}"
            ));
        }
        // A backup lacks what the shop closed since, as the documentation says. A request that had left by then may arrive
        // later: the server cancels what it makes.
        let mut closed = self.closed.iter();
        if closed.any(|(closed, at)| closed == order_id && *at <= sent.left) && !self.is_restored {
            broken.push(format!("{number} begins after the shop closed {order_id}"));
        }
        if self.only_read > 0 {
            broken.push(format!("{number} begins while somebody only looks"));
        }
        broken
    }
}

/// True if the later state cannot follow the earlier one: a payment is not forgotten, and what was given back is not paid
/// again.
fn is_worse(earlier: &str, later: &str) -> bool {
    let waits = |state| matches!(state, "PENDIENTE" | "REGISTRADO");
    let is_paid = |state| matches!(state, "AUTORIZADO" | "LIQUIDADO");
    match earlier {
        "EXTORNADO" => waits(later) || is_paid(later),
        paid if is_paid(paid) => waits(later) || matches!(later, "EXPIRADO" | "DENEGADO"),
        waiting => !waits(waiting) && waits(later),
    }
}
