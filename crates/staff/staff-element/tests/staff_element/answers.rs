//! The merchant's server, as answers to the requests of a page.

use js_sys::{Function, Reflect};
use payment_model::{Cents, Currency, Operation, Refund, Timestamp};
use serde::Serialize;
use serde_json::{Map, Value, json};
use staff_model::{
    OperationDetails, OperationRow, OrderLine, OrderState, OrderSummary, Payer, Permission, Phase,
    Problem, ProblemType, SearchPage, SecondFactor, StaffSession,
};
use wasm_bindgen::JsValue;

/// The answers of the merchant's server, in the types of the contract: a new field of the contract
/// does not compile here until it has a value.
pub(super) struct Server {
    pub(super) session: StaffSession,
    pub(super) list: SearchPage,
    pub(super) details: OperationDetails,
    /// The answers to other requests, by method and path.
    others: Map<String, Value>,
}

impl Server {
    /// A server with one operation in this state.
    pub(super) fn with(state: &str, method: &str) -> Self {
        let details = details(state, method);
        Self {
            session: StaffSession {
                name: "ana".to_owned(),
                permissions: vec![Permission::Cancel, Permission::Refund],
                refund_limit: None,
                refund_limit_a_day: None,
                link_limit: None,
                link_limit_a_day: None,
                stores: Vec::new(),
                merchant_codes: vec!["100000001".to_owned()],
                time_zone: "America/Lima".to_owned(),
                second_factor: SecondFactor::Unknown,
            },
            list: SearchPage {
                operations: vec![details.row.clone()],
                next_cursor: None,
            },
            details,
            others: Map::new(),
        }
    }

    /// Answers one request more.
    pub(super) fn answer(&mut self, name: &str, status: u16, body: &impl Serialize) {
        self.others.insert(name.to_owned(), json!([status, body]));
    }

    /// Every answer, as a status and a body by method and path.
    fn answers(&self) -> Value {
        let mut answers = self.others.clone();
        let known = [
            ("GET /session", json!([200, self.session])),
            ("GET /operations", json!([200, self.list])),
            (
                "GET /operations/100000001/482193017756",
                json!([200, self.details]),
            ),
        ];
        answers.extend(known.map(|(name, answer)| (name.to_owned(), answer)));
        answers.into()
    }
}

/// Answers every request of this page from now on; `globalThis.asked` keeps the requests.
pub(super) fn serve(server: &Server) {
    let script = r"
        globalThis.asked = [];
        globalThis.answers = JSON.parse(text);
        globalThis.fetch = async (request) => {
            const url = new URL(request.url);
            const name = request.method + ' ' + url.pathname.replace(/^\/api/, '');
            const quiet = ['unattended', 'prefer'].map((one) => request.headers.get(one) ?? '');
            globalThis.asked.push([name + url.search, ...quiet, await request.text()].join(' ').replace('   ', ' '));
            const [status, body] = globalThis.answers[name] ?? [404, {}];
            const type = status < 400 ? 'application/json' : 'application/problem+json';
            const headers = { 'Content-Type': type, Date: new Date().toUTCString() };
            return new Response(status === 204 ? null : JSON.stringify(body), { status, headers });
        };
    ";
    Function::new_with_args("text", script)
        .call1(&JsValue::NULL, &server.answers().to_string().into())
        .unwrap();
}

/// Answers one request like this from now on.
pub(super) fn answer(name: &str, status: u16, body: &impl Serialize) {
    let answers = Reflect::get(&js_sys::global(), &"answers".into()).unwrap();
    let body = js_sys::JSON::parse(&json!(body).to_string()).unwrap();
    let answer = js_sys::Array::of2(&status.into(), &body);
    Reflect::set(&answers, &name.into(), &answer).unwrap();
}

/// Refuses one request like this from now on.
pub(super) fn refuse(name: &str, status: u16, kind: ProblemType) {
    let problem = Problem {
        kind,
        ..Problem::default()
    };
    answer(name, status, &problem);
}

pub(super) fn asked() -> Vec<String> {
    let asked = Reflect::get(&js_sys::global(), &"asked".into()).unwrap();
    let asked = js_sys::Array::from(&asked);
    asked.iter().filter_map(|one| one.as_string()).collect()
}

/// When the operation was created.
pub(super) const CREATED: Timestamp = Timestamp::from_millis(1_707_326_367_000);

pub(super) fn row(state: &str, method: &str) -> OperationRow {
    OperationRow {
        merchant_code: "100000001".to_owned(),
        merchant_operation_number: "482193017756".to_owned(),
        order_id: "ORD-1".to_owned(),
        payer: Some(Payer {
            name: "Rosa Quispe".to_owned(),
            ..Payer::default()
        }),
        order_label: None,
        transaction_id: Some("t-1".to_owned()),
        method_name: method.into(),
        phase: Phase::Known,
        state: Some(state.into()),
        outcome: None,
        amount: Cents::new(10_000),
        currency: Currency::new("604"),
        created_at: CREATED,
        changed_at: CREATED,
        exceptions: Vec::new(),
    }
}

fn details(state: &str, method: &str) -> OperationDetails {
    OperationDetails {
        row: row(state, method),
        operation: Some(operation(state, method)),
        queried_at: None,
        trouble: None,
        order: OrderSummary {
            order_id: "ORD-1".to_owned(),
            label: None,
            state: OrderState::Paid,
            paid_twice: false,
            payer: Some(Payer {
                name: "Rosa Quispe".to_owned(),
                email: Some("rosa@example.com".to_owned()),
                phone: None,
            }),
            lines: vec![OrderLine {
                name: "Mochila".to_owned(),
                quantity: 2,
                unit_price: Cents::new(5_000),
            }],
            operations: Vec::new(),
        },
        exceptions: Vec::new(),
        refunds: vec![refund()],
        attempts: Vec::new(),
        refundable: Cents::new(6_999),
        returns: Vec::new(),
        reversals: Vec::new(),
        audit: Vec::new(),
    }
}

/// The operation as the payment service sends it, with fields and words that nobody documented.
fn operation(state: &str, method: &str) -> Operation {
    let operation = json!({
        "merchant_operation_number": "482193017756", "state": state, "amount": "10000",
        "currency": "604",
        "transactions": [{
            "transaction_id": "t-1", "channel": "ecommerce", "state": state,
            "state_reason": "<b>raw</b>", "amount": "10000", "currency": "604",
            "payment_method": {"method_name": method},
            "processor_response": {"new_field": "new value", "deep": {"list": [null]}},
            "lifecycle": [
                {"state": "PENDIENTE", "date": {"unix_time": 1_707_326_367}},
                {"state": "SIN_NOMBRE", "date": {"unix_time": 1_707_326_427}}
            ]
        }]
    });
    serde_json::from_value(operation).unwrap()
}

/// A refund as the payment service sends it.
fn refund() -> Refund {
    let refund = json!({
        "refund_id": "r-1", "state": "RESOLVED", "refund_reason": "", "type": "PARTIAL",
        "merchant_operation_number": "482193017756", "transaction_id": "t-1",
        "refund_amount": "3001", "transaction_amount": "10000", "currency": "604",
        "payment_method": {"name": "CARD", "brand": "MARCA", "masked_pan": "4111****1111"},
        "lifecycle": [{"state": "EN_CAMINO", "date": {"unix_time": 1_707_330_000}}]
    });
    serde_json::from_value(refund).unwrap()
}
