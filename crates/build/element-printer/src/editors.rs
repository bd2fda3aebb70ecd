//! The custom-elements manifest, and what editors of HTML read: custom data for VS Code and those that share its
//! format, and web-types for JetBrains'.

use crate::declaration::sentence;
use element_surface::{Attribute, CHECKOUT, Element, Event, Named, OPERATIONS, Values};
use serde_json::{Value, json};

const PACKAGE: &str = "payment-checkout-element";

/// Each element with the module that exports its class, and the one that registers it.
const ELEMENTS: [(&Element, &str, &str); 2] = [
    (
        &CHECKOUT,
        "element/element.js",
        "element/payment-checkout.js",
    ),
    (
        &OPERATIONS,
        "operations/operations.js",
        "operations/payment-operations.js",
    ),
];

pub(super) fn manifest() -> String {
    let classes = ELEMENTS.iter().map(|(element, module, _)| {
        json!({
            "kind": "javascript-module",
            "path": module,
            "declarations": [class(element)],
            "exports": [{
                "kind": "js",
                "name": element.class,
                "declaration": { "name": element.class, "module": module },
            }],
        })
    });
    let definitions = ELEMENTS.iter().map(|(element, module, definition)| {
        json!({
            "kind": "javascript-module",
            "path": definition,
            "declarations": [],
            "exports": [{
                "kind": "custom-element-definition",
                "name": element.tag,
                "declaration": { "name": element.class, "module": module },
            }],
        })
    });
    let modules: Vec<_> = classes.chain(definitions).collect();
    written(&json!({ "schemaVersion": "1.0.0", "readme": "", "modules": modules }))
}

fn class(element: &Element) -> Value {
    let described = |things: &[Named]| -> Vec<Value> {
        things
            .iter()
            .map(|Named { name, about }| json!({ "name": name, "description": sentence(about) }))
            .collect()
    };
    let custom_properties: Vec<_> = element.custom_properties.iter().map(|property| {
        json!({ "name": property.name, "description": sentence(property.about), "default": property.default.replace('`', "") })
    }).collect();
    let attributes: Vec<_> = element
        .attributes
        .iter()
        .map(|attribute| {
            json!({
                "name": attribute.name,
                "type": { "text": type_of(attribute) },
                "description": about(attribute),
                "fieldName": attribute.property(),
            })
        })
        .collect();
    json!({
        "kind": "class",
        "description": element.about,
        "name": element.class,
        "superclass": { "name": "HTMLElement" },
        "tagName": element.tag,
        "customElement": true,
        "attributes": attributes,
        "members": members(element),
        "events": element.events.iter().map(event).collect::<Vec<_>>(),
        "slots": described(element.slots),
        "cssProperties": custom_properties,
        "cssParts": described(element.parts),
    })
}

fn members(element: &Element) -> Vec<Value> {
    let reflected = element.attributes.iter().map(|attribute| {
        let null = if matches!(attribute.values, Values::Switch) {
            ""
        } else {
            " | null"
        };
        json!({
            "kind": "field",
            "name": attribute.property(),
            "type": { "text": format!("{}{null}", type_of(attribute)) },
            "description": about(attribute),
            "attribute": attribute.name,
            "reflects": true,
        })
    });
    let properties = element.properties.iter().map(|member| {
        json!({
            "kind": "field",
            "name": member.name,
            "type": { "text": member.typescript },
            "description": sentence(member.about),
            "readonly": member.is_read_only,
        })
    });
    let methods = element.methods.iter().map(|member| {
        let result = member.typescript.rsplit("): ").next().unwrap_or_default();
        json!({
            "kind": "method",
            "name": member.name,
            "return": { "type": { "text": result } },
            "description": sentence(member.about),
        })
    });
    let version = json!({
        "kind": "field",
        "name": "version",
        "static": true,
        "type": { "text": "string" },
        "description": "The version of the package.",
    });
    reflected
        .chain(properties)
        .chain([version])
        .chain(methods)
        .collect()
}

pub(super) fn custom_data() -> String {
    let tags: Vec<_> = ELEMENTS
        .iter()
        .map(|(element, ..)| {
            let events = element.events.iter().map(|event| (event.name, event.when));
            let slots = element.slots.iter().map(|slot| (slot.name, slot.about));
            let text = [
                element.about.to_owned(),
                list("Events", events),
                list("Slots", slots),
            ]
            .concat();
            let attributes: Vec<_> = element
                .attributes
                .iter()
                .map(|attribute| {
                    let mut data = json!({
                        "name": attribute.name,
                        "description": { "kind": "markdown", "value": about(attribute) },
                    });
                    if matches!(attribute.values, Values::Switch) {
                        // `v` is the set of what has no value.
                        data["valueSet"] = json!("v");
                    }
                    if !attribute.words().is_empty() {
                        data["values"] = attribute
                            .words()
                            .iter()
                            .map(|word| json!({ "name": word }))
                            .collect();
                    }
                    data
                })
                .collect();
            json!({
                "name": element.tag,
                "description": { "kind": "markdown", "value": text },
                "attributes": attributes,
            })
        })
        .collect();
    written(&json!({ "version": 1.1, "tags": tags }))
}

fn list<'a>(title: &str, things: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let lines: Vec<_> = things
        .filter(|(name, _)| !name.is_empty())
        .map(|(name, about)| format!("- `{name}`: {}", sentence(about)))
        .collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("\n\n{title}:\n\n{}", lines.join("\n"))
    }
}

pub(super) fn web_types() -> String {
    let described =
        |name: &str, about: &str| json!({ "name": name, "description": sentence(about) });
    let elements: Vec<_> = ELEMENTS.iter().map(|(element, ..)| {
        let attributes: Vec<_> = element.attributes.iter().map(|attribute| {
            let value = match attribute.values {
                Values::Switch => json!({ "kind": "no-value" }),
                _ => json!({ "type": type_of(attribute) }),
            };
            json!({ "name": attribute.name, "description": about(attribute), "value": value })
        }).collect();
        let slots = element.slots.iter().filter(|slot| !slot.name.is_empty());
        let fields = members(element).into_iter().filter(|member| member["kind"] == "field");
        let properties: Vec<_> = fields.map(|field| {
            json!({ "name": field["name"], "description": field["description"], "type": field["type"]["text"] })
        }).collect();
        let events: Vec<_> = element.events.iter().map(|event| {
            json!({ "name": event.name, "description": sentence(event.when), "type": event.typescript })
        }).collect();
        json!({
            "name": element.tag,
            "description": element.about,
            "attributes": attributes,
            "slots": slots.map(|slot| described(slot.name, slot.about)).collect::<Vec<_>>(),
            "js": { "properties": properties, "events": events },
            "css": {
                "properties": element.custom_properties.iter().map(|property| {
                    json!({ "name": property.name, "description": sentence(property.about), "default": property.default.replace('`', "") })
                }).collect::<Vec<_>>(),
                "parts": element.parts.iter().map(|part| described(part.name, part.about)).collect::<Vec<_>>(),
            },
        })
    }).collect();
    written(&json!({
        "$schema": "https://json.schemastore.org/web-types",
        "name": PACKAGE,
        "version": env!("CARGO_PKG_VERSION"),
        "js-types-syntax": "typescript",
        "description-markup": "markdown",
        "contributions": { "html": { "elements": elements } },
    }))
}

fn event(event: &Event) -> Value {
    json!({ "name": event.name, "type": { "text": event.typescript }, "description": sentence(event.when) })
}

fn about(attribute: &Attribute) -> String {
    match attribute.absent {
        "" => sentence(&attribute.described()),
        absent => sentence(&format!("{}. If absent: {absent}", attribute.described())),
    }
}

/// The type of an attribute as a union of its words, which editors complete.
fn type_of(attribute: &Attribute) -> String {
    let words = attribute.words().iter().map(|word| format!("'{word}'"));
    let words = words.collect::<Vec<_>>().join(" | ");
    match attribute.values {
        Values::Text(_) => "string".to_owned(),
        Values::Words(..) => words,
        Values::Open(..) => format!("{words} | string"),
        Values::Switch => "boolean".to_owned(),
    }
}

fn written(value: &Value) -> String {
    format!("{value:#}\n")
}
