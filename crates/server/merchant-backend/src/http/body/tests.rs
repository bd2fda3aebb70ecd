use super::{ByName, Text, contains_nul, read_json};
use crate::http::problem::Problem;
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the reading is tested")]
struct Outer {
    name: Text,
    label: Option<Text>,
    #[serde(default)]
    items: Vec<ByName<Inner>>,
    any: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the reading is tested")]
struct Inner {
    amount: u32,
}

fn read(text: &str) -> Result<Outer, Problem> {
    read_json(text.as_bytes())
}

#[test]
fn a_refusal_names_the_field_and_what_is_wrong_with_it_but_no_value() {
    for (text, field, word) in [
        ("{}", "name", "missing"),
        (r#"{"name":null}"#, "name", "type"),
        (r#"{"name":""}"#, "name", "type"),
        (r#"{"name":"a","label":""}"#, "label", "type"),
        (r#"{"name":{"canary":1}}"#, "name", "type"),
        (r#"{"name":"a","canary":1}"#, "canary", "allowed"),
        (r#"{"name":"canary","name":"a"}"#, "name", "once"),
        (r#"{"name":"canary","\u006eame":"a"}"#, "name", "once"),
        (r#"{"name":"a","items":"canary"}"#, "items", "type"),
        (r#"{"name":"a","items":[7]}"#, "items[0]", "type"),
        (r#"{"name":"a","items":[[7]]}"#, "items[0]", "type"),
        (r#"{"name":"a","items":[{}]}"#, "items[0].amount", "missing"),
        (
            r#"{"name":"a","items":[{"amount":1},{"amount":"canary"}]}"#,
            "items[1].amount",
            "type",
        ),
        (
            r#"{"name":"a","items":[{"amount":-1}]}"#,
            "items[0].amount",
            "type",
        ),
        (
            r#"{"name":"a","items":[{"amount":1,"tax":1}]}"#,
            "items[0].tax",
            "allowed",
        ),
        (
            r#"{"name":"a","items":[{"amount":1,"amount":2}]}"#,
            "items[0].amount",
            "once",
        ),
    ] {
        let body = read(text).unwrap_err().body();
        assert_eq!(body["field"], field, "{text}");
        let kind = match word {
            "allowed" => "urn:payment-checkout:problem:field-not-allowed",
            _ => "urn:payment-checkout:problem:bad-request",
        };
        assert_eq!(body["type"], kind, "{text}");
        let detail = body["detail"].as_str().unwrap();
        assert!(detail.contains(&format!("`{field}`")), "{text}: {detail}");
        assert!(detail.contains(word), "{text}: {detail}");
        assert!(field == "canary" || !body.to_string().contains("canary"));
    }
}

#[test]
fn what_is_no_object_is_refused_and_a_value_of_it_is_not_repeated() {
    let deep = format!(r#"{{"name":"a","any":{}"#, "[".repeat(10_000));
    for (text, said) in [
        ("", "empty"),
        (" \n", "empty"),
        ("[]", "must be a JSON object"),
        (r#"["canary"]"#, "must be a JSON object"),
        ("null", "must be a JSON object"),
        (r#""canary""#, "must be a JSON object"),
        ("{\n\"canary", "JSON at line 2, column 7"),
        (r#"{"name":"canary"} x"#, "JSON at line 1, column 19"),
        (r#"{"name":"canary",}"#, "JSON at line 1, column 18"),
        (r#"{"name":"a","any":1e999}"#, "JSON at line 1"),
        (&deep, "JSON at line 1"),
        (r#"{"name":"canary\u0000"}"#, "U+0000"),
    ] {
        let body = read(text).unwrap_err().body();
        let detail = body["detail"].as_str().unwrap();
        assert!(detail.contains(said), "{text:.20}: {detail}");
        assert_eq!(body.get("field"), None, "{text:.20}");
        assert!(!body.to_string().contains("canary"), "{text:.20}");
    }
}

#[test]
fn a_name_from_outside_is_cut() {
    let text = format!(r#"{{"{}":1}}"#, "x".repeat(9_000));
    let body = read(&text).unwrap_err().body();
    assert_eq!(body["field"], "x".repeat(100));
}

#[test]
fn within_a_part_of_any_shape_the_last_one_of_a_name_counts() {
    let body = read(r#"{"name":"a","label":null,"any":{"b":1,"b":2}}"#).unwrap();
    assert_eq!(body.any, Some(serde_json::json!({"b": 2})));
}

#[derive(Deserialize)]
struct Pair {
    one: u8,
    two: Option<u8>,
}

#[test]
fn a_list_is_no_object() {
    let ByName(pair) = serde_json::from_str::<ByName<Pair>>(r#"{"one": 1}"#).unwrap();
    assert_eq!((pair.one, pair.two), (1, None));
    assert!(serde_json::from_str::<Pair>("[1, 2]").is_ok());
    for other in ["[1, 2]", "[]", "null", "1"] {
        assert!(
            serde_json::from_str::<ByName<Pair>>(other).is_err(),
            "{other}"
        );
    }
}

#[test]
fn the_character_nul_is_found_in_every_text_and_name() {
    for json in [
        r#""\u0000""#,
        r#"[["a\u0000"]]"#,
        r#"{"a": {"b\u0000": 1}}"#,
        r#""\\\u0000""#,
        r#""\n\u0000""#,
    ] {
        assert!(contains_nul(json.as_bytes()), "{json}");
    }
    for json in [r#"["\\u0000", 0, "u0000", "\u0001", "\ufffd"]"#, "\\", ""] {
        assert!(!contains_nul(json.as_bytes()), "{json}");
    }
}
