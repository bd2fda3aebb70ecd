//! Checks the file by itself, and against the staff addresses and problems of `staff-model`, which the server and the staff's
//! element share; `cargo xtask test --only contract` checks that it is OpenAPI 3.1.

use super::document::DOCUMENT;
use serde_json::Value;
use staff_model::{ProblemType, Route};
use std::collections::BTreeSet;

/// Calls with every object in the file and its place.
fn each_object(value: &Value, pointer: &str, call: &mut impl FnMut(&Value, &str)) {
    match value {
        Value::Array(list) => {
            for (at, value) in list.iter().enumerate() {
                each_object(value, &format!("{pointer}/{at}"), call);
            }
        }
        Value::Object(fields) => {
            call(value, pointer);
            for (name, value) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                each_object(value, &format!("{pointer}/{name}"), call);
            }
        }
        _ => {}
    }
}

#[test]
fn every_example_is_as_its_schema_has_it() {
    let mut examples = 0;
    each_object(&DOCUMENT.root, "", &mut |object, pointer| {
        if let (Some(schema), Some(example)) = (object.get("schema"), object.get("example")) {
            let wrong = DOCUMENT.wrong(schema, example, "");
            assert!(wrong.is_empty(), "{pointer}: {wrong:?}");
            examples += 1;
        } else if pointer.rsplit('/').nth(1) == Some("content") {
            let open = object.get("schema").is_none();
            assert!(open, "{pointer} has no example");
        }
    });
    assert!(examples > 20, "{examples}");
}

#[test]
fn every_schema_compiles_and_every_component_is_used() {
    let mut used = BTreeSet::new();
    each_object(&DOCUMENT.root, "", &mut |object, _| {
        if let Some(reference) = object["$ref"].as_str() {
            DOCUMENT.resolved(object);
            used.insert(reference.to_owned());
        }
    });
    let components = DOCUMENT.root["components"].as_object().unwrap();
    for (kind, entries) in components
        .iter()
        .filter(|(kind, _)| *kind != "securitySchemes")
    {
        for (name, entry) in entries.as_object().unwrap() {
            let reference = format!("#/components/{kind}/{name}");
            assert!(used.contains(&reference), "{reference} is never used");
            if kind == "schemas" {
                DOCUMENT.validator(entry);
            }
        }
    }
}

#[test]
fn operations_have_an_id_of_their_own_and_declare_the_parts_of_their_path() {
    let mut operations = 0;
    for (template, item) in DOCUMENT.root["paths"].as_object().unwrap() {
        let parts = template
            .split('/')
            .filter_map(|part| part.strip_prefix('{'));
        let parts: BTreeSet<_> = parts.map(|part| part.trim_end_matches('}')).collect();
        for operation in item.as_object().unwrap().values() {
            let listed = operation["parameters"].as_array().into_iter().flatten();
            let listed = listed.map(|parameter| DOCUMENT.resolved(parameter));
            let listed = listed.filter(|parameter| parameter["in"] == "path");
            let listed: BTreeSet<_> = listed
                .map(|parameter| parameter["name"].as_str().unwrap())
                .collect();
            assert_eq!(listed, parts, "{template}");
            operations += 1;
        }
    }
    assert_eq!(DOCUMENT.operations().len(), operations);
}

#[test]
fn the_list_of_problems_is_what_the_answers_have() {
    let mut answered: BTreeSet<_> = DOCUMENT
        .operations()
        .values()
        .flat_map(|operation| operation["responses"].as_object().unwrap().values())
        .flat_map(problems)
        .collect();
    // For methods without an operation.
    answered.insert("method-not-allowed".to_owned());
    let list = &DOCUMENT.root["components"]["schemas"]["Problem"]["properties"]["type"];
    assert_eq!(answered, words(list).into_iter().collect());
}

/// The problems that a response may have, by the last part of their types.
pub(super) fn problems(response: &Value) -> Vec<String> {
    let content = &DOCUMENT.resolved(response)["content"];
    words(&content["application/problem+json"]["schema"]["properties"]["type"])
}

fn words(schema: &Value) -> Vec<String> {
    let list = schema["enum"].as_array().cloned();
    let types = list.or_else(|| Some(vec![schema.get("const")?.clone()]));
    let word = |kind: &Value| {
        kind.as_str()
            .unwrap()
            .rsplit(':')
            .next()
            .unwrap()
            .to_owned()
    };
    types.unwrap_or_default().iter().map(word).collect()
}

/// The operations of the file under the address of the staff: method, path, operation.
fn operations() -> impl Iterator<Item = (String, &'static str, &'static Value)> {
    let paths = DOCUMENT.root["paths"].as_object().unwrap();
    paths.iter().flat_map(|(template, item)| {
        let path = template.strip_prefix("/staff");
        let operations = item.as_object().unwrap().iter();
        operations
            .filter_map(move |(method, operation)| Some((method.to_uppercase(), path?, operation)))
    })
}

#[test]
fn the_addresses_of_staff_are_those_of_the_model() {
    let listed: BTreeSet<_> = operations()
        .map(|(method, path, _)| format!("{method} {path}"))
        .collect();
    let known = Route::ALL.iter();
    let known: BTreeSet<_> = known
        .map(|route| format!("{} {}", route.method().as_str(), route.template()))
        .collect();
    assert_eq!(listed, known);
}

#[test]
fn the_problems_of_staff_are_those_of_the_model() {
    let responses = operations().flat_map(|(_, _, operation)| {
        let responses = operation["responses"].as_object().unwrap();
        responses.values()
    });
    let listed: BTreeSet<_> = responses.flat_map(problems).collect();
    let known = ProblemType::KNOWN.iter();
    let known: BTreeSet<_> = known.map(|kind| kind.as_str().to_owned()).collect();
    assert_eq!(listed, known);
}
