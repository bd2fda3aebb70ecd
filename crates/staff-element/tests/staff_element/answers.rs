//! The merchant's server, as answers to the requests of a page.

use js_sys::{Function, Reflect};
use serde_json::{Value, json};
use wasm_bindgen::JsValue;

/// Answers every request of this page from `answers`, by method and path; `globalThis.asked` keeps
/// the requests.
pub(super) fn serve(answers: &Value) {
    let script = r"
        globalThis.asked = [];
        globalThis.answers = JSON.parse(text);
        globalThis.fetch = async (request) => {
            const url = new URL(request.url);
            const name = request.method + ' ' + url.pathname.replace(/^\/api/, '');
            globalThis.asked.push(name + url.search + ' ' + await request.text());
            const [status, body] = globalThis.answers[name] ?? [404, {}];
            const type = status < 400 ? 'application/json' : 'application/problem+json';
            const headers = { 'Content-Type': type, Date: new Date().toUTCString() };
            return new Response(status === 204 ? null : JSON.stringify(body), { status, headers });
        };
    ";
    Function::new_with_args("text", script)
        .call1(&JsValue::NULL, &answers.to_string().into())
        .unwrap();
}

pub(super) fn asked() -> Vec<String> {
    let asked = Reflect::get(&js_sys::global(), &"asked".into()).unwrap();
    let asked = js_sys::Array::from(&asked);
    asked.iter().filter_map(|one| one.as_string()).collect()
}

pub(super) fn row(state: &str, method: &str) -> Value {
    json!({
        "merchant_code": "100000001", "merchant_operation_number": "482193017756",
        "order_id": "ORD-1", "transaction_id": "t-1", "method_name": method, "phase": "known",
        "state": state, "amount": 10_000, "currency": "604", "created_at": 1_707_326_367_000_i64,
        "changed_at": 1_707_326_367_000_i64, "exceptions": []
    })
}

fn details(state: &str, method: &str) -> Value {
    let date = |seconds: i64| json!({"unix_time": seconds});
    json!({
        "row": row(state, method),
        "operation": {
            "merchant_operation_number": "482193017756", "state": state, "amount": "10000",
            "currency": "604",
            "transactions": [{
                "transaction_id": "t-1", "channel": "ecommerce", "state": state,
                "state_reason": "<b>raw</b>", "amount": "10000", "currency": "604",
                "payment_method": {"method_name": method},
                "processor_response": {"new_field": "new value", "deep": {"list": [null]}},
                "lifecycle": [
                    {"state": "PENDIENTE", "date": date(1_707_326_367)},
                    {"state": "SIN_NOMBRE", "date": date(1_707_326_427)}
                ]
            }]
        },
        "queried_at": null, "trouble": null,
        "order": {"order_id": "ORD-1", "state": "paid", "paid_twice": false, "operations": []},
        "exceptions": [],
        "refunds": [{
            "refund_id": "r-1", "state": "RESOLVED", "refund_reason": "", "type": "PARTIAL",
            "merchant_operation_number": "482193017756", "transaction_id": "t-1",
            "refund_amount": "3001", "transaction_amount": "10000", "currency": "604",
            "payment_method": {"name": "CARD", "brand": "MARCA", "masked_pan": "4111****1111"},
            "lifecycle": [{"state": "EN_CAMINO", "date": date(1_707_330_000)}]
        }],
        "attempts": [], "refundable": 6_999, "returns": [], "audit": []
    })
}

/// A server where one operation is in this state.
pub(super) fn server(state: &str, method: &str) -> Value {
    json!({
        "GET /session": [200, {
            "name": "ana", "permissions": ["cancel", "refund"], "refund_limit": null,
            "merchant_codes": ["100000001"], "time_zone": "America/Lima"
        }],
        "GET /operations": [200, {"operations": [row(state, method)], "next_cursor": null}],
        "GET /operations/100000001/482193017756": [200, details(state, method)],
    })
}
