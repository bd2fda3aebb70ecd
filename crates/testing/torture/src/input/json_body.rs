//! Changes of a JSON body that leave the rest of it valid.

use super::odd_values;
use crate::request::Request;
use fastrand::Rng;
use serde_json::Value;

/// Stands where a piece is put that may be no JSON.
const PLACE: &str = "@place@";

/// Puts an odd value, or the name of another thing, in the place of a value at any depth.
pub(super) fn change_value(request: &mut Request, random: &mut Rng, names: &[String]) {
    let Ok(mut body) = serde_json::from_slice::<Value>(&request.body) else {
        return;
    };
    let piece = match random.choice(names) {
        Some(name) if random.u8(..100) < 15 => Value::from(name.as_str()).to_string(),
        _ => odd_values::json(random),
    };
    let at = random.usize(..count(&body));
    if let Some(value) = nth(&mut body, &mut { at }) {
        *value = PLACE.into();
    }
    put(request, &body, &piece);
}

/// Removes a field, renames it, repeats it, or adds one that nobody knows.
pub(super) fn change_field(request: &mut Request, random: &mut Rng) {
    let Ok(mut body) = serde_json::from_slice::<Value>(&request.body) else {
        return;
    };
    let at = random.usize(..count(&body));
    let mut value = nth(&mut body, &mut { at });
    if !matches!(value, Some(Value::Object(_))) {
        value = Some(&mut body);
    }
    let Some(Value::Object(fields)) = value else {
        return;
    };
    let names: Vec<String> = fields.keys().cloned().collect();
    let Some(name) = random.choice(&names).cloned() else {
        return;
    };
    let mut piece = "0".to_owned();
    match random.usize(..4) {
        0 => drop(fields.remove(&name)),
        1 => {
            let value = fields.remove(&name).unwrap_or_default();
            fields.insert(odd_values::text(random), value);
        }
        // The text of the place becomes a second field.
        2 => {
            let value = fields.get(&name).cloned().unwrap_or_default();
            piece = format!("{value},{}:{value}", Value::from(name.as_str()));
            fields.insert(name, PLACE.into());
        }
        _ => {
            let known = "amount merchant_code currency store order __proto__ callback_url a";
            let known: Vec<&str> = known.split(' ').collect();
            let field = random.choice(known).unwrap_or_default();
            fields.insert(field.to_owned(), PLACE.into());
            piece = odd_values::json(random);
        }
    }
    put(request, &body, &piece);
}

fn put(request: &mut Request, body: &Value, piece: &str) {
    let place = Value::from(PLACE).to_string();
    request.body = body.to_string().replace(&place, piece).into_bytes();
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum::<usize>(),
        _ => 0,
    }
}

/// The value with this number, if each value comes before those within it.
fn nth<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        Value::Object(fields) => fields.values_mut().find_map(|field| nth(field, left)),
        _ => None,
    }
}
