use crate::word::words;
use crate::{ExceptionKind, Money, Payer};
use payment_model::{Cents, Currency, Outcome, PaymentMethodName, Timestamp, TransactionState};
use serde::{Deserialize, Serialize};

words! {
    /// How much the merchant's server knows of an operation.
    pub enum Phase {
        /// The authorization is on its way.
        Sending = "sending",
        /// It is not known whether the service accepted it.
        InDoubt = "in_doubt",
        /// The service refused it.
        Refused = "refused",
        /// The service answered with its state.
        Known = "known",
        /// The service never knew it.
        Lost = "lost",
    }
}

/// A search: the query of `GET /staff/operations` and of `operations.csv`. An operation must meet
/// every given field; an empty value is none.
///
/// Every field is a text, so that the error can name a wrong one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchQuery {
    /// An operation number, order, transaction id, `qr_id` or `cip`, whole and exact.
    pub q: String,
    /// States, separated by spaces; `none` stands for operations without one.
    pub state: String,
    /// Methods, separated by spaces.
    pub method: String,
    /// The merchant's code.
    pub merchant_code: String,
    /// Created at or after: an instant, such as `2026-11-21T05:00:00Z`.
    pub from: String,
    /// Created before: an instant.
    pub to: String,
    /// At least so many cents.
    pub amount_min: String,
    /// At most so many cents.
    pub amount_max: String,
    /// The order of the list: `created` or `amount`, the smallest first, or `-created` or `-amount`,
    /// the largest first; `-created` when empty.
    pub sort: String,
    /// How many on a page, 1 to 200; 50 when empty. The CSV file has them all.
    pub limit: String,
    /// The end of the page before: `next_cursor` of its answer.
    pub cursor: String,
}

impl SearchQuery {
    /// The names and values of an address.
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
    /// The order that it is to pay.
    pub order_id: String,
    /// Who pays it; `null` when nobody is known, also after the payer was forgotten.
    #[serde(default)]
    pub payer: Option<Payer>,
    /// The short name of the order for people, if the shop gave one.
    #[serde(default)]
    pub order_label: Option<String>,
    /// The transaction; `null` until the service answered.
    #[serde(default)]
    pub transaction_id: Option<String>,
    /// The payment method.
    pub method_name: PaymentMethodName,
    /// How much is known of it.
    pub phase: Phase,
    /// The transaction's state; `null` until the service answered.
    #[serde(default)]
    pub state: Option<TransactionState>,
    /// How it ended; a payment that was canceled afterwards is `reversed`, whatever its state.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// The amount of the order, in cents.
    pub amount: Cents,
    /// The currency.
    pub currency: Currency,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its state last changed.
    pub changed_at: Timestamp,
    /// Everything out of the ordinary about it.
    pub exceptions: Vec<ExceptionKind>,
}

impl OperationRow {
    /// The amount of the order, with its currency.
    #[must_use]
    pub fn money(&self) -> Money {
        self.part(self.amount)
    }

    /// Another amount in the same currency, such as a part that is given back.
    #[must_use]
    pub fn part(&self, amount: Cents) -> Money {
        Money {
            amount,
            currency: self.currency.clone(),
        }
    }
}

/// The answer of `GET /staff/operations`, in the order of its query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchPage {
    /// The operations of this page.
    pub operations: Vec<OperationRow>,
    /// The beginning of the next page; `null` on the last one.
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
