//! The file with its references followed and its schemas compiled.

use jsonschema::Validator;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// The contract as it stands in the file.
pub(super) static DOCUMENT: LazyLock<Document> = LazyLock::new(|| {
    let text = include_str!("../../../../../../docs/openapi.yaml");
    Document::read(text)
});

pub(super) struct Document {
    pub(super) root: Value,
    /// Compiled schemas by their text.
    compiled: Mutex<HashMap<String, Arc<Validator>>>,
}

/// A path of the file that an address matches.
pub(super) struct Route<'a> {
    pub(super) template: &'a str,
    item: &'a Value,
}

impl Document {
    pub(super) fn read(text: &str) -> Self {
        let mut root = serde_saphyr::from_str(text).unwrap();
        close(&mut root);
        Self {
            root,
            compiled: Mutex::default(),
        }
    }

    /// The path that an address matches; no part of an address is empty.
    pub(super) fn route(&self, address: &str) -> Option<Route<'_>> {
        let paths = self.root["paths"].as_object().unwrap();
        let parts: Vec<_> = address.split('/').collect();
        let matches = |template: &str| {
            let wanted: Vec<_> = template.split('/').collect();
            let pairs = || wanted.iter().zip(&parts);
            wanted.len() == parts.len()
                && pairs().all(|(wanted, part)| {
                    wanted == part || (wanted.starts_with('{') && !part.is_empty())
                })
        };
        let found = paths.iter().find(|(template, _)| matches(template));
        found.map(|(template, item)| Route { template, item })
    }

    /// Every operation, by its id.
    pub(super) fn operations(&self) -> HashMap<&str, &Value> {
        let items = self.root["paths"].as_object().unwrap().values();
        let operations = items.flat_map(|item| item.as_object().unwrap().values());
        operations
            .map(|operation| (operation["operationId"].as_str().unwrap(), operation))
            .collect()
    }

    /// The value itself, or the one that it refers to.
    pub(super) fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        let Some(reference) = value["$ref"].as_str() else {
            return value;
        };
        let pointer = reference
            .strip_prefix('#')
            .expect("a reference within the file");
        let found = self.root.pointer(pointer);
        found.unwrap_or_else(|| panic!("{reference} refers to nothing"))
    }

    /// The faults of a value under a schema. Each entry starts with `begin` and names the pointer.
    pub(super) fn wrong(&self, schema: &Value, value: &Value, begin: &str) -> Vec<String> {
        let validator = self.validator(schema);
        let errors = validator.iter_errors(value);
        errors
            .map(|error| format!("{begin}{}: {error}", error.instance_path()))
            .collect()
    }

    /// Compiles a schema; the schemas that it refers to come along.
    pub(super) fn validator(&self, schema: &Value) -> Arc<Validator> {
        let mut compiled = self.compiled.lock().unwrap();
        let made = compiled.entry(schema.to_string()).or_insert_with(|| {
            let mut whole = schema.clone();
            whole["components"] = json!({"schemas": self.root["components"]["schemas"]});
            let options = jsonschema::draft202012::options().should_validate_formats(true);
            Arc::new(
                options
                    .build(&whole)
                    .unwrap_or_else(|error| panic!("{schema}: {error}")),
            )
        });
        Arc::clone(made)
    }
}

impl<'a> Route<'a> {
    pub(super) fn operation(&self, method: &Method) -> Option<&'a Value> {
        self.item.get(method.as_str().to_ascii_lowercase())
    }

    pub(super) fn methods(&self) -> Vec<String> {
        let methods = self.item.as_object().unwrap().keys();
        methods.map(|method| method.to_ascii_uppercase()).collect()
    }
}

/// Objects are open in the file, since the element ignores unknown fields. Here they are closed
/// unless the file says otherwise, so that the server sends only described fields.
fn close(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(close),
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            let kind = fields.get("type");
            let object = kind.is_some_and(|kind| {
                kind == "object"
                    || kind
                        .as_array()
                        .is_some_and(|all| all.contains(&json!("object")))
            });
            if object && fields.contains_key("properties") {
                let field = fields.entry("additionalProperties");
                field.or_insert(Value::Bool(false));
            }
        }
        _ => {}
    }
}
