//! Tests that the checker finds deviations: it checks every other test, and only these check it.

use super::Asked;
use super::document::DOCUMENT;
use crate::support::payer::Answer;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::{Value, json};

/// The refusal of a server to show an operation.
fn not_found() -> Answer {
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("date", "Wed, 07 Feb 2024 17:19:27 GMT"),
        ("cache-control", "no-store"),
        ("vary", "origin"),
        ("x-request-id", "r"),
        ("content-type", "application/problem+json"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let body = json!({
        "type": "urn:payment-checkout:problem:not-found", "title": "Not found", "status": 404,
        "detail": "There is nothing here for this session.", "money": "unknown",
    });
    Answer {
        status: 404,
        headers,
        text: body.to_string(),
    }
}

fn with(name: &str, value: Value) -> Answer {
    let mut answer = not_found();
    let mut body = answer.json();
    body[name] = value;
    answer.text = body.to_string();
    answer
}

#[test]
fn what_the_contract_does_not_have_is_found() {
    let check = |method: Method, path: &str, answer: &Answer, expected: &str| {
        let asked = Asked {
            method,
            path: path.to_owned(),
            query: Vec::new(),
            headers: HeaderMap::new(),
            body: String::new(),
        };
        let broken = asked.broken(&DOCUMENT, answer).join("\n");
        let found = !expected.is_empty() && broken.contains(expected);
        assert!(found || broken == expected, "{expected:?}: {broken:?}");
    };
    let status = |answer: &Answer, expected| check(Method::GET, "/charges/a/b/c", answer, expected);
    let changed = |change: fn(&mut Answer)| {
        let mut answer = not_found();
        change(&mut answer);
        answer
    };
    status(&not_found(), "");
    status(
        &changed(|answer| answer.status = 403),
        "status is not listed",
    );
    status(&with("status", json!("404")), "404 at /status");
    status(&with("color", json!("red")), "'color'");
    status(&with("money", json!("charged")), "at /money");
    status(&with("transaction_id", json!("t")), "at /transaction_id");
    let other = json!("urn:payment-checkout:problem:internal");
    status(&with("type", other), "at /type");
    status(&changed(|answer| answer.text.clear()), "is no JSON");
    status(
        &changed(|answer| {
            answer.headers.remove("date");
        }),
        "header Date is missing",
    );
    status(
        &changed(|answer| {
            let html = HeaderValue::from_static("text/html");
            answer.headers.insert(CONTENT_TYPE, html);
        }),
        "`text/html`, which is not listed",
    );
    status(
        &changed(|answer| {
            let public = HeaderValue::from_static("public");
            answer.headers.insert("cache-control", public);
        }),
        "header Cache-Control",
    );
    status(
        &changed(|answer| {
            let odd = HeaderValue::from_static("odd");
            answer.headers.insert("x-odd", odd);
        }),
        "header x-odd is not listed",
    );
    check(Method::GET, "/nowhere", &not_found(), "");
    let shown = changed(|answer| answer.status = 200);
    check(Method::GET, "/nowhere", &shown, "in no path");
    check(Method::GET, "/charges", &not_found(), "no such method");
    check(Method::GET, "/charges//b/c", &not_found(), "");

    // A successful answer must be as it is listed.
    let mut heard = not_found();
    (heard.status, heard.text) = (204, String::new());
    check(Method::POST, "/notifications/t", &heard, "");
    heard.text = "heard".to_owned();
    check(Method::POST, "/notifications/t", &heard, "has a body");
    let charged = changed(|answer| answer.status = 200);
    let missing = "header Idempotency-Key is missing";
    check(Method::POST, "/charges", &charged, missing);
    check(Method::POST, "/charges", &charged, "the required body");
}
