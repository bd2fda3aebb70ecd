//! Compares an answer, or its headers and body, with the listed one.

use super::Answer;
use super::document::Document;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value;

/// Headers of the transport, and headers that the contract describes once for all answers.
const TRANSPORT: [&str; 8] = [
    "allow",
    "connection",
    "content-length",
    "content-type",
    "cross-origin-resource-policy",
    "keep-alive",
    "transfer-encoding",
    "x-content-type-options",
];

pub(super) fn wrong_headers(document: &Document, response: &Value, answer: &Answer) -> Vec<String> {
    let none = serde_json::Map::new();
    let listed = response["headers"].as_object().unwrap_or(&none);
    let mut broken = Vec::new();
    for (name, header) in listed {
        let header = document.resolved(header);
        broken.extend(wrong_header(
            document,
            "the answer's",
            name,
            header,
            &answer.headers,
        ));
    }
    for name in answer.headers.keys().map(|name| name.as_str()) {
        let known = TRANSPORT.contains(&name)
            || name.starts_with("access-control-")
            || listed
                .keys()
                .any(|listed| listed.eq_ignore_ascii_case(name));
        if !known {
            broken.push(format!("the answer's header {name} is not listed"));
        }
    }
    broken
}

pub(super) fn wrong_header(
    document: &Document,
    whose: &str,
    name: &str,
    listed: &Value,
    headers: &HeaderMap,
) -> Vec<String> {
    let values: Vec<_> = headers
        .get_all(name)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()))
        .collect();
    if values.is_empty() {
        let wrong = listed["required"] == true;
        return wrong
            .then(|| format!("{whose} header {name} is missing"))
            .into_iter()
            .collect();
    }
    let text = values.join(", ");
    let schema = &listed["schema"];
    let value = match text.parse::<u64>() {
        Ok(number) if schema["type"] == "integer" => Value::from(number),
        _ => Value::from(text),
    };
    document.wrong(schema, &value, &format!("{whose} header {name} "))
}

pub(super) fn wrong_body(document: &Document, response: &Value, answer: &Answer) -> Vec<String> {
    let Some(content) = response.get("content") else {
        let wrong = !answer.text.is_empty();
        return wrong
            .then(|| "has a body, and none is listed".to_owned())
            .into_iter()
            .collect();
    };
    let kind = essence(&answer.headers);
    let Some(media) = content.get(&kind) else {
        return vec![format!(
            "has the content type `{kind}`, which is not listed"
        )];
    };
    let body = if kind.ends_with("json") {
        serde_json::from_str(&answer.text)
    } else {
        Ok(Value::from(answer.text.as_str()))
    };
    match body {
        Ok(body) => document.wrong(&media["schema"], &body, "at "),
        Err(error) => vec![format!("is no JSON: {error}")],
    }
}

pub(super) fn essence(headers: &HeaderMap) -> String {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}
