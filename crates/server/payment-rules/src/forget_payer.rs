//! Removes the payer's data from stored payments and answers of the payment service.

use crate::ledger::ATTEMPT_ID_FIELD;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The members whose values stay: numbers and ids by which the merchant, the service and the bookkeeping name a payment,
/// amounts, states, instants, and who of the staff did what, for a reason that stays on record and names no person. Every
/// other text is emptied, and every other number and flag removed, also of members that this version does not know: they
/// are, or may be, the payer's.
const KEPT: &str = "
    form merchant_code merchant_operation_number order_id phase live method amount currency callback_hash attempt_hash
    code_may_be_out unsent created_at changed_at announced_at blocked_since number_taken_at paid_again_at paid_late_at
    reversal_seen_at unknown_at watch_ended_at at since

    id kind type state item purpose cause cents counts attempt_id return_id refund_id requested_at begun_at confirmed_at
    may_run_until may_arrive_until service_status not_processed already_made verdict mismatch

    staff key by reason give_up_reason end_reason asked_by asked_at released released_by release_asked_by give_up_asked_by ended_by ended_at

    transaction_id channel method_name success action code locale utc_time unix_time refund_amount transaction_amount
    operations_count brand";

/// The fields of a processor's response that stay, because staff need them to talk about a payment.
/// The specification documents each of them.
const KEPT_PROCESSOR_FIELDS: &str =
    "date qr_id payee_name result_message credit_status operation_id cip cip_url payment_date
    operationNumber request_id";

fn has(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|kept| kept == name)
}

/// True for a member whose value [`forget`] leaves as it is.
pub fn is_kept(name: &str) -> bool {
    has(KEPT, name) || has(KEPT_PROCESSOR_FIELDS, name)
}

/// The members that hold nothing but what is, or may be, the payer's, or lead to where it is.
const REMOVED: [&str; 4] = [
    "method_details",
    "method_detail",
    "origin_account",
    "continue_url",
];

/// The fields of our own that the service echoes.
const OPEN_FIELDS: &str = "additional_fields";

/// Empties everything of a payment's document, or of an answer of the service, that is or may be the payer's.
pub fn forget(value: &mut Value) {
    forget_in(value, None);
}

fn forget_in(value: &mut Value, name: Option<&str>) {
    match value {
        Value::Array(values) => {
            values.retain(|value| stays(name, value));
            for value in values {
                forget_in(value, name);
            }
        }
        Value::Object(members) => {
            members.retain(|name, value| {
                !REMOVED.contains(&name.as_str()) && stays(Some(name), value)
            });
            for (name, value) in members {
                match (name.as_str(), value) {
                    // The id of this server's attempt still matches a refund.
                    (OPEN_FIELDS, Value::Object(own)) => {
                        own.retain(|name, _| name == ATTEMPT_ID_FIELD);
                    }
                    ("processor_response", Value::Object(own)) => {
                        own.retain(|name, _| has(KEPT_PROCESSOR_FIELDS, name));
                    }
                    // The name of a method, and not of a person.
                    ("payment_method", Value::Object(own)) if own.contains_key("name") => {
                        own.retain(|name, _| name == "name" || name == "brand");
                    }
                    (OPEN_FIELDS | "processor_response", value) => *value = Value::Null,
                    (name, value) => forget_in(value, Some(name)),
                }
            }
        }
        Value::String(text) if !name.is_none_or(is_kept) => text.clear(),
        Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {}
    }
}

/// False for a number or a flag that no version up to this one writes.
fn stays(name: Option<&str>, value: &Value) -> bool {
    let is_unknown = !name.is_none_or(is_kept);
    !(is_unknown && (value.is_number() || value.is_boolean()))
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
        }, {"masked_pan": "canary", "processor_response": "canary", "later": {"of": ["canary", 7, true]}}]});
        forget(&mut told);
        assert_eq!(
            told,
            json!({"transactions": [{
                "transaction_id": "t", "state": "LIQUIDADO",
                "payment_method": {"method_name": "CARD"},
                "processor_response": {"cip": "1"},
                "additional_fields": {"attempt_id": "a"},
            }, {"masked_pan": "", "processor_response": null, "later": {"of": [""]}}]})
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
