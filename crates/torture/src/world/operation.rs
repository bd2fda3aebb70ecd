//! What the payment service has of a payment, which is the truth about it.

use payment_model::TransactionState;
use serde_json::Value;

/// An operation as the payment service has it.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    pub(super) number: String,
    pub(super) state: String,
    /// Whether it was ever paid.
    pub(super) was_paid: bool,
}

impl Operation {
    /// Reads an entry of the service's own list.
    pub(super) fn read(entry: &Value) -> Self {
        let operation = &entry["operation"];
        let lifecycle = operation["transactions"][0]["lifecycle"].as_array();
        Self {
            number: text(&operation["merchant_operation_number"]),
            state: text(&operation["state"]),
            was_paid: lifecycle
                .is_some_and(|all| all.iter().any(|entry| is_paid(&text(&entry["state"])))),
        }
    }

    /// True if the payment was given back as a whole.
    pub(super) fn is_reversed(&self) -> bool {
        self.was_paid && !is_paid(&self.state)
    }
}

/// True for the states in which the money is there.
pub(super) fn is_paid(state: &str) -> bool {
    TransactionState::from(state).is_paid()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
