//! The members of an answer, and the forms in which services and their proxies write them.

use serde_json::{Value, json};

/// The forms in which members come; `None` for a missing one.
pub(crate) fn forms() -> Vec<Option<Value>> {
    let values = [
        json!(null),
        json!([]),
        json!({}),
        json!("odd"),
        json!("2026-11-28T10:00:00-05:00"),
        json!(7),
        json!(-1.5),
        json!(true),
        json!([[]]),
        json!([null, "x", {"a": 1}]),
        json!({"0": {"state": "PENDIENTE"}}),
    ];
    values.into_iter().map(Some).chain([None]).collect()
}

/// The pointers of all members of objects, with their paths without indexes.
pub(crate) fn members(value: &Value, pointer: &str, path: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let pointer = format!("{pointer}/{name}");
                let path = [path, name].join(".").trim_start_matches('.').to_owned();
                members(value, &pointer, &path, found);
                found.push((pointer, path));
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                members(item, &format!("{pointer}/{index}"), path, found);
            }
        }
        _ => {}
    }
}

/// The body with another form of a member.
pub(crate) fn put(body: &Value, pointer: &str, form: Option<Value>) -> Value {
    let mut body = body.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap_or_default();
    if let Some(fields) = body.pointer_mut(parent).and_then(Value::as_object_mut) {
        match form {
            Some(form) => fields.insert(name.to_owned(), form),
            None => fields.remove(name),
        };
    }
    body
}
