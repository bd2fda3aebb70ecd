//! An order with its payment as far as it is, and the facts with which requests name both.

use crate::request::{decoded, value_of};
use crate::settings::{APPRENTICE, MERCHANT, ORDERS_SECRET, STAFF_PASSWORD};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fastrand::Rng;
use ring::hmac;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// How an order comes to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The demo's shop registers it for the session of its payer.
    Session,
    /// A program of the shop gives it.
    Given,
    /// The shop signs it.
    Signed,
}

/// How far a payment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(super) enum Stage {
    /// Nobody tried to pay.
    New,
    /// The payer sees a code.
    Waiting,
    /// It is paid, and the server knows that.
    Paid,
    /// The service has settled it.
    Settled,
    /// A part of it was given back.
    GivenBack,
}

/// What a contract cannot tell: the names of things that exist, and secrets. Each has the name of the contract's
/// parameter or field.
#[derive(Debug, Clone)]
pub(super) struct Facts(BTreeMap<&'static str, String>);

/// They name nothing until they are known.
const UNKNOWN_AT_FIRST: [&str; 13] = [
    "merchant_operation_number",
    "transaction_id",
    "pay_link",
    "token",
    "checkout_token",
    "cursor",
    "after",
    "event_id",
    "attempt_id",
    "return_id",
    "reversal_id",
    "refund_id",
    "key",
];

impl Facts {
    pub(super) fn set(&mut self, name: &'static str, value: &str) {
        self.0.insert(name, value.to_owned());
    }

    pub(super) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &String> {
        self.0.values()
    }

    /// The value for a parameter or field of this name; `None` where the contract tells one by itself.
    pub(super) fn drawn(&self, name: &str, random: &mut Rng) -> Option<String> {
        let of = |name: &str| self.0.get(name).cloned();
        match name {
            "Idempotency-Key" => Some(format!("\"{}\"", self.get("key"))),
            "Checkout-Replaces" => Some(format!("\"{}\"", self.get("merchant_operation_number"))),
            "q" if random.bool() => of("order_id"),
            "q" => of("merchant_operation_number"),
            "transaction_id" if random.bool() => Some("-".to_owned()),
            "order_id" if random.u8(..8) == 0 => Some(format!("new-{}", self.get("key"))),
            "amount" if random.u8(..3) > 0 => Some("7".to_owned()),
            "unit_price" | "refund_amount" => of("amount"),
            // The server offers these.
            "method_name" if random.u8(..8) > 0 => {
                let offered = ["QR", "QR", "QR", "INSTALLMENT", "CASHCODE"];
                random.choice(offered).map(str::to_owned)
            }
            // The contract's example has passed.
            "pay_until" => Some("2199-01-01T00:00:00Z".to_owned()),
            name => of(name),
        }
    }

    /// The text with the facts in the places of their names.
    pub(super) fn filled(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        for (name, value) in &self.0 {
            filled = filled.replace(&format!("{{{name}}}"), value);
        }
        filled
    }
}

#[derive(Debug)]
pub(super) struct Scene {
    pub(super) order_id: String,
    pub(super) amount: u64,
    pub(super) cookie: String,
    pub(super) facts: Facts,
    /// How far the payment was when the scene was set up.
    pub(super) stage: Stage,
    /// The payer pays by instalments, which the service refunds; it refunds nothing else.
    pub(super) installments: bool,
}

impl Scene {
    /// An order of this id, which the server of this public address does not know yet, also in the form that the shop
    /// signed.
    pub(super) fn new(public_url: &str, order_id: &str, amount: u64) -> Self {
        let mut facts = Facts(BTreeMap::new());
        for name in UNKNOWN_AT_FIRST {
            facts.set(name, "none");
        }
        facts.set("order_id", order_id);
        facts.set("merchant_code", MERCHANT);
        facts.set("amount", &amount.to_string());
        facts.set("order", &signed(public_url, order_id, amount));
        facts.set("name", APPRENTICE);
        facts.set("password", STAFF_PASSWORD);
        Self {
            order_id: order_id.to_owned(),
            amount,
            cookie: String::new(),
            facts,
            stage: Stage::New,
            installments: false,
        }
    }

    /// Notes the handle at the end of the address of the order's page.
    pub(super) fn note_page(&mut self, url: &Value) {
        let url = url.as_str().unwrap_or_default();
        if let Some((_, handle)) = url.rsplit_once('/') {
            self.facts.set("pay_link", handle);
        }
    }

    /// Notes what the payment service knows of the operation: the addresses that the server gave to it.
    pub(super) fn note_operation(&mut self, view: &str) {
        let marks = [
            ("token", "/notifications/"),
            ("checkout_token", "checkout="),
        ];
        for (name, mark) in marks {
            if let Some((_, rest)) = view.split_once(mark) {
                let value = rest.split(['"', '&', '#']).next().unwrap_or_default();
                self.facts.set(name, &decoded(value));
            }
        }
    }

    /// True when the payment is known to be paid. Only staff and the shop may give it back.
    pub(super) fn is_paid(&self) -> bool {
        self.stage >= Stage::Paid
    }

    /// True when a valid request to this address has an effect on the payment, if it moves money at all.
    pub(super) fn is_moved_by(&self, method: &str, path: &str) -> bool {
        if path.contains("/refund") {
            self.installments && self.stage >= Stage::Settled
        } else if path.contains("/returns") {
            !self.installments && self.is_paid()
        } else if path.contains("/staff/charges") {
            self.stage == Stage::Paid || self.stage == Stage::Waiting
        } else if method == "DELETE" || path.contains("cancel") {
            self.stage == Stage::Waiting
        } else {
            !self.is_paid()
        }
    }

    /// True when a request proves that its sender may pay this order, and cancel its code.
    pub(super) fn may_be_paid_by(&self, text: &str) -> bool {
        let secrets = [
            value_of(&self.cookie),
            self.facts.get("pay_link"),
            self.facts.get("order"),
        ];
        let mut known = secrets.into_iter().filter(|secret| secret.len() > 8);
        known.any(|secret| text.contains(secret))
    }
}

/// An order as a shop signs it for the server of this public address, without the code under test. It is valid for
/// longer than a run.
fn signed(public_url: &str, order_id: &str, amount: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_secs());
    let claims = json!({
        "aud": public_url, "iat": now, "exp": now + 3600,
        "order_id": order_id, "amount": amount, "currency": "PEN",
    });
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let head = part(&json!({"alg": "HS256", "typ": "JWT"}));
    let signed = format!("{head}.{}", part(&claims));
    let key = hmac::Key::new(hmac::HMAC_SHA256, ORDERS_SECRET.as_bytes());
    let tag = hmac::sign(&key, signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(tag))
}
