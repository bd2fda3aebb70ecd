//! Removes the payer's data from stored answers of the payment service.

use crate::ledger::ATTEMPT_ID_FIELD;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The fields of a processor's response that stay, because staff need them to talk about a payment.
/// The specification documents each of them.
const KEPT_PROCESSOR_FIELDS: [&str; 10] = [
    "date",
    "qr_id",
    "result_message",
    "credit_status",
    "operation_id",
    "cip",
    "cip_url",
    "payment_date",
    "operationNumber",
    "request_id",
];

/// Removes everything from the service's answer that is, or may be, the payer's: accounts, masked
/// numbers, details of the method, undocumented fields.
pub fn forget(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(forget),
        Value::Object(fields) => {
            for name in ["method_details", "method_detail", "origin_account"] {
                fields.remove(name);
            }
            for (name, value) in fields.iter_mut() {
                match (name.as_str(), value) {
                    ("masked_pan", value) => *value = "".into(),
                    // The id of this server's attempt still matches a refund.
                    ("additional_fields", Value::Object(own)) => {
                        own.retain(|name, _| name == ATTEMPT_ID_FIELD);
                    }
                    ("processor_response", Value::Object(own)) => {
                        own.retain(|name, _| KEPT_PROCESSOR_FIELDS.contains(&name.as_str()));
                    }
                    ("additional_fields" | "processor_response", value) => *value = Value::Null,
                    (_, value) => forget(value),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns an answer of the service without the payer's data.
pub fn forgotten<T: Serialize + DeserializeOwned>(told: &T) -> Result<T, serde_json::Error> {
    let mut value = serde_json::to_value(told)?;
    forget(&mut value);
    serde_json::from_value(value)
}

#[cfg(test)]
mod tests {
    use super::{forget, forgotten};
    use crate::operation::fixture::with_state;
    use crate::timing::instant;
    use serde_json::json;

    #[test]
    fn what_may_be_the_payers_goes_and_the_rest_stays() {
        let mut told = json!({"transactions": [{
            "transaction_id": "t", "state": "LIQUIDADO",
            "payment_method": {"method_name": "CARD", "method_details": {"holder": "canary"}},
            "processor_response": {"origin_account": "canary", "holder": "canary", "cip": "1"},
            "additional_fields": {"note": "canary", "attempt_id": "a"},
        }, {"masked_pan": "canary", "processor_response": "canary"}]});
        forget(&mut told);
        assert_eq!(
            told,
            json!({"transactions": [{
                "transaction_id": "t", "state": "LIQUIDADO",
                "payment_method": {"method_name": "CARD"},
                "processor_response": {"cip": "1"},
                "additional_fields": {"attempt_id": "a"},
            }, {"masked_pan": "", "processor_response": null}]})
        );
    }

    #[test]
    fn a_stored_answer_is_forgotten_in_its_own_form() {
        let stored = with_state("AUTORIZADO", instant(1)).operation.unwrap();
        let before = serde_json::to_value(&stored).unwrap();
        let left = forgotten(&stored).unwrap();
        let mut expected = before.clone();
        forget(&mut expected);
        assert_eq!(left.transactions[0].state, stored.transactions[0].state);
        assert_eq!(left.amount, stored.amount);
        assert!(left.transactions[0].payment_method.method_details.is_none());
        assert_ne!(expected, before);
        let after = serde_json::to_value(&left).unwrap();
        let again = forgotten(&left).unwrap();
        assert_eq!(serde_json::to_value(again).unwrap(), after);
    }
}
