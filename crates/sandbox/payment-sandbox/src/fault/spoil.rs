use super::Happening;
use serde_json::Value;

/// Changes the body of an answer by a fault.
pub(crate) fn spoil(happening: &Happening, body: &mut Value) {
    match happening {
        Happening::UnknownState { state } => {
            let state = Value::String(state.clone());
            for pointer in ["/transaction/state", "/operation/state"] {
                replace(body, pointer, &state);
            }
            let transactions = body.pointer_mut("/operation/transactions");
            for transaction in transactions
                .and_then(Value::as_array_mut)
                .into_iter()
                .flatten()
            {
                replace(transaction, "/state", &state);
            }
        }
        Happening::Replace { pointer, value } => put(body, pointer, value),
        _ => {}
    }
}

fn replace(body: &mut Value, pointer: &str, value: &Value) {
    if let Some(place) = body.pointer_mut(pointer) {
        *place = value.clone();
    }
}

/// Replaces the value at `pointer`, or adds it to its parent object.
fn put(body: &mut Value, pointer: &str, value: &Value) {
    if body.pointer(pointer).is_some() {
        return replace(body, pointer, value);
    }
    let Some((parent, name)) = pointer.rsplit_once('/') else {
        return;
    };
    if let Some(Value::Object(fields)) = body.pointer_mut(parent) {
        fields.insert(name.to_owned(), value.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::{Happening, spoil};
    use serde_json::json;

    #[test]
    fn every_state_of_an_answer_is_replaced_and_its_lifecycle_is_not() {
        let mut body = json!({"operation": {"state": "A", "transactions": [
            {"state": "A", "lifecycle": [{"state": "A"}]}, {"state": "B"}]}});
        spoil(
            &Happening::UnknownState {
                state: "X".to_owned(),
            },
            &mut body,
        );
        let expected = json!({"operation": {"state": "X", "transactions": [
            {"state": "X", "lifecycle": [{"state": "A"}]}, {"state": "X"}]}});
        assert_eq!(body, expected);
    }

    #[test]
    fn any_value_of_an_answer_can_be_replaced_or_added() {
        let mut body = json!({"operation": {"amount": "1"}});
        let mut put = |pointer: &str| {
            let (pointer, value) = (pointer.to_owned(), json!("2"));
            spoil(&Happening::Replace { pointer, value }, &mut body);
        };
        put("/operation/amount");
        put("/operation/echo");
        put("/nowhere/at/all");
        assert_eq!(body, json!({"operation": {"amount": "2", "echo": "2"}}));
    }
}
