//! Any JSON is read without a panic, and a value that was read once is read again as the same.

mod support;

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;
use support::{SAMPLES, sample};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "true",
            "AUTORIZADO",
            "QR",
            "2024-02-07T17:19:27.9Z",
            "00"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any_key(), inner), 0..4)
                .prop_map(|fields| fields.into_iter().collect::<Value>()),
        ]
    })
}

fn any_key() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "state",
        "unix_time",
        "utc_time",
        "method_name",
        "method_detail",
        "code",
        "description",
        "result_message",
        "cip",
        "new",
    ])
    .prop_map(str::to_owned)
}

/// Reads a body; if it could be read, writes it and reads that again.
fn steady<T: DeserializeOwned + Serialize + Debug + PartialEq>(body: Value) -> bool {
    let Ok(read) = serde_json::from_value::<T>(body) else {
        return true;
    };
    let shown = !format!("{read:?}").is_empty();
    let written = serde_json::to_value(&read).unwrap_or_default();
    let again = serde_json::from_value::<T>(written.clone()).ok();
    let unchanged = again
        .as_ref()
        .and_then(|again| serde_json::to_value(again).ok());
    shown && again == Some(read) && unchanged == Some(written)
}

/// Every place in a body, as JSON pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                places(value, &format!("{at}/{key}"), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                places(value, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

proptest! {
    #[test]
    fn any_json_is_read_or_refused(body in any_json()) {
        for (name, _) in SAMPLES {
            prop_assert!(with_type_of!(*name, steady(body.clone())), "{name}");
        }
    }

    #[test]
    fn any_json_in_any_place_of_a_body_is_read_or_refused(
        chosen in 0..SAMPLES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any_json()), 1..5),
    ) {
        let (name, _) = SAMPLES[chosen];
        let mut body = sample(name);
        for (index, value) in changes {
            let mut all = Vec::new();
            places(&body, "", &mut all);
            let place = all.swap_remove(index.index(all.len()));
            if let Some(place) = body.pointer_mut(&place) {
                *place = value;
            }
        }
        prop_assert!(with_type_of!(name, steady(body.clone())), "{name}: {body}");
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
        for (name, _) in SAMPLES {
            let body = serde_json::from_str(&text).unwrap_or_else(|_| json!(text));
            prop_assert!(with_type_of!(*name, steady(body)), "{name}");
        }
    }
}
