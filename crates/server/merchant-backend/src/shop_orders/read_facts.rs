//! Parses the facts of an order from a signed token or from the shop's answer.

use crate::json_value::{ReadValue, ValueRules};
use crate::random::identifier;
use payment_model::{Fields, PaymentMethodName, Person, Timestamp};
use payment_rules::order::{MAX_AMOUNT_CENTS, OrderItem, are_methods, cents, is_label};
use payment_rules::timing::read_rfc3339;
use serde::de::{self, Deserialize, DeserializeOwned, DeserializeSeed, Deserializer};
use serde_json::Value;
use std::ops::RangeInclusive;

/// A fact that is missing or wrong. The message quotes no value, since a value may be personal data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{fact}` {why}")]
pub(crate) struct WrongFact {
    pub(crate) fact: String,
    pub(crate) why: &'static str,
}

impl WrongFact {
    pub(crate) fn new(fact: &str, why: &'static str) -> Self {
        let fact = fact.to_owned();
        Self { fact, why }
    }
}

/// A JSON object in which no member comes twice, at any depth: another parser might take the other one.
#[derive(Debug)]
pub(crate) struct UniqueFields(pub(crate) Fields);

#[derive(Clone, Copy)]
struct NoRepetition;

impl ValueRules for NoRepetition {
    fn text(self, text: &str) -> String {
        text.to_owned()
    }

    /// The message is that of serde for a struct.
    fn differing<E: de::Error>(self, name: &str) -> Result<Value, E> {
        let name: String = name.chars().filter(|c| *c != '`').take(64).collect();
        Err(E::custom(format_args!("duplicate field `{name}`")))
    }

    fn repeated<E: de::Error>(self, name: &str, _: Value) -> Result<Value, E> {
        self.differing(name)
    }
}

impl<'de> Deserialize<'de> for UniqueFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match ReadValue(NoRepetition).deserialize(deserializer)? {
            Value::Object(fields) => Ok(Self(fields)),
            _ => Err(de::Error::custom("expected an object")),
        }
    }
}

/// The facts of an order, not yet compared with the merchant's stores.
pub(crate) struct ShopFacts {
    pub(crate) order_id: String,
    /// A short name for people.
    pub(crate) label: Option<String>,
    /// In cents.
    pub(crate) amount: u64,
    pub(crate) currency: String,
    /// The store that sells. Optional for a merchant with one store.
    pub(crate) merchant_code: Option<String>,
    pub(crate) payer: Person,
    pub(crate) products: Vec<OrderItem>,
    /// The only methods by which the order may be paid.
    pub(crate) methods: Option<Vec<PaymentMethodName>>,
    /// No attempt to pay begins at or after this instant.
    pub(crate) pay_until: Option<Timestamp>,
}

impl ShopFacts {
    /// Parses the facts, and removes their fields from the map. Other fields stay in it.
    pub(crate) fn take(fields: &mut Fields) -> Result<Self, WrongFact> {
        // Many languages write a missing value as null.
        fields.retain(|_, value| !value.is_null());
        let order_id = text(fields, "order_id")?;
        let order_id = identifier(&order_id).map_err(|why| WrongFact::new("order_id", why))?;
        let label = match fields.get("label") {
            Some(_) => Some(text(fields, "label")?),
            None => None,
        };
        if label.as_deref().is_some_and(|label| !is_label(label)) {
            let why = "must be 1 to 40 characters in one line, without blanks around them";
            return Err(WrongFact::new("label", why));
        }
        Ok(Self {
            order_id,
            label,
            amount: amount(fields.remove("amount").as_ref())?,
            currency: text(fields, "currency")?,
            merchant_code: match fields.get("merchant_code") {
                Some(_) => Some(text(fields, "merchant_code")?),
                None => None,
            },
            payer: read(fields, "payer")?.unwrap_or_default(),
            products: read(fields, "products")?.unwrap_or_default(),
            methods: match fields.remove("methods") {
                Some(value) => Some(methods(&value)?),
                None => None,
            },
            pay_until: match fields.remove("pay_until") {
                Some(value) => Some(instant("pay_until", &value)?),
                None => None,
            },
        })
    }
}

/// Rejects unknown fields: an unknown field may be a known one with a spelling mistake.
pub(crate) fn nothing_else(fields: &Fields) -> Result<(), WrongFact> {
    match fields.keys().next() {
        None => Ok(()),
        Some(name) => {
            let name: String = name.chars().take(64).collect();
            Err(WrongFact::new(&name, "is no fact of an order"))
        }
    }
}

pub(super) fn text(fields: &mut Fields, name: &str) -> Result<String, WrongFact> {
    match fields.remove(name) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(WrongFact::new(name, "must be a text")),
        None => Err(WrongFact::new(name, "is missing")),
    }
}

fn methods(value: &Value) -> Result<Vec<PaymentMethodName>, WrongFact> {
    let named = |value: &Value| value.as_str().map(PaymentMethodName::from);
    let methods: Option<Vec<_>> = value
        .as_array()
        .and_then(|list| list.iter().map(named).collect());
    let why =
        "must be a list of at least one method by its name in capital letters, such as [\"QR\"]";
    let methods = methods.filter(|methods| are_methods(methods));
    // A list in another order says the same.
    let unique = methods.map(|mut methods| {
        methods.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        methods.dedup();
        methods
    });
    unique.ok_or_else(|| WrongFact::new("methods", why))
}

/// The years from 2000 to 2100.
const SECONDS: RangeInclusive<i64> = 946_684_800..=4_133_980_799;

/// Reads an instant from whole seconds since 1970, as in the claim `exp`, or from a text by RFC 3339, as in
/// the answers of this server.
pub(crate) fn instant(name: &str, value: &Value) -> Result<Timestamp, WrongFact> {
    let instant = match value {
        // A number of milliseconds would be an instant that never comes.
        Value::Number(seconds) => seconds
            .as_i64()
            .filter(|at| SECONDS.contains(at))
            .map(Timestamp::from_secs),
        Value::String(text) => read_rfc3339(text).filter(|at| SECONDS.contains(&at.as_secs())),
        _ => None,
    };
    let why = "must be a time from 2000 to 2100, in whole seconds since 1970 or as a text such as 2026-11-27T18:00:00Z";
    instant.ok_or_else(|| WrongFact::new(name, why))
}

fn amount(value: Option<&Value>) -> Result<u64, WrongFact> {
    let why = match value.map(cents) {
        None => "is missing",
        Some(Some(cents)) if (1..=MAX_AMOUNT_CENTS).contains(&cents) => return Ok(cents),
        Some(_) => "must be a whole number of cents, at least 1",
    };
    Err(WrongFact::new("amount", why))
}

fn read<T: DeserializeOwned>(fields: &mut Fields, name: &str) -> Result<Option<T>, WrongFact> {
    let Some(value) = fields.remove(name) else {
        return Ok(None);
    };
    let wrong = |path: String, why| {
        let path = match path.as_str() {
            "." => name.to_owned(),
            path if path.starts_with('[') => format!("{name}{path}"),
            path => format!("{name}.{path}"),
        };
        WrongFact::new(&path, why)
    };
    if name == "payer" && value.is_array() {
        return Err(wrong(".".to_owned(), "must be an object"));
    }
    if let Some(list) = list_of_members(&value) {
        return Err(wrong(list, "must be an object"));
    }
    let mut unknown = None;
    let mut note = |path: serde_ignored::Path<'_>| {
        unknown.get_or_insert_with(|| written(&path.to_string()));
    };
    let read = serde_path_to_error::deserialize(serde_ignored::Deserializer::new(value, &mut note));
    let read = read.map_err(|error| {
        let why = "is missing there, or has another form";
        wrong(error.path().to_string(), why)
    })?;
    match unknown {
        None => Ok(Some(read)),
        Some(path) => Err(wrong(path, "is no fact of an order")),
    }
}

/// A path as the other paths are written: without marks of optional values, and with indexes in brackets.
fn written(path: &str) -> String {
    let parts = path.split('.').filter(|part| *part != "?");
    let parts = parts.map(|part| match part.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => format!(".{part}"),
    });
    parts.collect::<String>().trim_start_matches('.').to_owned()
}

/// The place of a list where an object belongs: serde reads one by the positions of the members. Only the products
/// are a list.
fn list_of_members(value: &Value) -> Option<String> {
    let inner = |value: &Value| {
        let mut members = value.as_object()?.iter();
        // PHP writes an object without members as an empty list.
        let is_list = |value: &Value| value.as_array().is_some_and(|list| !list.is_empty());
        members.find_map(|(name, value)| is_list(value).then(|| name.clone()))
    };
    match value {
        Value::Array(items) => items.iter().enumerate().find_map(|(place, item)| {
            let place = format!("[{place}]");
            if item.is_array() {
                return Some(place);
            }
            inner(item).map(|name| format!("{place}.{name}"))
        }),
        value => inner(value),
    }
}

#[cfg(test)]
mod tests {
    use super::{ShopFacts, UniqueFields, WrongFact, nothing_else};
    use payment_model::{Fields, Timestamp};
    use serde_json::{Value, json};

    fn facts(change: fn(&mut Value)) -> Result<ShopFacts, WrongFact> {
        let mut facts = json!({"order_id": "A-1", "amount": 12990, "currency": "PEN",
            "payer": {"first_name": "Ana"},
            "products": [{"sku": "m", "name": "Bag", "quantity": 1, "unit_price": 12990}]});
        change(&mut facts);
        let mut fields: Fields = serde_json::from_value(facts).unwrap();
        let facts = ShopFacts::take(&mut fields)?;
        nothing_else(&fields)?;
        Ok(facts)
    }

    #[test]
    fn an_amount_is_a_number_or_a_text_and_the_rest_may_be_unknown() {
        let told = facts(|_| {}).ok().unwrap();
        assert_eq!((told.amount, told.products.len()), (12_990, 1));
        assert_eq!(told.payer.first_name.as_deref(), Some("Ana"));
        let told = facts(|facts| {
            facts["amount"] = json!("12990");
            facts["payer"] = Value::Null;
            facts.as_object_mut().unwrap().remove("products");
        });
        let told = told.ok().unwrap();
        assert_eq!((told.amount, told.products.len()), (12_990, 0));
    }

    #[test]
    fn the_end_of_an_order_is_seconds_or_a_text() {
        let end = |change: fn(&mut Value)| facts(change).map(|facts| facts.pay_until);
        assert_eq!(end(|_| {}), Ok(None));
        assert_eq!(end(|f| f["pay_until"] = Value::Null), Ok(None));
        let at = Some(Timestamp::from_secs(1_795_802_400));
        assert_eq!(end(|f| f["pay_until"] = json!(1_795_802_400)), Ok(at));
        assert_eq!(
            end(|f| f["pay_until"] = json!("2026-11-27T13:00:00-05:00")),
            Ok(at)
        );
        for wrong in [
            |f: &mut Value| f["pay_until"] = json!("tomorrow"),
            |f: &mut Value| f["pay_until"] = json!("2026-11-27T13:00:00"),
            |f: &mut Value| f["pay_until"] = json!(1.5),
            |f: &mut Value| f["pay_until"] = json!(1_795_802_400_000_i64),
            |f: &mut Value| f["pay_until"] = json!(1),
            |f: &mut Value| f["pay_until"] = json!("1970-01-01T00:00:01Z"),
        ] {
            assert_eq!(end(wrong).unwrap_err().fact, "pay_until");
        }
    }

    #[test]
    fn a_wrong_fact_is_named_and_not_quoted() {
        let wrong = |change: fn(&mut Value)| facts(change).err().unwrap().fact;
        assert_eq!(wrong(|f| f["order_id"] = json!("a/b")), "order_id");
        assert_eq!(wrong(|f| f["order_id"] = json!("")), "order_id");
        assert_eq!(wrong(|f| f["order_id"] = json!(7)), "order_id");
        for amount in [
            |f: &mut Value| f["amount"] = json!(129.90),
            |f: &mut Value| f["amount"] = json!("129.90"),
            |f: &mut Value| f["amount"] = json!(0),
            |f: &mut Value| f["amount"] = json!(-1),
            |f: &mut Value| f["amount"] = json!(u64::MAX),
            |f: &mut Value| f["amount"] = json!(""),
            |f: &mut Value| f["amount"] = Value::Null,
        ] {
            assert_eq!(wrong(amount), "amount");
        }
        assert_eq!(wrong(|f| f["label"] = json!(" R-1")), "label");
        assert_eq!(wrong(|f| f["label"] = json!(1042)), "label");
        assert_eq!(wrong(|f| f["currency"] = json!(604)), "currency");
        assert_eq!(wrong(|f| f["merchant_code"] = json!(1)), "merchant_code");
        assert_eq!(wrong(|f| f["payer"] = json!("Ana")), "payer");
        assert_eq!(wrong(|f| f["payer"]["email"] = json!(7)), "payer.email");
        let price = |f: &mut Value| f["products"][0]["unit_price"] = json!("129.90");
        assert_eq!(wrong(price), "products[0].unit_price");
        let quantity = |f: &mut Value| f["products"][0]["quantity"] = json!(-1);
        assert_eq!(wrong(quantity), "products[0].quantity");
        assert_eq!(wrong(|f| f["product"] = json!([])), "product");
        assert_eq!(wrong(|f| f["payer"]["mail"] = json!("a@b")), "payer.mail");
        let postcode = |f: &mut Value| f["payer"]["location"] = json!({"postcode": "15001"});
        assert_eq!(wrong(postcode), "payer.location.postcode");
        let further = |f: &mut Value| f["products"][0]["color"] = json!("red");
        assert_eq!(wrong(further), "products[0].color");
        assert_eq!(
            wrong(|f| f["payer"]["phone"] = json!(["51", "9"])),
            "payer.phone"
        );
        assert_eq!(wrong(|f| f["payer"] = json!(["Ana"])), "payer");
        assert_eq!(
            wrong(|f| f["products"] = json!([["m", "Bag", 1, 1]])),
            "products[0]"
        );
    }

    #[test]
    fn null_is_an_absent_fact_and_a_member_comes_once_at_any_depth() {
        let told = facts(|f| {
            for name in [
                "label",
                "methods",
                "pay_until",
                "merchant_code",
                "payer",
                "products",
            ] {
                f[name] = Value::Null;
            }
        });
        let told = told.ok().unwrap();
        assert_eq!(
            (told.label, told.pay_until, told.merchant_code),
            (None, None, None)
        );
        for text in [
            r#"{"amount":1,"amount":1}"#,
            r#"{"amount":1,"amount":2}"#,
            r#"{"payer":{"email":"a","email":"b"}}"#,
            r#"{"products":[{"sku":"a","sku":"a"}]}"#,
        ] {
            let error = serde_json::from_str::<UniqueFields>(text).unwrap_err();
            assert!(
                error.to_string().starts_with("duplicate field `"),
                "{error}"
            );
        }
    }
}
