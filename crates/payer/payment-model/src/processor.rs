use crate::{OpenFields, OpenValue, PaymentMethodName};
use serde::{Deserialize, Serialize, Serializer};

/// The data that the processor of a method added (Transaction, `processor_response` by method). It never
/// proves a payment.
///
/// Its form depends on the method, so there is [`ProcessorResponse::read`] instead of `Deserialize`. In
/// TypeScript it is an object; the service promises no other form.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "typescript",
    derive(tsify::Tsify),
    tsify(
        type = "QrResponse | InstallmentResponse | CashCodeResponse | BankTransferResponse | Record<string, unknown>"
    )
)]
pub enum ProcessorResponse {
    /// Method `QR`.
    Qr(QrResponse),
    /// Method `INSTALLMENT`.
    Installment(InstallmentResponse),
    /// Method `CASHCODE`.
    CashCode(CashCodeResponse),
    /// Method `BANK_TRANSFER`.
    BankTransfer(BankTransferResponse),
    /// Any other method, or a value that is not an object, unchanged.
    Other(OpenValue),
}

impl ProcessorResponse {
    /// Parses the response of a method. Fields without the documented form are kept, and are no error.
    #[must_use]
    pub fn read(method: &PaymentMethodName, value: OpenValue) -> Self {
        match (method, value) {
            (PaymentMethodName::Qr, OpenValue::Object(fields)) => {
                Self::Qr(QrResponse::from(fields))
            }
            (PaymentMethodName::Installment, OpenValue::Object(fields)) => {
                Self::Installment(fields.into())
            }
            (PaymentMethodName::CashCode, OpenValue::Object(fields)) => {
                Self::CashCode(fields.into())
            }
            (PaymentMethodName::BankTransfer, OpenValue::Object(fields)) => {
                Self::BankTransfer(fields.into())
            }
            (_, other) => Self::Other(other),
        }
    }

    /// Converts the response back to JSON.
    #[must_use]
    pub fn to_value(&self) -> OpenValue {
        match self.clone() {
            Self::Qr(response) => OpenValue::Object(response.into()),
            Self::Installment(response) => OpenValue::Object(response.into()),
            Self::CashCode(response) => OpenValue::Object(response.into()),
            Self::BankTransfer(response) => OpenValue::Object(response.into()),
            Self::Other(value) => value,
        }
    }
}

impl Serialize for ProcessorResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

/// A processor's own result code, with its description.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct ResultMessage {
    /// The processor's code; empty if it is missing.
    #[serde(default)]
    pub code: String,
    /// The meaning of the code; empty if it is missing.
    #[serde(default)]
    pub description: String,
}

/// The type of a field in a processor response.
trait Field: Sized {
    /// Parses a field, and removes it from the object if the result contains its whole value.
    fn take(fields: &mut OpenFields, name: &str) -> Option<Self>;
    /// Adds a field to the object.
    fn put(self, fields: &mut OpenFields, name: &str);
}

impl Field for String {
    fn take(fields: &mut OpenFields, name: &str) -> Option<Self> {
        match fields.remove(name)? {
            OpenValue::String(text) => Some(text),
            other => {
                fields.insert(name.to_owned(), other);
                None
            }
        }
    }

    fn put(self, fields: &mut OpenFields, name: &str) {
        fields.insert(name.to_owned(), OpenValue::String(self));
    }
}

impl Field for ResultMessage {
    fn take(fields: &mut OpenFields, name: &str) -> Option<Self> {
        let OpenValue::Object(message) = fields.get(name)? else {
            return None;
        };
        let part = |name| message.get(name).and_then(OpenValue::as_str);
        let (code, description) = (part("code"), part("description"));
        let whole = message.len() == 2 && code.is_some() && description.is_some();
        let read = Self {
            code: code.unwrap_or_default().to_owned(),
            description: description.unwrap_or_default().to_owned(),
        };
        if whole {
            fields.remove(name);
        }
        Some(read)
    }

    fn put(self, fields: &mut OpenFields, name: &str) {
        fields.insert(name.to_owned(), self.into_value());
    }
}

impl ResultMessage {
    fn into_value(self) -> OpenValue {
        let mut message = OpenFields::new();
        self.code.put(&mut message, "code");
        self.description.put(&mut message, "description");
        OpenValue::Object(message)
    }
}

/// Declares a response with optional fields, and with `rest` for unknown ones.
macro_rules! response {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Default)]
        #[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
        pub struct $name {
            $($(#[$field_doc])*
            #[cfg_attr(feature = "typescript", serde(rename = $word, default))]
            pub $field: Option<$type>,)+
            /// Fields that the specification does not list, and listed ones of another form. They take
            /// precedence when the response is serialized.
            #[cfg_attr(feature = "typescript", serde(skip))]
            pub rest: OpenFields,
        }

        impl From<OpenFields> for $name {
            fn from(mut rest: OpenFields) -> Self {
                Self { $($field: Field::take(&mut rest, $word),)+ rest }
            }
        }

        impl From<$name> for OpenFields {
            fn from(response: $name) -> Self {
                let mut fields = Self::new();
                $(if let Some(value) = response.$field { value.put(&mut fields, $word); })+
                fields.extend(response.rest);
                fields
            }
        }
    };
}

response! {
    /// The `processor_response` of method `QR`, in the authorization response.
    QrResponse {
        /// The time at which the code was created, in the processor's own format.
        date: String = "date",
        /// The code as a PNG data URI.
        qr_image: String = "qr_image",
        /// The code's identifier.
        qr_id: String = "qr_id",
        /// The processor's result.
        result_message: ResultMessage = "result_message",
    }
}
response! {
    /// The `processor_response` of method `INSTALLMENT`, normally when authorized or declined.
    InstallmentResponse {
        /// The lender's own status of the credit.
        credit_status: String = "credit_status",
        /// The lender's number of the operation.
        operation_id: String = "operation_id",
    }
}
response! {
    /// The `processor_response` of method `CASHCODE`, normally when pending or authorized.
    CashCodeResponse {
        /// The code that the payer gives to the agent.
        cip: String = "cip",
        /// The address of a page with instructions. It is untrusted input: check it before you link it.
        cip_url: String = "cip_url",
        /// The time of the payment, in the processor's own format.
        payment_date: String = "payment_date",
        /// The processor's number of the payment.
        operation_number: String = "operationNumber",
        /// The processor's result.
        result_message: ResultMessage = "result_message",
    }
}
response! {
    /// The `processor_response` of method `BANK_TRANSFER`, normally at the end.
    BankTransferResponse {
        /// The masked number of the payer's account.
        origin_account: String = "origin_account",
        /// The bank's number of the request.
        request_id: String = "request_id",
        /// The bank's number of the transfer.
        operation_id: String = "operation_id",
    }
}

#[cfg(all(test, feature = "open-fields"))]
mod tests {
    use super::ProcessorResponse;
    use serde_json::{Value, json};

    #[test]
    fn every_response_comes_back_as_it_went() {
        let check = |method: &str, value: Value, known: fn(&ProcessorResponse) -> bool| {
            let read = ProcessorResponse::read(&method.into(), value.clone());
            assert!(known(&read), "{method} {value}");
            assert_eq!(read.to_value(), value);
        };
        let message = json!({"code": "0", "description": "ok"});
        check(
            "QR",
            json!({"date": "d", "qr_image": "data:", "qr_id": "q", "result_message": message, "new": [1]}),
            |r| matches!(r, ProcessorResponse::Qr(qr) if qr.qr_id.as_deref() == Some("q")),
        );
        check(
            "QR",
            json!({}),
            |r| matches!(r, ProcessorResponse::Qr(qr) if qr.qr_image.is_none()),
        );
        check(
            "INSTALLMENT",
            json!({"credit_status": "APROBADO", "operation_id": "1"}),
            |r| matches!(r, ProcessorResponse::Installment(i) if i.operation_id.as_deref() == Some("1")),
        );
        check(
            "CASHCODE",
            json!({"cip": 12345, "operationNumber": "7"}),
            |r| matches!(r, ProcessorResponse::CashCode(c) if c.cip.is_none() && c.operation_number.is_some()),
        );
        check(
            "BANK_TRANSFER",
            json!({"origin_account": "***1"}),
            |r| matches!(r, ProcessorResponse::BankTransfer(b) if b.origin_account.is_some()),
        );
        check("CARD", json!({"brand": "X"}), |r| {
            matches!(r, ProcessorResponse::Other(_))
        });
        let odd = [
            json!({"code": 0, "description": "ok"}),
            json!({"code": "0", "description": "ok", "new": 1}),
            json!({"code": "0"}),
            json!(["0"]),
            json!(null),
        ];
        for message in odd {
            check(
                "QR",
                json!({"qr_id": "q", "result_message": message}),
                |r| matches!(r, ProcessorResponse::Qr(qr) if qr.qr_id.is_some()),
            );
        }
        for null in ["QR", "INSTALLMENT", "CASHCODE", "BANK_TRANSFER", "CARD"] {
            check(null, json!(null), |r| {
                matches!(r, ProcessorResponse::Other(_))
            });
        }
        check("QR", json!("text"), |r| {
            matches!(r, ProcessorResponse::Other(_))
        });
        check("NUEVO", json!([1, 2]), |r| {
            matches!(r, ProcessorResponse::Other(_))
        });
    }

    #[test]
    fn a_result_message_with_more_or_less_in_it_is_still_read() {
        let message = |json: Value| {
            let json = json!({"result_message": json});
            match ProcessorResponse::read(&"QR".into(), json) {
                ProcessorResponse::Qr(qr) => qr.result_message.map(|m| (m.code, m.description)),
                _ => None,
            }
        };
        let pair = |code: &str, text: &str| Some((code.to_owned(), text.to_owned()));
        assert_eq!(
            message(json!({"code": "0", "description": "ok", "new": 1})),
            pair("0", "ok")
        );
        assert_eq!(message(json!({"code": "0"})), pair("0", ""));
        assert_eq!(
            message(json!({"code": 0, "description": "ok"})),
            pair("", "ok")
        );
        assert_eq!(message(json!({})), pair("", ""));
        assert_eq!(message(json!("ok")), None);
        assert_eq!(message(json!(null)), None);
    }
}
