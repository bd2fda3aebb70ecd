//! The answers of the merchant's server, given by the page's own `fetch`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use checkout_flow::OperationRef;
use js_sys::{Array, Function, Reflect};
use std::fmt::Write as _;
use wasm_bindgen::JsValue;

/// A transaction in a state, by a method: the operation `4821` of `shop`.
pub(crate) struct Answer {
    pub(crate) method: &'static str,
    pub(crate) state: &'static str,
    /// Further members of the transaction, as JSON with a comma before each.
    pub(crate) members: String,
}

impl Answer {
    pub(crate) fn new(method: &'static str, state: &'static str) -> Self {
        Self {
            method,
            state,
            members: String::new(),
        }
    }

    pub(crate) fn with(mut self, member: &str, json: &str) -> Self {
        write!(self.members, r#","{member}":{json}"#).unwrap();
        self
    }

    /// The body of the answer about the state.
    pub(crate) fn body(&self) -> String {
        let transaction = self.transaction();
        format!(
            r#"{{"success":true,"merchant_code":"shop","operation":{{"merchant_operation_number":"4821","state":"PENDIENTE","amount":"12990","currency":"PEN","transactions":[{transaction}]}},"meta":{{"status":{{"code":"00","message_ilgn":[]}}}}}}"#
        )
    }

    /// The body of the answer to the charge.
    pub(crate) fn authorized(&self) -> String {
        let transaction = self.transaction();
        format!(
            r#"{{"success":"true","action":"authorize","merchant_code":"shop","merchant_operation_number":"4821","transaction":{transaction},"meta":{{"status":{{"code":"00","message_ilgn":[]}}}}}}"#
        )
    }

    fn transaction(&self) -> String {
        let Self {
            method,
            state,
            members,
        } = self;
        format!(
            r#"{{"transaction_id":"T-1","channel":"ecommerce","state":"{state}","state_reason":"<b>{state}</b>","amount":"12990","currency":"PEN","payment_method":{{"method_name":"{method}"}},"lifecycle":[]{members}}}"#
        )
    }

    /// From now on every request is answered with this.
    pub(crate) fn is_given(&self) {
        let body = self.body();
        let window = web_sys::window().unwrap();
        let answers = Function::new_with_args(
            "body",
            "return async () => { globalThis.asked = (globalThis.asked ?? 0) + 1; \
             return new Response(body, { headers: { 'content-type': 'application/json' } }); }",
        );
        let fetch = answers
            .call1(&JsValue::UNDEFINED, &JsValue::from_str(&body))
            .unwrap();
        Reflect::set(&window, &"fetch".into(), &fetch).unwrap();
    }
}

/// How many requests were answered so far.
pub(crate) fn asked() -> u32 {
    let count = Reflect::get(&js_sys::global(), &"asked".into()).unwrap();
    count
        .as_f64()
        .map_or_else(String::new, |count| count.to_string())
        .parse()
        .unwrap_or(0)
}

/// The operation of an [`Answer`].
pub(crate) fn operation() -> OperationRef {
    OperationRef {
        merchant_code: "shop".into(),
        merchant_operation_number: "4821".into(),
        transaction_id: Some("T-1".into()),
    }
}

/// Counts the prints instead of printing.
pub(crate) fn printer() -> Array {
    let prints = Array::new();
    let print = Function::new_with_args("prints", "return () => { prints.push(1) }");
    let print = print.call1(&JsValue::UNDEFINED, &prints).unwrap();
    Reflect::set(&js_sys::global(), &"print".into(), &print).unwrap();
    prints
}
