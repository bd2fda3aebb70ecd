use merchant_backend::Problem;
use payment_model::{Location, Person, Phone};
use serde::Deserialize;
use serde_json::Value;

/// The maximum length of an e-mail address, which is the longest field.
const MAX_TEXT_CHARS: usize = 254;

/// The person who orders. It is not a [`Person`], since that one ignores unknown fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Customer {
    first_name: Option<String>,
    last_name: Option<String>,
    email: Option<String>,
    phone: Option<Phone>,
    location: Option<Location>,
}

impl Customer {
    /// The person, if no text is too long.
    pub(super) fn checked(self) -> Result<Person, Problem> {
        let person = Person {
            first_name: self.first_name,
            last_name: self.last_name,
            email: self.email,
            phone: self.phone,
            location: self.location,
        };
        let written = serde_json::to_value(&person).unwrap_or_default();
        match too_long(&written, "customer") {
            Some(field) => {
                let detail = format!(
                    "The field `{field}` must be a text of at most {MAX_TEXT_CHARS} characters."
                );
                Err(Problem::bad_request(detail).with("field", field))
            }
            None => Ok(person),
        }
    }
}

/// The path of a field that is too long.
fn too_long(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::String(text) => (text.chars().count() > MAX_TEXT_CHARS).then(|| path.to_owned()),
        Value::Object(fields) => fields
            .iter()
            .find_map(|(name, value)| too_long(value, &format!("{path}.{name}"))),
        _ => None,
    }
}
