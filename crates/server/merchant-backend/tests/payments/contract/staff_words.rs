//! Tests that the file lists the staff addresses and problems of `staff-model`, which the server
//! and the staff's element share.

use super::document::DOCUMENT;
use super::file::problems;
use staff_model::{ProblemType, Route};
use std::collections::BTreeSet;

/// The operations of the file under the address of the staff: method, path, operation.
fn operations() -> impl Iterator<Item = (String, &'static str, &'static serde_json::Value)> {
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
