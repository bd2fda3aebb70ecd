use crate::ExceptionKind;
use crate::word::words;
use payment_model::{Cents, Currency, Outcome, PaymentMethodName, Timestamp, TransactionState};
use serde::{Deserialize, Serialize};
use std::fmt;

words! {
    /// How much the server knows about an operation.
    pub enum Phase {
        /// The authorization is being sent.
        Sending = "sending",
        /// It is unknown whether the service accepted the authorization.
        InDoubt = "in_doubt",
        /// The service rejected the authorization.
        Refused = "refused",
        /// The service answered with a state.
        Known = "known",
        /// The service does not know the operation.
        Lost = "lost",
    }
}

/// The query of `GET /staff/operations` and of `operations.csv`. It finds the operations that match all
/// fields; empty fields match all operations.
///
/// All fields are texts, so that the error can name an invalid one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchQuery {
    /// A complete operation number, order id, order label, transaction id, `qr_id` or `cip`.
    pub q: String,
    /// States, separated by spaces; `none` finds operations without a state.
    pub state: String,
    /// Methods, separated by spaces.
    pub method: String,
    /// The merchant's code.
    pub merchant_code: String,
    /// The earliest creation time, inclusive, such as `2026-11-21T05:00:00Z`.
    pub from: String,
    /// The latest creation time, exclusive.
    pub to: String,
    /// The smallest amount in cents.
    pub amount_min: String,
    /// The largest amount in cents.
    pub amount_max: String,
    /// The order of the list: `created` or `amount` for ascending, `-created` or `-amount` for descending;
    /// `-created` when empty.
    pub sort: String,
    /// The number of operations on a page, 1 to 200; 50 when empty. The CSV file has all operations.
    pub limit: String,
    /// `next_cursor` of the previous page.
    pub cursor: String,
}

impl SearchQuery {
    /// The names and values of the query.
    #[must_use]
    pub fn fields(&self) -> [(&'static str, &str); 11] {
        [
            ("q", &self.q),
            ("state", &self.state),
            ("method", &self.method),
            ("merchant_code", &self.merchant_code),
            ("from", &self.from),
            ("to", &self.to),
            ("amount_min", &self.amount_min),
            ("amount_max", &self.amount_max),
            ("sort", &self.sort),
            ("limit", &self.limit),
            ("cursor", &self.cursor),
        ]
    }
}

/// An operation in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OperationRow {
    /// The merchant's code.
    pub merchant_code: String,
    /// The operation's number.
    pub merchant_operation_number: String,
    /// The id of the order.
    pub order_id: String,
    /// The payer; `null` if unknown, also after the personal data was removed.
    #[serde(default)]
    pub payer: Option<Payer>,
    /// A short name of the order for people, if the shop gave one.
    #[serde(default)]
    pub order_label: Option<String>,
    /// The transaction; `null` before the service's answer.
    #[serde(default)]
    pub transaction_id: Option<String>,
    /// The payment method.
    pub method_name: PaymentMethodName,
    /// How much the server knows about the operation.
    pub phase: Phase,
    /// The transaction's state; `null` before the service's answer.
    #[serde(default)]
    pub state: Option<TransactionState>,
    /// The outcome. A payment that was cancelled afterwards is `reversed`, even if its state is
    /// `CANCELADO`.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// The amount of the order in cents.
    pub amount: Cents,
    /// The currency.
    pub currency: Currency,
    /// The time of the creation.
    pub created_at: Timestamp,
    /// The time of the last change of the state.
    pub changed_at: Timestamp,
    /// The unresolved exceptions of the operation.
    pub exceptions: Vec<ExceptionKind>,
}

impl OperationRow {
    /// The amount of the order, with its currency.
    #[must_use]
    pub fn money(&self) -> Money {
        self.part(self.amount)
    }

    /// Another amount in the currency of the order, such as a part that is given back.
    #[must_use]
    pub fn part(&self, amount: Cents) -> Money {
        Money {
            amount,
            currency: self.currency.clone(),
        }
    }
}

/// The payer of an order, for staff who talk to the payer.
///
/// `Debug` prints no field, since personal data must not reach a log.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Payer {
    /// The name; never empty.
    pub name: String,
    /// The e-mail address; absent in a list.
    #[serde(default)]
    pub email: Option<String>,
    /// The telephone number with its country code; absent in a list.
    #[serde(default)]
    pub phone: Option<String>,
}

impl fmt::Debug for Payer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Payer")
    }
}

/// An amount in a currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Money {
    /// The amount in cents.
    pub amount: Cents,
    /// The currency of the amount.
    pub currency: Currency,
}

/// A page of operations: the answer of `GET /staff/operations`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchPage {
    /// The operations of this page.
    pub operations: Vec<OperationRow>,
    /// The `cursor` of the next page; `null` on the last page.
    #[serde(default)]
    pub next_cursor: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::SearchQuery;

    #[test]
    fn the_fields_of_an_address_are_those_that_are_read() {
        let text = |name: &str| name.to_uppercase();
        let query = SearchQuery {
            q: text("q"),
            state: text("state"),
            method: text("method"),
            merchant_code: text("merchant_code"),
            from: text("from"),
            to: text("to"),
            amount_min: text("amount_min"),
            amount_max: text("amount_max"),
            sort: text("sort"),
            limit: text("limit"),
            cursor: text("cursor"),
        };
        let fields = query
            .fields()
            .map(|(name, value)| (name.to_owned(), value.into()));
        let written = serde_json::Value::Object(fields.into_iter().collect());
        assert_eq!(serde_json::to_value(&query).unwrap(), written);
    }
}
