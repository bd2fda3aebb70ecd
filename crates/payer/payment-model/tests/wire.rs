//! Every body of the specification, read and written: complete, with its optional parts null
//! or absent, with fields that nobody knows yet.

mod support;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use support::{SAMPLES, sample};

/// Reads a body and writes it again.
fn through<T: DeserializeOwned + Serialize>(body: Value) -> Result<Value, String> {
    let read: T = serde_json::from_value(body).map_err(|error| error.to_string())?;
    serde_json::to_value(read).map_err(|error| error.to_string())
}

fn written(name: &str, body: Value) -> Result<Value, String> {
    with_type_of!(name, through(body))
}

/// The keys that the specification lets be null or absent, wherever they stand in an answer.
const OPTIONAL: [&str; 9] = [
    "method_details",
    "continue_url",
    "expiration_date",
    "processor_response",
    "additional_fields",
    "created_at",
    "redirect_url",
    "callback_url",
    "transaction_id",
];

/// The keys that an answer can do without, although the specification calls them required:
/// none of them decides anything by being there.
const MISSED_BY_NOBODY: [&str; 20] = [
    "success",
    "action",
    "meta",
    "status",
    "code",
    "message_ilgn",
    "locale",
    "value",
    "state",
    "state_reason",
    "channel",
    "lifecycle",
    "date",
    "utc_time",
    "unix_time",
    "refund_reason",
    "brand",
    "masked_pan",
    "operations_count",
    "type",
];

/// The keys under which any object may stand.
const OPEN: [&str; 4] = [
    "additional_fields",
    "processor_response",
    "method_details",
    "product_details",
];

/// Walks a body; `change` may change or, by answering false, remove the value of a key.
fn walk(value: &mut Value, change: &mut dyn FnMut(&str, &mut Value) -> bool) {
    match value {
        Value::Object(fields) => {
            fields.retain(|key, value| change(key, value));
            for (key, value) in fields {
                if !OPEN.contains(&key.as_str()) {
                    walk(value, change);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, change)),
        _ => {}
    }
}

fn is_answer(name: &str) -> bool {
    name.contains("response")
}

/// In answers a transaction is always named.
fn may_miss(name: &str, key: &str) -> bool {
    if is_answer(name) {
        let known = OPTIONAL.contains(&key) || MISSED_BY_NOBODY.contains(&key);
        known && key != "transaction_id"
    } else {
        ["additional_fields", "transaction_id"].contains(&key)
    }
}

#[test]
fn every_complete_body_comes_back_as_it_went() {
    for (name, _) in SAMPLES {
        assert_eq!(written(name, sample(name)), Ok(sample(name)), "{name}");
    }
}

#[test]
fn null_and_absent_are_read_alike_one_by_one_and_all_together() {
    for (name, _) in SAMPLES {
        let mut keys = Vec::new();
        walk(&mut sample(name), &mut |key, _| {
            if may_miss(name, key) && !keys.contains(&key.to_owned()) {
                keys.push(key.to_owned());
            }
            true
        });
        let mut missing = keys.iter().map(|key| vec![key.clone()]).collect::<Vec<_>>();
        missing.push(keys.clone());
        for missing in missing {
            let (mut null, mut absent) = (sample(name), sample(name));
            walk(&mut null, &mut |key, value| {
                if missing.iter().any(|m| m == key) {
                    *value = Value::Null;
                }
                true
            });
            walk(&mut absent, &mut |key, _| !missing.iter().any(|m| m == key));
            let read = written(name, null);
            assert!(read.is_ok(), "{name} without {missing:?}: {read:?}");
            assert_eq!(read, written(name, absent), "{name} without {missing:?}");
            assert_eq!(
                written(name, read.clone().unwrap_or_default()),
                read,
                "{name}"
            );
        }
        assert_eq!(
            keys.is_empty(),
            name.starts_with("authorize_request"),
            "{name}"
        );
    }
}

/// The keys without which each body is refused.
const REQUIRED: [(&str, &str); 7] = [
    (
        "authorize_request",
        "action channel merchant_code merchant_operation_number payment_method method_name \
         method_details payment_details amount currency billing shipping customer product_details",
    ),
    (
        "authorize_response",
        "merchant_code merchant_operation_number transaction transaction_id amount currency",
    ),
    (
        "query_response",
        "merchant_code operation transaction_id amount currency",
    ),
    (
        "cancel_response",
        "merchant_code operation transaction_id amount currency",
    ),
    (
        "refund_request",
        "merchant_code operations type merchant_operation_number refund_amount",
    ),
    ("refund_response", "merchant_code operations"),
    ("refund_query_response", "merchant_code"),
];

#[test]
fn what_cannot_be_missed_is_named() {
    for (name, _) in SAMPLES {
        let (_, keys) = REQUIRED
            .iter()
            .find(|(of, _)| name.starts_with(of))
            .unwrap();
        for missing in keys.split_whitespace() {
            let mut body = sample(name);
            walk(&mut body, &mut |key, _| key != missing);
            assert_ne!(body, sample(name), "{name} has no {missing}");
            let error = written(name, body).unwrap_err();
            assert_eq!(error, format!("missing field `{missing}`"), "{name}");
        }
    }
}

#[test]
fn fields_that_nobody_knows_change_nothing() {
    for (name, _) in SAMPLES {
        let mut body = json!({"": sample(name)});
        walk(&mut body, &mut |key, value| {
            let closed = !OPEN.contains(&key) && key != "new_field";
            if let (Value::Object(fields), true) = (value, closed) {
                fields.insert("new_field".to_owned(), json!({"of": ["any", "shape"]}));
            }
            true
        });
        let read = written(name, body[""].take());
        assert_eq!(read, Ok(sample(name)), "{name}");
    }
}

#[test]
fn open_objects_keep_every_key() {
    for (name, _) in SAMPLES.iter().filter(|(name, _)| is_answer(name)) {
        let mut body = sample(name);
        walk(&mut body, &mut |key, value| {
            if let (Value::Object(fields), true) = (value, OPEN.contains(&key)) {
                fields.insert("new_field".to_owned(), json!({"of": ["any", null]}));
            }
            true
        });
        assert!(body.to_string().contains("new_field"), "{name}");
        assert_eq!(written(name, body.clone()), Ok(body), "{name}");
    }
}
