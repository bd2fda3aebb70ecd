//! The places where answers vary, value by value.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use payment_model::{
    AuthorizeResponse, CancelResponse, Outcome, ProcessorResponse, QueryResponse,
    RefundQueryResponse, RefundResponse, RefundState, Timestamp, TransactionState,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use support::{SAMPLES, sample};

/// The sample with one value, named by its JSON pointer, replaced.
fn with<T: DeserializeOwned>(name: &str, pointer: &str, value: Value) -> T {
    let mut body = sample(name);
    *body.pointer_mut(pointer).unwrap() = value;
    serde_json::from_value(body).unwrap()
}

#[test]
fn success_is_text_or_boolean() {
    for (value, expected) in [
        (json!(true), true),
        (json!("true"), true),
        (json!(false), false),
        (json!("false"), false),
        (json!(null), false),
        (json!("00"), false),
    ] {
        let set = |name, read: fn(&str, Value) -> bool| {
            assert_eq!(read(name, value.clone()), expected, "{name} {value}");
        };
        set("authorize_response_qr", |n, v| {
            with::<AuthorizeResponse>(n, "/success", v).success
        });
        set("query_response_qr", |n, v| {
            with::<QueryResponse>(n, "/success", v).success
        });
        set("cancel_response", |n, v| {
            with::<CancelResponse>(n, "/success", v).success
        });
        set("refund_response", |n, v| {
            with::<RefundResponse>(n, "/success", v).success
        });
        set("refund_query_response", |n, v| {
            with::<RefundQueryResponse>(n, "/success", v).success
        });
    }
}

#[test]
fn success_is_written_as_the_specification_shows_it() {
    for (name, _) in SAMPLES.iter().filter(|(name, _)| name.contains("response")) {
        let boolean = name.starts_with("query") || name.starts_with("cancel");
        assert_eq!(sample(name)["success"].is_boolean(), boolean, "{name}");
    }
}

#[test]
fn a_state_of_any_scalar_is_read_and_an_unknown_one_decides_nothing() {
    for (value, written) in [
        (json!("NUEVO"), "NUEVO"),
        (json!("autorizado"), "autorizado"),
        (json!(" AUTORIZADO"), " AUTORIZADO"),
        (json!(""), ""),
        (json!(null), ""),
        (json!(7), "7"),
        (json!(-7), "-7"),
        (json!(true), "true"),
    ] {
        let pointer = "/operation/transactions/0/state";
        let answer: QueryResponse = with("query_response_qr", pointer, value);
        let transaction = &answer.operation.transactions[0];
        assert_eq!(
            transaction.state,
            TransactionState::Unknown(written.to_owned())
        );
        assert_eq!(transaction.outcome(), None);
        assert!(!transaction.state.is_final() && !transaction.is_refundable());
        let again = serde_json::to_value(&answer).unwrap();
        assert_eq!(again.pointer(pointer), Some(&json!(written)));
    }
}

#[test]
fn an_unknown_refund_state_keeps_its_amount_reserved() {
    for (value, written) in [
        (json!("NEW"), "NEW"),
        (json!("rejected"), "rejected"),
        (json!(null), ""),
    ] {
        let answer: RefundQueryResponse =
            with("refund_query_response", "/operations/0/state", value);
        let state = &answer.operations[0].state;
        assert_eq!(*state, RefundState::Unknown(written.to_owned()));
        assert!(state.reserves_its_amount() && !state.is_final());
    }
}

#[test]
fn meta_never_makes_an_answer_unreadable() {
    for (meta, code, message) in [
        (json!(null), "", None),
        (json!({}), "", None),
        (json!({"status": null}), "", None),
        (
            json!({"status": {"code": null, "message_ilgn": null}}),
            "",
            None,
        ),
        (
            json!({"status": {"code": 0, "message_ilgn": []}}),
            "0",
            None,
        ),
        (json!({"status": {"message_ilgn": [{}]}}), "", Some("")),
        (
            json!({"status": {"code": "X", "message_ilgn": [{"locale": null, "value": "v"}]}}),
            "X",
            Some("v"),
        ),
    ] {
        let answer: QueryResponse = with("query_response_qr", "/meta", meta);
        assert_eq!(answer.meta.status.code, code);
        assert_eq!(answer.meta.message_for("es-PE"), message);
        assert_eq!(
            answer.operation.transactions[0].outcome(),
            Some(Outcome::Paid)
        );
    }
}

#[test]
fn a_processor_response_of_any_shape_is_kept() {
    let pointer = "/operation/transactions/0/processor_response";
    for value in [
        json!({}),
        json!("text"),
        json!([1, {"a": null}]),
        json!(7),
        json!(false),
    ] {
        for (name, _) in SAMPLES.iter().filter(|(name, _)| name.starts_with("query")) {
            let answer: QueryResponse = with(name, pointer, value.clone());
            let response = answer.operation.transactions[0].processor_response.as_ref();
            assert_eq!(
                response.map(ProcessorResponse::to_value),
                Some(value.clone())
            );
            let known = !matches!(response, Some(ProcessorResponse::Other(_)));
            assert_eq!(known, value.is_object(), "{name} {value}");
        }
    }
    let answer: QueryResponse = with("query_response_qr", pointer, json!(null));
    assert_eq!(answer.operation.transactions[0].processor_response, None);
}

#[test]
fn dates_are_read_in_every_form_and_may_be_empty() {
    let pointer = "/operation/transactions/0/expiration_date";
    let read = |date: Value| {
        let answer: QueryResponse = with("query_response_qr", pointer, date);
        let date = answer.operation.transactions[0].expiration_date.clone();
        date.map(|date| date.timestamp().map(Timestamp::as_millis))
    };
    assert_eq!(read(json!(null)), None);
    assert_eq!(read(json!({})), Some(None));
    assert_eq!(
        read(json!({"unix_time": 1e9})),
        Some(Some(1_000_000_000_000))
    );
    assert_eq!(
        read(json!({"unix_time": 1e9 + 0.5})),
        Some(Some(1_000_000_000_500))
    );
    assert_eq!(
        read(json!({"utc_time": "2001-09-09T01:46:40"})),
        Some(Some(1_000_000_000_000))
    );
    assert_eq!(read(json!({"utc_time": "09/09/2001"})), Some(None));
    assert_eq!(read(json!({"unix_time": 0})), Some(None));
    assert_eq!(
        read(json!({"utc_time": null, "unix_time": null, "new": 1})),
        Some(None)
    );
}

#[test]
fn an_unknown_method_survives() {
    let mut body = sample("query_response_qr");
    let transaction = &mut body["operation"]["transactions"][0];
    transaction["payment_method"] = json!({"method_name": "NUEVO", "method_details": {"a": [1]}});
    transaction["processor_response"] = json!({"qr_id": 1, "b": {"c": null}});
    let read: QueryResponse = serde_json::from_value(body.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), body);
}

#[test]
fn the_transaction_that_was_asked_for_is_found_by_its_id() {
    let mut body = sample("query_response_qr");
    let mut other = body["operation"]["transactions"][0].clone();
    other["transaction_id"] = json!("other");
    body["operation"]["transactions"] = json!([other, body["operation"]["transactions"][0]]);
    let operation = serde_json::from_value::<QueryResponse>(body)
        .unwrap()
        .operation;
    let asked = operation.transactions[1].transaction_id.clone();
    assert_eq!(operation.transaction(&asked), operation.transactions.get(1));
    assert_eq!(operation.transaction(&"nobody's".into()), None);
    for none in [json!([]), json!(null)] {
        let answer: QueryResponse = with("query_response_qr", "/operation/transactions", none);
        assert_eq!(answer.operation.transaction(&asked), None);
    }
}

#[test]
fn a_refund_answer_is_readable_whatever_its_action_and_count() {
    for action in [json!("REFUND"), json!(null), json!({}), json!(["refund"])] {
        let answer: RefundResponse = with("refund_response", "/action", action);
        assert_eq!(serde_json::to_value(answer).unwrap()["action"], "refund");
    }
    for (count, complete) in [
        (json!("2"), true),
        (json!(2), true),
        (json!("1"), false),
        (json!("3"), false),
        (json!("two"), false),
        (json!(""), false),
        (json!(null), false),
    ] {
        let answer: RefundQueryResponse =
            with("refund_query_response", "/operations_count", count.clone());
        assert_eq!(answer.is_complete(), complete, "{count}");
    }
    let answer: RefundQueryResponse = with("refund_query_response", "/operations", json!(null));
    assert!(answer.operations.is_empty() && !answer.is_complete());
}
