//! Holds the payment service's journal against those who sent requests: no effect without an owner.

use super::people::People;
use super::scene::Scene;
use crate::request::Request;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};

/// For how many further requests a request that cancels may still take effect: the server ends some codes in
/// the background.
const REMEMBERED: usize = 20;

/// What the payment service did so far.
#[derive(Debug, Default)]
pub(super) struct Effects {
    /// The scene of each operation.
    operations: HashMap<String, usize>,
    /// The cents that were given back of each operation.
    given_back: HashMap<String, u64>,
    /// The texts of the last requests that could cancel.
    cancelling: VecDeque<String>,
    /// How many operations were begun, cancelled and refunded.
    pub(super) count: [u64; 3],
}

impl Effects {
    /// Notes a request before it is sent.
    pub(super) fn expect(&mut self, request: &Request) {
        let mut headers = request.headers.iter();
        // A whole payment that is not settled yet is refunded by a reversal.
        let cancels = request.method == "DELETE"
            || request.path.contains("cancel")
            || request.path.contains("/shop/refunds")
            || headers.any(|(name, _)| name == "checkout-replaces")
            || String::from_utf8_lossy(&request.body).contains("replaces=");
        let text = cancels.then(|| request.text());
        self.cancelling.push_back(text.unwrap_or_default());
        if self.cancelling.len() > REMEMBERED {
            self.cancelling.pop_front();
        }
    }

    /// What is wrong with an entry of the journal that came with this request; `None` for a good one.
    pub(super) fn judge(
        &mut self,
        entry: &Value,
        request: &Request,
        scenes: &[Scene],
        people: &People,
    ) -> Option<String> {
        let field = |name: &str| entry[name].as_str().unwrap_or_default();
        let (path, number) = (field("path"), field("merchant_operation_number"));
        if entry["accepted"] != true || path.starts_with("/sandbox") {
            return None;
        }
        let text = request.text();
        let wrong = match field("method") {
            "POST" if path.starts_with("/charges") => {
                self.count[0] += 1;
                let amount = cents(&entry["amount"]);
                let is_own =
                    |scene: &Scene| Some(scene.amount) == amount && scene.may_be_paid_by(&text);
                if let Some(at) = scenes.iter().rposition(is_own) {
                    self.operations.insert(number.to_owned(), at);
                    return None;
                }
                "an operation was begun without a right to an order of its amount".to_owned()
            }
            "DELETE" => {
                self.count[1] += 1;
                let at = self.operations.get(number).copied();
                let Some(scene) = at.and_then(|at| scenes.get(at)) else {
                    return Some("an operation was cancelled that nobody began".to_owned());
                };
                let own = self.operations.values().filter(|own| Some(**own) == at);
                let may = |text: &String| {
                    let is_named = text.contains(number) || text.contains(&scene.order_id);
                    (is_named && people.may_give_back(text))
                        || (!scene.is_paid() && scene.may_be_paid_by(text))
                };
                // An order with two codes loses one of them unasked.
                if (own.count() > 1 && !scene.is_paid()) || self.cancelling.iter().any(may) {
                    return None;
                }
                let what = if scene.is_paid() {
                    "a payment was reversed"
                } else {
                    "a code was cancelled"
                };
                format!("{what} by somebody who has no right to that")
            }
            _ if path.starts_with("/refund") => {
                self.count[2] += 1;
                if people.may_give_back(&text) {
                    return self.too_much(entry, scenes);
                }
                "money was refunded without a sign-in or a key that may".to_owned()
            }
            other => format!("the payment service accepted an unknown act {other} {path}"),
        };
        Some(wrong)
    }

    fn too_much(&mut self, entry: &Value, scenes: &[Scene]) -> Option<String> {
        for refund in entry["refunds"].as_array().into_iter().flatten() {
            let number = refund["merchant_operation_number"]
                .as_str()
                .unwrap_or_default();
            let sum = self.given_back.entry(number.to_owned()).or_default();
            *sum += cents(&refund["amount"]).unwrap_or(u64::MAX / 2);
            let paid = self.operations.get(number).and_then(|at| scenes.get(*at));
            if paid.is_none_or(|scene| *sum > scene.amount) {
                return Some(format!("{sum} cents were given back, more than was paid"));
            }
        }
        None
    }
}

/// An amount, which a program of the shop may write as a number.
pub(super) fn cents(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}
