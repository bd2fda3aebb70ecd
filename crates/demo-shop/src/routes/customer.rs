use merchant_backend::{Object, Problem, wrong};
use payment_model::Person;
use serde_json::Value;

/// The longest text of a person: an e-mail address may have 254 characters.
const LONGEST_TEXT: usize = 254;

/// The person who orders, with the fields that came.
pub(super) fn customer(root: Object<'_>) -> Result<Person, Problem> {
    let Some(value) = root.get("customer") else {
        return Ok(Person::default());
    };
    let person = Object::at(value, "customer")?;
    person.only(&["first_name", "last_name", "email", "phone", "location"])?;
    // The parser's message about a person is not repeated, since it quotes values.
    let read = serde_json::from_value(value.clone());
    let person: Person = read.map_err(|_| wrong("customer", "a person whose parts are texts"))?;
    let told = serde_json::to_value(&person).unwrap_or_default();
    match too_long(&told, "customer") {
        Some(field) => {
            let expected = format!("a text of at most {LONGEST_TEXT} characters");
            Err(wrong(&field, &expected))
        }
        None => Ok(person),
    }
}

/// The path of a text that is longer than any person's.
fn too_long(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::String(text) => (text.chars().count() > LONGEST_TEXT).then(|| path.to_owned()),
        Value::Object(fields) => fields
            .iter()
            .find_map(|(name, value)| too_long(value, &format!("{path}.{name}"))),
        _ => None,
    }
}
