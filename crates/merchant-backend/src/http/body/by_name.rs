use serde::Serialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// A JSON object with the fields of a struct. Without it serde's derive takes a list for a struct
/// too, and gives its items to the fields in the order of the source.
#[derive(Debug, Serialize)]
pub struct ByName<T>(
    /// The struct.
    pub T,
);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByName<T> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_map(ObjectVisitor(PhantomData)).map(Self)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::ByName;
    use serde::Deserialize;

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
}
