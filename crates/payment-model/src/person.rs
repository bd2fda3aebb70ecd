use crate::lenient::absent;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Somebody in a request: the blocks `billing`, `shipping` and `customer` (Shared objects).
/// Which parts are required is not shown, so each may be absent.
///
/// `Debug` prints none of them: persons never reach a log.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default)]
pub struct Person {
    /// Given name.
    #[serde(skip_serializing_if = "absent")]
    pub first_name: Option<String>,
    /// Family name.
    #[serde(skip_serializing_if = "absent")]
    pub last_name: Option<String>,
    /// E-mail address.
    #[serde(skip_serializing_if = "absent")]
    pub email: Option<String>,
    /// Telephone.
    #[serde(skip_serializing_if = "absent")]
    pub phone: Option<Phone>,
    /// Address.
    #[serde(skip_serializing_if = "absent")]
    pub location: Option<Location>,
}

/// A telephone number (Shared objects, person block).
///
/// `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default)]
pub struct Phone {
    /// Country calling code, as text.
    #[serde(skip_serializing_if = "absent")]
    pub country_code: Option<String>,
    /// The number within the country.
    #[serde(skip_serializing_if = "absent")]
    pub subscriber: Option<String>,
}

/// A postal address (Shared objects, person block).
///
/// `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default)]
pub struct Location {
    /// Street and number.
    #[serde(skip_serializing_if = "absent")]
    pub line_1: Option<String>,
    /// Flat, floor and the like.
    #[serde(skip_serializing_if = "absent")]
    pub line_2: Option<String>,
    /// City.
    #[serde(skip_serializing_if = "absent")]
    pub city: Option<String>,
    /// State, department or province.
    #[serde(skip_serializing_if = "absent")]
    pub state: Option<String>,
    /// Country; its format is not shown.
    #[serde(skip_serializing_if = "absent")]
    pub country: Option<String>,
}

macro_rules! redacted {
    ($($name:ident)+) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(redacted)"))
            }
        }
    )+};
}

redacted!(Person Phone Location);

#[cfg(test)]
mod tests {
    use super::Person;

    #[test]
    fn debug_shows_nobody() {
        let json = r#"{"first_name":"Canary","email":"canary@example.com","phone":{"subscriber":"999"},"location":{"city":"Lima"}}"#;
        let person: Person = serde_json::from_str(json).unwrap();
        let shown = format!("{person:?} {:?} {:?}", person.phone, person.location);
        for secret in ["Canary", "canary", "999", "Lima"] {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert_eq!(serde_json::to_string(&person).unwrap(), json);
    }
}
