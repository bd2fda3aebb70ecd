use crate::{Fields, PaymentMethodName};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The payment method of a request, with the details that the specification shows for it (`POST /charges`,
/// `payment_method`).
///
/// Parsing fails with the name of the field if `INSTALLMENT` has no `redirect_url` or an address is not a
/// text; null counts as missing. `Debug` prints no address, since both may contain a token.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(tsify::Tsify),
    tsify(
        type = "{ method_name: 'QR'; method_details: { callback_url?: string | null } } | { method_name: 'INSTALLMENT'; method_details: { redirect_url: string; callback_url?: string | null } } | { method_name: 'CASHCODE' | 'BANK_TRANSFER' | 'CARD' | 'WALLET'; method_details: Record<string, unknown> }"
    )
)]
#[serde(into = "WireMethod", try_from = "WireMethod")]
pub enum AuthorizeMethod {
    /// The answer has a QR code.
    Qr {
        /// The address at which the service notifies the merchant, host to host.
        callback_url: Option<String>,
    },
    /// Installment credit: the payer continues at the lender's site, and returns.
    Installment {
        /// The merchant's address to which the payer returns.
        redirect_url: String,
        /// The address at which the service notifies the merchant, host to host.
        callback_url: Option<String>,
    },
    /// Any other method, whose details the specification does not show. `QR` and `INSTALLMENT` are always
    /// parsed as their own variants.
    Other {
        /// The method's name.
        method_name: PaymentMethodName,
        /// The details, which are sent unchanged.
        method_details: Fields,
    },
}

impl AuthorizeMethod {
    /// The method's name.
    #[must_use]
    pub fn name(&self) -> &PaymentMethodName {
        match self {
            Self::Qr { .. } => &PaymentMethodName::Qr,
            Self::Installment { .. } => &PaymentMethodName::Installment,
            Self::Other { method_name, .. } => method_name,
        }
    }
}

impl fmt::Debug for AuthorizeMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AuthorizeMethod({})", self.name())
    }
}

#[derive(Serialize, Deserialize)]
struct WireMethod {
    method_name: PaymentMethodName,
    method_details: Fields,
}

impl From<AuthorizeMethod> for WireMethod {
    fn from(method: AuthorizeMethod) -> Self {
        let method_name = method.name().clone();
        let mut method_details = Fields::new();
        let mut put = |key: &str, text: Option<String>| {
            if let Some(text) = text {
                method_details.insert(key.to_owned(), Value::String(text));
            }
        };
        match method {
            AuthorizeMethod::Qr { callback_url } => put("callback_url", callback_url),
            AuthorizeMethod::Installment {
                redirect_url,
                callback_url,
            } => {
                put("redirect_url", Some(redirect_url));
                put("callback_url", callback_url);
            }
            AuthorizeMethod::Other {
                method_details: details,
                ..
            } => method_details = details,
        }
        Self {
            method_name,
            method_details,
        }
    }
}

impl TryFrom<WireMethod> for AuthorizeMethod {
    type Error = WrongMethodDetails;

    fn try_from(wire: WireMethod) -> Result<Self, WrongMethodDetails> {
        let text = |key: &str, field: &'static str| match wire.method_details.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(WrongMethodDetails {
                field,
                expected: "a text",
            }),
        };
        let callback_url = || text("callback_url", "payment_method.method_details.callback_url");
        const REDIRECT: &str = "payment_method.method_details.redirect_url";
        match wire.method_name {
            PaymentMethodName::Qr => Ok(Self::Qr {
                callback_url: callback_url()?,
            }),
            PaymentMethodName::Installment => Ok(Self::Installment {
                redirect_url: text("redirect_url", REDIRECT)?.ok_or(WrongMethodDetails {
                    field: REDIRECT,
                    expected: "present for INSTALLMENT",
                })?,
                callback_url: callback_url()?,
            }),
            method_name => Ok(Self::Other {
                method_name,
                method_details: wire.method_details,
            }),
        }
    }
}

/// Invalid details of a method in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongMethodDetails {
    /// The path of the field in the request.
    pub field: &'static str,
    /// What the field must be, such as `a text`.
    pub expected: &'static str,
}

impl fmt::Display for WrongMethodDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} must be {}", self.field, self.expected)
    }
}

impl std::error::Error for WrongMethodDetails {}

#[cfg(test)]
mod tests {
    use super::AuthorizeMethod;
    use crate::{Fields, PaymentMethodName};
    use serde_json::{Value, json};

    fn qr(callback_url: Option<&str>) -> AuthorizeMethod {
        AuthorizeMethod::Qr {
            callback_url: callback_url.map(str::to_owned),
        }
    }

    fn installment(callback_url: Option<&str>) -> AuthorizeMethod {
        AuthorizeMethod::Installment {
            redirect_url: "https://shop.example/return".to_owned(),
            callback_url: callback_url.map(str::to_owned),
        }
    }

    #[test]
    fn each_method_sends_exactly_its_details() {
        let check = |method: AuthorizeMethod, name: &str, details: Value| {
            let json = json!({"method_name": name, "method_details": details});
            assert_eq!(serde_json::to_value(&method).unwrap(), json);
            assert_eq!(method.name().as_str(), name);
            assert_eq!(
                serde_json::from_value::<AuthorizeMethod>(json).unwrap(),
                method
            );
        };
        let redirect = "https://shop.example/return";
        check(qr(None), "QR", json!({}));
        check(qr(Some("c")), "QR", json!({"callback_url": "c"}));
        check(
            installment(None),
            "INSTALLMENT",
            json!({"redirect_url": redirect}),
        );
        check(
            installment(Some("c")),
            "INSTALLMENT",
            json!({"redirect_url": redirect, "callback_url": "c"}),
        );
        for name in ["CASHCODE", "BANK_TRANSFER", "CARD", "WALLET", "NUEVO"] {
            let method_details = Fields::from_iter([("n".to_owned(), json!([1, null]))]);
            let method_name = PaymentMethodName::from(name);
            let other = AuthorizeMethod::Other {
                method_name,
                method_details,
            };
            check(other, name, json!({"n": [1, null]}));
        }
    }

    #[test]
    fn wrong_details_name_their_field() {
        let error = |json: Value| serde_json::from_value::<AuthorizeMethod>(json).unwrap_err();
        let check = |name: &str, details: Value, expected: &str| {
            let json = json!({"method_name": name, "method_details": details});
            assert_eq!(error(json).to_string(), expected);
        };
        let missing = "payment_method.method_details.redirect_url must be present for INSTALLMENT";
        check("INSTALLMENT", json!({}), missing);
        check("INSTALLMENT", json!({"redirect_url": null}), missing);
        check(
            "INSTALLMENT",
            json!({"redirect_url": 7}),
            "payment_method.method_details.redirect_url must be a text",
        );
        let callback = "payment_method.method_details.callback_url must be a text";
        check("QR", json!({"callback_url": {}}), callback);
        check(
            "INSTALLMENT",
            json!({"redirect_url": "r", "callback_url": 1}),
            callback,
        );
        let no_details = error(json!({"method_name": "QR"})).to_string();
        assert!(no_details.contains("method_details"), "{no_details}");
        let no_name = error(json!({"method_details": {}})).to_string();
        assert!(no_name.contains("method_name"), "{no_name}");
        assert!(
            serde_json::from_value::<AuthorizeMethod>(
                json!({"method_name": "QR", "method_details": null})
            )
            .is_err()
        );
    }

    #[test]
    fn unknown_and_null_details_of_a_known_method_are_left_out() {
        let json = json!({"method_name": "QR", "method_details": {"callback_url": null, "n": 1}});
        assert_eq!(
            serde_json::from_value::<AuthorizeMethod>(json).unwrap(),
            qr(None)
        );
    }

    #[test]
    fn debug_shows_no_address() {
        let debug = format!("{:?} {:?}", installment(Some("canary")), qr(Some("canary")));
        assert_eq!(debug, "AuthorizeMethod(INSTALLMENT) AuthorizeMethod(QR)");
    }
}
