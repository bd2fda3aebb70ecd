//! It reads and writes as `serde_json` does.

use payment_model::{CancelResponse, QueryResponse, Transaction};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Debug;
use wasm_bindgen_test::wasm_bindgen_test;

const TRANSACTION: &str = r#"{
    "transaction_id": "7af1", "channel": null, "state": "PENDIENTE", "state_reason": "",
    "amount": "387000", "currency": "604", "new": [{}],
    "payment_method": {"method_name": "QR", "method_details": {"n": [1, -2.5, true, null, {}]}},
    "expiration_date": {"utc_time": "2024-02-07T17:19:27", "unix_time": 1707326367.25},
    "processor_response": {"qr_image": "data:", "result_message": {"code": "0"}, "new": 1},
    "lifecycle": [{"state": "REGISTRADO", "date": {"unix_time": 1707326367}}, {}]
}"#;

/// Checks that the text is read as `serde_json` reads it, and that it can be read if `readable`.
fn check<T: DeserializeOwned + PartialEq + Debug>(text: &str, readable: bool) {
    let value = js_sys::JSON::parse(text).unwrap();
    let read = super::read::<T>(value);
    assert_eq!(read, serde_json::from_str(text).ok(), "{text}");
    assert_eq!(read.is_some(), readable, "{text}");
}

#[wasm_bindgen_test]
fn answers_are_read_as_elsewhere() {
    check::<Transaction>(TRANSACTION, true);
    for field in ["transaction_id", "amount", "currency", "payment_method"] {
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
        "expiration_date",
        "lifecycle",
    ] {
        check::<Transaction>(&TRANSACTION.replacen(field, "other", 1), true);
    }
    for (right, wrong) in [
        ("\"604\"", "604"),
        ("\"REGISTRADO\"", "{}"),
        ("\"7af1\"", "[]"),
    ] {
        check::<Transaction>(&TRANSACTION.replace(right, wrong), false);
    }

    let answer = |success: &str, number: &str| {
        format!(
            r#"{{"success": {success}, "merchant_code": "1", {number} "operation": {{
                "merchant_operation_number": "2", "amount": "1", "currency": "604",
                "transactions": [{TRANSACTION}] }}, "meta": null }}"#
        )
    };
    for success in ["true", "\"true\"", "null", "0"] {
        check::<QueryResponse>(&answer(success, ""), true);
    }
    check::<QueryResponse>(&answer("{}", ""), false);
    check::<CancelResponse>(&answer("true", ""), true);
    check::<CancelResponse>(
        &answer("true", r#""merchant_operation_number": "2","#),
        true,
    );
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
    kind: Kind,
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
        kind: Kind::Plain,
        list: vec!["a", ""],
        map: BTreeMap::from([("a", 1), ("b", -2)]),
        left_out: "",
    };
    let value = everything(Some(Box::new(everything(None))));
    assert_eq!(super::write(&value), serde_json::to_string(&value).ok());
}

#[wasm_bindgen_test]
fn a_value_without_a_form_is_not_written() {
    assert_eq!(super::write(&(1_i64 << 53)), None);
    assert_eq!(super::write(&u64::MAX), None);
    assert_eq!(super::write(&Kind::Full(1)), None);
    assert_eq!(super::write(&BTreeMap::from([(1, 1)])), None);
}
