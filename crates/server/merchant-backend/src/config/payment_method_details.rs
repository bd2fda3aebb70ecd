use crate::redacted_parse_error;
use payment_model::{Fields, PaymentMethodName};
use serde_json::Value;
use std::fmt;

/// The placeholders for the addresses of one operation.
const REDIRECT_URL: &str = "{redirect_url}";
const CALLBACK_URL: &str = "{callback_url}";

/// The `method_details` of methods whose requests the specification does not show. The merchant
/// sets them, and the server sends them unchanged, except that a text that is exactly
/// `{redirect_url}` or `{callback_url}` becomes the operation's own address.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct MethodDetails(Vec<(PaymentMethodName, Fields)>);

impl fmt::Debug for MethodDetails {
    /// Prints only the methods: the details may hold a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.methods()).finish()
    }
}

impl MethodDetails {
    /// Reads a JSON object of objects, by the method's name.
    ///
    /// # Errors
    /// The method that cannot be used, by name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let methods: Fields = serde_json::from_str(text).map_err(|error| {
            // The parser's message would quote values, which may be secret.
            let why = redacted_parse_error::json(&error);
            format!("is no JSON object (the text {why})")
        })?;
        let entries = methods.into_iter().map(|(name, details)| {
            let method = PaymentMethodName::from(name.as_str());
            match (method, details) {
                (PaymentMethodName::Qr | PaymentMethodName::Installment, _) => Err(format!(
                    "names `{name}`, which is sent as the specification shows it"
                )),
                (_, _) if name.trim().is_empty() => Err("has a method without a name".to_owned()),
                (method, Value::Object(details)) => Ok((method, details)),
                (_, _) => Err(format!("has no object for `{name}`")),
            }
        });
        entries.collect::<Result<_, _>>().map(Self)
    }

    /// The methods that it has details for.
    pub(crate) fn methods(&self) -> impl Iterator<Item = &PaymentMethodName> {
        self.0.iter().map(|(method, _)| method)
    }

    /// True when a method's details hold the placeholder for the address of the payer's return;
    /// `None` for a method without details.
    pub(crate) fn want_redirect(&self, method: &PaymentMethodName) -> Option<bool> {
        let filled = |redirect_url| self.filled(method, redirect_url, None);
        self.of(method).map(|_| filled(None) != filled(Some("")))
    }

    /// The details of one operation.
    pub(crate) fn filled(
        &self,
        method: &PaymentMethodName,
        redirect_url: Option<&str>,
        callback_url: Option<&str>,
    ) -> Fields {
        let mut details = self.of(method).cloned().unwrap_or_default();
        for value in details.values_mut() {
            fill(value, REDIRECT_URL, redirect_url);
            fill(value, CALLBACK_URL, callback_url);
        }
        details
    }

    fn of(&self, method: &PaymentMethodName) -> Option<&Fields> {
        let found = self.0.iter().find(|(name, _)| name == method);
        found.map(|(_, details)| details)
    }
}

fn fill(value: &mut Value, placeholder: &str, address: Option<&str>) {
    match value {
        Value::String(text) if text == placeholder => *value = address.into(),
        Value::Array(values) => {
            for value in values {
                fill(value, placeholder, address);
            }
        }
        Value::Object(fields) => {
            for value in fields.values_mut() {
                fill(value, placeholder, address);
            }
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::MethodDetails;
    use payment_model::PaymentMethodName::{BankTransfer, Card, CashCode, Unknown};
    use serde_json::{Value, json};

    #[test]
    fn details_pass_as_they_are_with_the_operations_addresses() {
        let text = r#"{
            "CASHCODE": {},
            "BANK_TRANSFER": {
                "back": "{redirect_url}", "note": "to {redirect_url}",
                "hooks": [{"url": "{callback_url}", "tries": 3}]
            },
            "NUEVO": {"callback": "{callback_url}"}
        }"#;
        let details = MethodDetails::parse(text).unwrap();
        let filled = |method| {
            let fields = details.filled(&method, Some("https://back"), Some("https://call"));
            Value::Object(fields)
        };
        assert_eq!(filled(CashCode), json!({}));
        assert_eq!(
            filled(BankTransfer),
            json!({
                "back": "https://back", "note": "to {redirect_url}",
                "hooks": [{"url": "https://call", "tries": 3}]
            })
        );
        let wants = |method| details.want_redirect(&method);
        assert_eq!(wants(CashCode), Some(false));
        assert_eq!(wants(BankTransfer), Some(true));
        assert_eq!(wants(Unknown("NUEVO".to_owned())), Some(false));
        assert_eq!(wants(Card), None);
    }

    #[test]
    fn what_cannot_be_sent_is_named() {
        for (text, named) in [
            ("", "no JSON object"),
            ("[]", "no JSON object"),
            (r#"{"CASHCODE": {}"#, "no JSON object"),
            (r#"{"QR": {}}"#, "`QR`"),
            (r#"{"INSTALLMENT": {}}"#, "`INSTALLMENT`"),
            (r#"{"CASHCODE": null}"#, "`CASHCODE`"),
            (r#"{"": {}}"#, "without a name"),
        ] {
            let wrong = MethodDetails::parse(text).unwrap_err();
            assert!(wrong.contains(named), "{text}: {wrong}");
        }
        assert_eq!(MethodDetails::parse("{}"), Ok(MethodDetails::default()));
    }
}
