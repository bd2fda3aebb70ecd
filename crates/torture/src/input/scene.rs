//! An order with its payment as far as it is, and the facts with which requests name both.

use crate::payer::MERCHANT;
use crate::request::{decoded, value_of};
use crate::stack::{APPRENTICE, STAFF_PASSWORD};
use serde_json::{Value, json};
use std::collections::BTreeMap;

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

impl Stage {
    /// What a scene begins with; a code that can still be paid or cancelled comes more often.
    pub(super) const DRAWN: [Self; 6] = [
        Self::New,
        Self::Waiting,
        Self::Waiting,
        Self::Paid,
        Self::Settled,
        Self::GivenBack,
    ];
}

#[derive(Debug)]
pub(super) struct Scene {
    pub(super) order_id: String,
    pub(super) amount: u64,
    pub(super) cookie: String,
    /// What the words in `<…>` of a request stand for.
    pub(super) facts: BTreeMap<&'static str, String>,
    /// How far the payment was when the scene was set up.
    pub(super) stage: Stage,
    /// The payer pays by instalments, which the service refunds; it refunds nothing else.
    pub(super) installments: bool,
}

impl Scene {
    /// An order of this id, which the server does not know yet, also in the form that the shop signed.
    pub(super) fn new(order_id: &str, amount: u64, signed: &str) -> Self {
        let mut scene = Self {
            order_id: order_id.to_owned(),
            amount,
            cookie: String::new(),
            facts: BTreeMap::new(),
            stage: Stage::New,
            installments: false,
        };
        scene.note("order_id", order_id);
        scene.note("merchant_code", MERCHANT);
        scene.note("amount", &amount.to_string());
        scene.note("signed", signed);
        scene.note("apprentice", APPRENTICE);
        scene.note("password", STAFF_PASSWORD);
        // Until they are known they are names of nothing.
        for name in [
            "merchant_operation_number",
            "transaction_id",
            "handle",
            "token",
            "checkout_token",
            "cursor",
            "event_cursor",
            "order_cursor",
            "event_id",
            "attempt_id",
            "return_id",
            "reversal_id",
            "refund_id",
        ] {
            scene.note(name, "none");
        }
        scene
    }

    pub(super) fn note(&mut self, name: &'static str, value: &str) {
        self.facts.insert(name, value.to_owned());
    }

    pub(super) fn fact(&self, name: &str) -> &str {
        self.facts.get(name).map_or("", String::as_str)
    }

    /// Notes the handle at the end of the address of the order's page.
    pub(super) fn note_page(&mut self, url: &Value) {
        let url = url.as_str().unwrap_or_default();
        if let Some((_, handle)) = url.rsplit_once('/') {
            self.note("handle", handle);
        }
    }

    /// Notes what the payment service knows of the operation: the addresses that the server gave to it.
    pub(super) fn note_operation(&mut self, view: &str) {
        for (name, mark) in [
            ("token", "/notifications/"),
            ("checkout_token", "checkout="),
        ] {
            if let Some((_, rest)) = view.split_once(mark) {
                let end = rest.find(['"', '&', '#']).unwrap_or(rest.len());
                let value = decoded(rest.get(..end).unwrap_or_default());
                self.note(name, &value);
            }
        }
    }

    /// True when the payment is known to be paid. Only staff and the shop may give it back.
    pub(super) fn is_paid(&self) -> bool {
        self.stage >= Stage::Paid
    }

    /// The text with the facts of this scene.
    pub(super) fn filled(&self, text: &str, key: &str) -> String {
        let mut filled = text.replace("<key>", key);
        for (name, value) in &self.facts {
            filled = filled.replace(&format!("<{name}>"), value);
        }
        filled
    }

    /// True when a request proves that its sender may pay this order, and cancel its code.
    pub(super) fn may_be_paid_by(&self, text: &str) -> bool {
        let secrets = [
            value_of(&self.cookie),
            self.fact("handle"),
            self.fact("signed"),
        ];
        let mut known = secrets.into_iter().filter(|secret| secret.len() > 8);
        known.any(|secret| text.contains(secret))
    }

    /// The facts of an order that a program of the shop gives.
    pub(super) fn given(&self) -> Value {
        json!({"order_id": self.order_id, "amount": self.amount, "currency": "PEN"})
    }
}

#[cfg(test)]
mod tests {
    use super::Scene;
    use serde_json::json;

    #[test]
    fn the_words_of_a_request_become_facts() {
        let mut scene = Scene::new("A-1", 500, "");
        scene.note_page(&json!("http://shop/api/pay/0123456789"));
        assert_eq!(
            scene.filled("/pay/<handle>?<key>", "k"),
            "/pay/0123456789?k"
        );
        assert!(scene.may_be_paid_by("GET /pay/0123456789"));
        assert!(!scene.may_be_paid_by("GET /orders/A-1"));
    }

    #[test]
    fn the_tokens_are_read_from_the_addresses_at_the_service() {
        let mut scene = Scene::new("A-1", 500, "");
        scene.note_operation(
            r#"{"a": "http://x/notifications/T1", "b": "https://y/?checkout=a.b%2Ec#d"}"#,
        );
        assert_eq!(scene.fact("token"), "T1");
        assert_eq!(scene.fact("checkout_token"), "a.b.c");
    }
}
