//! The shop: it describes its orders and takes events.

use super::machine::WorldTime;
use super::truth::{Told, Truth};
use crate::shared::lock;
use axum::body::Bytes;
use axum::http::{Method, Request, Response, StatusCode};
use payment_rules::timing::read_rfc3339;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// The secret of an order that its page knows.
const ORDER_KEY: &str = "key-of-the-order-0123456789";

/// The fields by which the payer's page names an order.
pub(super) fn order_fields(order_id: &str) -> Value {
    json!({"order_id": order_id, "order_key": ORDER_KEY})
}

/// A shop. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Shop(Arc<Mutex<BTreeMap<String, u64>>>);

impl Shop {
    fn prices(&self) -> MutexGuard<'_, BTreeMap<String, u64>> {
        lock(&self.0)
    }

    pub(super) fn set_price(&self, order_id: &str, cents: u64) {
        self.prices().insert(order_id.to_owned(), cents);
    }

    /// Answers the server.
    pub(super) fn answer(
        &self,
        request: &Request<Bytes>,
        truth: &Truth,
        time: WorldTime,
    ) -> Response<Bytes> {
        let path = request.uri().path();
        if request.method() == Method::POST {
            take(request.body(), truth, time);
            return Response::new(Bytes::new());
        }
        let order_id = path.trim_start_matches("/orders/");
        let price = self.prices().get(order_id).copied();
        let mut answer = Response::new(Bytes::new());
        match price {
            None => *answer.status_mut() = StatusCode::NOT_FOUND,
            Some(cents) => {
                truth.says(order_id, cents, time.passed());
                let product = json!({"sku": order_id, "name": "Mochila", "quantity": 1,
                    "unit_price": cents});
                let facts = json!({"order_id": order_id, "order_key": ORDER_KEY, "amount": cents,
                    "currency": "PEN", "products": [product]});
                *answer.body_mut() = facts.to_string().into();
            }
        }
        answer
    }
}

fn take(body: &Bytes, truth: &Truth, time: WorldTime) {
    let event: Value = serde_json::from_slice(body).unwrap_or_default();
    let data = &event["data"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    // An event may be delivered again, or late, after a request that gives the payment back.
    let written = data["created_at"].as_str().and_then(read_rfc3339);
    let written = written.map_or(time.passed(), |at| WorldTime::passed_at(at.as_millis()));
    truth.is_told(Told {
        at: time.passed().min(written),
        id: text(&data["id"]),
        kind: text(&event["type"]),
        number: text(&data["merchant_operation_number"]),
    });
}
