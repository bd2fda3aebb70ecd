use crate::lenient::{absent, open_fields};
use crate::words::wire_enum;
use crate::{OpenFields, OpenValue};
use serde::{Deserialize, Serialize};
use std::fmt;

wire_enum! {
    /// The name of a payment method (`method_name`, and `payment_method.name` of refunds).
    pub enum PaymentMethodName as "'QR' | 'INSTALLMENT' | 'CASHCODE' | 'BANK_TRANSFER' | 'CARD' | 'WALLET' | (string & {})" {
        /// A QR code that the payer scans with a wallet.
        Qr = "QR",
        /// Installment credit at a lender's site.
        Installment = "INSTALLMENT",
        /// A code that the payer pays in cash at an agent.
        CashCode = "CASHCODE",
        /// A transfer from a bank account.
        BankTransfer = "BANK_TRANSFER",
        /// A card.
        Card = "CARD",
        /// A mobile wallet.
        Wallet = "WALLET",
    }
}

impl PaymentMethodName {
    /// True when the service refunds payments by this method (States and transitions, refunds).
    #[must_use]
    pub fn is_refundable(&self) -> bool {
        matches!(self, Self::Card | Self::Wallet | Self::Installment)
    }
}

/// The method of a transaction (Transaction, `payment_method`).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(from = "WirePaymentMethod")]
pub struct PaymentMethod {
    /// The method's name.
    pub method_name: PaymentMethodName,
    /// The details of the request, from `method_details` or `method_detail`.
    #[serde(skip_serializing_if = "absent")]
    #[cfg_attr(feature = "typescript", tsify(optional, type = "MethodDetails | null"))]
    pub method_details: Option<MethodDetails>,
}

/// The details of a method, with any keys (Transaction, `payment_method.method_details`).
///
/// `Debug` prints only the keys, since both addresses may contain a token.
#[derive(Clone, PartialEq, Default, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(tsify::Tsify),
    tsify(
        type = "{ redirect_url?: string | null; callback_url?: string | null; [key: string]: unknown }"
    )
)]
#[serde(transparent)]
pub struct MethodDetails(pub OpenFields);

impl MethodDetails {
    /// The merchant's address for the payer's return, from the request. `None` if it is absent, null or
    /// not a text.
    #[must_use]
    pub fn redirect_url(&self) -> Option<&str> {
        self.0.get("redirect_url")?.as_str()
    }

    /// The merchant's address for notifications, from the request. `None` if it is absent, null or not a
    /// text.
    #[must_use]
    pub fn callback_url(&self) -> Option<&str> {
        self.0.get("callback_url")?.as_str()
    }

    /// Merges the objects of both keys, which mean the same (Transaction): one may have fields that the
    /// other lacks.
    fn completed_by(mut self, same: OpenFields) -> Self {
        for (key, value) in same {
            if self.0.get(&key).is_none_or(OpenValue::is_null) {
                self.0.insert(key, value);
            }
        }
        self
    }
}

impl fmt::Debug for MethodDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MethodDetails")?;
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// The JSON form of a payment method, with both keys for its details.
#[derive(Deserialize)]
struct WirePaymentMethod {
    #[serde(default)]
    method_name: PaymentMethodName,
    #[serde(default, deserialize_with = "open_fields")]
    method_details: Option<OpenFields>,
    #[serde(default, deserialize_with = "open_fields")]
    method_detail: Option<OpenFields>,
}

impl From<WirePaymentMethod> for PaymentMethod {
    fn from(wire: WirePaymentMethod) -> Self {
        Self {
            method_name: wire.method_name,
            method_details: match (wire.method_details, wire.method_detail) {
                (Some(details), Some(same)) => Some(MethodDetails(details).completed_by(same)),
                (one, other) => one.or(other).map(MethodDetails),
            },
        }
    }
}

#[cfg(all(test, feature = "open-fields"))]
mod tests {
    use super::PaymentMethod;
    use serde_json::{Value, json};

    #[test]
    fn both_keys_are_one_object() {
        let check = |json: Value, redirect: Option<&str>, callback: Option<&str>| {
            let read: PaymentMethod = serde_json::from_value(json.clone()).unwrap();
            let details = read.method_details.unwrap_or_default();
            assert_eq!(details.redirect_url(), redirect, "{json}");
            assert_eq!(details.callback_url(), callback, "{json}");
        };
        let (one, two) = (json!({"redirect_url": "r"}), json!({"callback_url": "c"}));
        check(json!({"method_details": one}), Some("r"), None);
        check(json!({"method_detail": one}), Some("r"), None);
        check(
            json!({"method_details": null, "method_detail": one}),
            Some("r"),
            None,
        );
        check(
            json!({"method_details": one, "method_detail": null}),
            Some("r"),
            None,
        );
        check(
            json!({"method_details": {}, "method_detail": one}),
            Some("r"),
            None,
        );
        check(
            json!({"method_details": one, "method_detail": two}),
            Some("r"),
            Some("c"),
        );
        check(
            json!({"method_details": {"redirect_url": null}, "method_detail": one}),
            Some("r"),
            None,
        );
        check(
            json!({"method_details": one, "method_detail": {"redirect_url": "other"}}),
            Some("r"),
            None,
        );
        check(json!({"method_details": {"redirect_url": 7}}), None, None);
        check(json!({"method_details": null}), None, None);
        check(json!({}), None, None);
    }

    #[test]
    fn debug_shows_no_address() {
        let json = json!({"method_details": {"redirect_url": "https://canary", "n": "canary"}});
        let read: PaymentMethod = serde_json::from_value(json).unwrap();
        let debug = format!("{read:?}");
        assert!(
            debug.contains("redirect_url") && !debug.contains("canary"),
            "{debug}"
        );
    }
}
