use crate::tolerant::null_is_default;
use crate::{
    Amount, AuthorizeAction, Channel, Currency, Fields, MerchantCode, MerchantOperationNumber,
    Meta, PaymentMethodName, Person, Transaction, success,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The body of `POST /charges`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct AuthorizeRequest {
    /// Always `authorize`.
    pub action: AuthorizeAction,
    /// Always `ecommerce`.
    pub channel: Channel,
    /// The merchant's code at the service.
    pub merchant_code: MerchantCode,
    /// The operation's number, never used before.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The method and its details.
    pub payment_method: AuthorizeMethod,
    /// What is paid, and by whom.
    pub payment_details: PaymentDetails,
}

/// The `payment_method` of an [`AuthorizeRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(tsify::Tsify),
    tsify(type = "{ method_name: PaymentMethodName, method_details: MethodDetails }")
)]
#[serde(into = "WireMethod", try_from = "WireMethod")]
pub enum AuthorizeMethod {
    /// A QR code in the answer.
    Qr {
        /// Where the service notifies the merchant, host to host.
        callback_url: Option<String>,
    },
    /// Instalment credit: the payer continues outside and comes back.
    Installment {
        /// The merchant's route that receives the payer's return.
        redirect_url: String,
        /// Where the service notifies the merchant, host to host.
        callback_url: Option<String>,
    },
    /// Any other method; the specification does not show its details.
    Other {
        /// The method's name.
        method_name: PaymentMethodName,
        /// Its details, sent as they are.
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

/// Why the details of a method in a request cannot be used; names the field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongMethodDetails {
    /// The field's path in the request.
    pub field: &'static str,
    /// What it should be.
    pub expected: &'static str,
}

impl fmt::Display for WrongMethodDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} must be {}", self.field, self.expected)
    }
}

impl std::error::Error for WrongMethodDetails {}

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

/// What is paid, and by whom (`payment_details`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct PaymentDetails {
    /// The amount in cents.
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
    /// Who is billed.
    pub billing: Person,
    /// Who receives the goods.
    pub shipping: Person,
    /// Who buys.
    pub customer: Person,
    /// What is bought; the items' shape is not shown.
    #[cfg_attr(feature = "typescript", tsify(type = "unknown[]"))]
    pub product_details: Vec<Value>,
}

/// The answer of `POST /charges`; never final, whatever it says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct AuthorizeResponse {
    /// Technical result of the request, as text on the wire.
    #[serde(
        default,
        deserialize_with = "success::read",
        serialize_with = "success::write_text"
    )]
    #[cfg_attr(feature = "typescript", tsify(type = "'true' | 'false' | boolean"))]
    pub success: bool,
    /// `authorize`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub action: String,
    /// The merchant's code at the service.
    pub merchant_code: MerchantCode,
    /// The operation's number.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The transaction that was registered.
    pub transaction: Transaction,
    /// Technical result.
    #[serde(default, deserialize_with = "null_is_default")]
    pub meta: Meta,
}
