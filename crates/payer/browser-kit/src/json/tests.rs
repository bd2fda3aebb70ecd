//! It reads and writes as `serde_json` does, and names the field that it cannot read.

use payment_model::{CancelResponse, QueryResponse, RefundQueryResponse, Transaction};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Debug;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

#[path = "../../../payment-model/tests/support/forms.rs"]
mod forms;

const TRANSACTION: &str = r#"{
    "transaction_id": "7af1", "channel": null, "state": "PENDIENTE", "state_reason": "",
    "amount": "387000", "currency": "604", "new": [{}],
    "payment_method": {"method_name": "QR", "method_details": {"n": [1, -2.5, true, null, {}]}},
    "expiration_date": {"utc_time": "2024-02-07T17:19:27", "unix_time": 1707326367.25},
    "processor_response": {"qr_image": "data:", "result_message": {"code": "0"}, "new": 1},
    "lifecycle": [{"state": "REGISTRADO", "date": {"unix_time": 1707326367}}, {}]
}"#;

const REFUNDS: &str = r#"{
    "merchant_code": "1", "operations_count": "1", "operations": [{
        "refund_id": "r", "type": "TOTAL", "merchant_operation_number": "2",
        "transaction_id": "7af1", "refund_amount": "1", "transaction_amount": "1",
        "currency": "604", "additional_fields": {"any": "key"}, "payment_method": {"name": "CARD"}
    }]
}"#;

fn answer(success: &str, number: &str) -> String {
    format!(
        r#"{{"success": {success}, "merchant_code": "1", {number} "operation": {{
            "merchant_operation_number": "2", "amount": "1", "currency": "604",
            "transactions": [{TRANSACTION}] }}, "meta": null }}"#
    )
}

/// Reads a text, and checks that `serde_json` reads it as the same.
fn both<T: DeserializeOwned + PartialEq + Debug>(text: &str) -> Option<T> {
    let read = super::read_text::<T>(text);
    let with_path = super::read_with_path::<T>(super::parse(text).unwrap());
    assert_eq!(read, with_path.ok(), "{text}");
    assert_eq!(read, serde_json::from_str(text).ok(), "{text}");
    read
}

/// Checks that the text is read as `serde_json` reads it, and that it can be read if `readable`.
fn check<T: DeserializeOwned + PartialEq + Debug>(text: &str, readable: bool) {
    assert_eq!(both::<T>(text).is_some(), readable, "{text}");
}

/// Checks this with every form of each member.
fn check_forms<T: DeserializeOwned + PartialEq + Debug>(text: &str) {
    let body: Value = serde_json::from_str(text).unwrap();
    let mut found = Vec::new();
    forms::members(&body, "", "", &mut found);
    for (pointer, _) in found {
        // The browser's values have no list in place of a struct: what is in one is not looked at.
        let is_list = |form: &Option<Value>| {
            form.as_ref()
                .is_some_and(|form| *form != json!([]) && form.is_array())
        };
        for form in forms::forms().into_iter().filter(|form| !is_list(form)) {
            both::<T>(&forms::put(&body, &pointer, form).to_string());
        }
    }
}

#[wasm_bindgen_test]
fn every_form_of_each_member_is_read_as_elsewhere() {
    check_forms::<Transaction>(TRANSACTION);
    check_forms::<Transaction>(&TRANSACTION.replace("PENDIENTE", "CANCELADO"));
    check_forms::<QueryResponse>(&answer("true", ""));
    check_forms::<RefundQueryResponse>(REFUNDS);
}

#[wasm_bindgen_test]
fn answers_are_read_as_elsewhere() {
    check::<Transaction>(TRANSACTION, true);
    for field in ["transaction_id", "amount", "currency"] {
        check::<Transaction>(&TRANSACTION.replacen(field, "other", 1), false);
        let null = format!("\"{field}\": null, \"{field}_\"");
        check::<Transaction>(
            &TRANSACTION.replacen(&format!("\"{field}\""), &null, 1),
            false,
        );
    }
    for field in [
        "channel",
        "state",
        "state_reason",
        "payment_method",
        "expiration_date",
        "lifecycle",
    ] {
        check::<Transaction>(&TRANSACTION.replacen(field, "other", 1), true);
    }
    for (right, wrong) in [("\"604\"", "604"), ("\"7af1\"", "[]")] {
        check::<Transaction>(&TRANSACTION.replace(right, wrong), false);
    }

    for success in ["true", "\"true\"", "null", "0", "{}"] {
        check::<QueryResponse>(&answer(success, ""), true);
    }
    check::<CancelResponse>(&answer("true", ""), true);
    check::<CancelResponse>(
        &answer("true", r#""merchant_operation_number": "2","#),
        true,
    );
    check::<RefundQueryResponse>(REFUNDS, true);
}

#[wasm_bindgen_test]
fn a_list_in_place_of_an_object_with_any_keys_is_read_and_panics_nowhere() {
    for list in [
        "[]",
        "[null]",
        "[1]",
        r#"["ab"]"#,
        r#"[["a", 1]]"#,
        "7",
        "\"text\"",
    ] {
        for field in ["method_details", "method_detail"] {
            let method = format!(r#""method_name": "QR", "{field}": {list}"#);
            let known =
                r#""method_name": "QR", "method_details": {"n": [1, -2.5, true, null, {}]}"#;
            check::<Transaction>(&TRANSACTION.replace(known, &method), true);
        }
        let fields = format!(r#"{{"additional_fields": {list}, "#);
        check::<Transaction>(&TRANSACTION.replacen('{', &fields, 1), true);
        check::<RefundQueryResponse>(&REFUNDS.replace(r#"{"any": "key"}"#, list), true);
    }
}

#[wasm_bindgen_test]
fn the_field_that_breaks_the_contract_is_named() {
    let check = |pointer: &str, value: Option<Value>, path: &str| {
        let mut answer: Value = serde_json::from_str(&answer("true", "")).unwrap();
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        let parent = answer.pointer_mut(parent).unwrap();
        match value {
            Some(value) => parent[field] = value,
            None => drop(parent.as_object_mut().unwrap().remove(field)),
        }
        let read =
            super::read_with_path::<QueryResponse>(super::parse(&answer.to_string()).unwrap());
        assert_eq!(read.unwrap_err().path, path);
    };
    let transaction = "/operation/transactions/0";
    check("/merchant_code", None, "merchant_code");
    check("/operation", None, "operation");
    check(
        "/operation",
        Some(json!([])),
        "operation.merchant_operation_number",
    );
    check("/operation/amount", None, "operation.amount");
    check(
        "/operation/transactions",
        Some(json!({})),
        "operation.transactions",
    );
    for (field, value, at) in [
        ("/amount", Some(json!(387_000)), "amount"),
        ("/amount", None, "amount"),
        ("/currency", Some(json!(604)), "currency"),
        ("/transaction_id", Some(json!(["7af1"])), "transaction_id"),
    ] {
        let path = format!("operation.transactions[0].{at}");
        check(&format!("{transaction}{field}"), value, &path);
    }

    let whole = |text: &str| super::read_with_path::<QueryResponse>(super::parse(text).unwrap());
    for text in ["null", "7", "\"text\""] {
        assert_eq!(whole(text).unwrap_err().path, "", "{text}");
    }
}

/// Every value of an answer is replaced by one of each other kind, with a name in it.
#[wasm_bindgen_test]
fn no_path_has_a_value_or_a_key_from_outside() {
    fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
        found.push(at.to_owned());
        match value {
            Value::Object(fields) => {
                for (key, inner) in fields {
                    pointers(inner, &format!("{at}/{key}"), found);
                }
            }
            Value::Array(items) => {
                for (index, inner) in items.iter().enumerate() {
                    pointers(inner, &format!("{at}/{index}"), found);
                }
            }
            _ => {}
        }
    }
    let mut answer: Value = serde_json::from_str(&answer("true", "")).unwrap();
    answer["operation"]["transactions"][0]["additional_fields"] =
        json!({"canary": {"canary": ["canary", {"canary": null}]}});
    let mut found = Vec::new();
    pointers(&answer, "", &mut found);
    let mut named = 0;
    for pointer in found {
        for other in [
            json!("canary"),
            json!(["canary", null]),
            json!({"canary": {"canary": 1}}),
            json!(1.5),
            json!(null),
            json!(true),
        ] {
            let mut broken = answer.clone();
            *broken.pointer_mut(&pointer).unwrap() = other;
            let value = super::parse(&broken.to_string()).unwrap();
            if let Err(error) = super::read_with_path::<QueryResponse>(value) {
                assert!(!format!("{error:?} {error}").contains("canary"), "{error}");
                named += 1;
            }
        }
    }
    assert!(named > 50, "{named}");
}

#[derive(Serialize)]
enum Kind {
    Plain,
    Full(u8),
}

#[derive(Serialize)]
struct Everything<'a> {
    text: &'a str,
    letter: char,
    yes: bool,
    small: (u8, i16, f32),
    large: [i64; 2],
    count: u64,
    none: Option<u32>,
    some: Option<Box<Self>>,
    unit: (),
    kinds: [Kind; 2],
    list: Vec<&'a str>,
    map: BTreeMap<&'a str, i32>,
    #[serde(skip_serializing_if = "str::is_empty")]
    left_out: &'a str,
}

#[wasm_bindgen_test]
fn values_are_written_as_elsewhere() {
    let everything = |some| Everything {
        text: "\"ñ\"\n\u{1f600}",
        letter: 'é',
        yes: true,
        small: (255, -7, -2.5),
        large: [(1 << 53) - 1, -(1 << 53) + 1],
        count: 1_707_326_367_250,
        none: None,
        some,
        unit: (),
        kinds: [Kind::Plain, Kind::Full(1)],
        list: vec!["a", ""],
        map: BTreeMap::from([("a", 1), ("b", -2)]),
        left_out: "",
    };
    let value = everything(Some(Box::new(everything(None))));
    assert_eq!(super::write(&value), serde_json::to_string(&value).ok());
}

#[wasm_bindgen_test]
fn maps_become_plain_objects() {
    let map = super::to_value(&BTreeMap::from([("a", json!({"b": []}))])).unwrap();
    assert!(!map.is_instance_of::<js_sys::Map>());
    assert_eq!(
        super::write(&json!({"a": {}})).as_deref(),
        Some(r#"{"a":{}}"#)
    );
}

#[wasm_bindgen_test]
fn a_value_that_json_cannot_hold_is_not_written() {
    assert_eq!(super::write(&(1_i64 << 53)), None);
    assert_eq!(super::write(&u64::MAX), None);
    assert_eq!(super::write(&BTreeMap::from([(1, 1)])), None);
}
