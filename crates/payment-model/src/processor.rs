use crate::{OpenFields, OpenValue, PaymentMethodName};
use serde::{Deserialize, Serialize, Serializer};

/// The object that the processor of a method added (Transaction, `processor_response` by method).
/// It is referential: nothing in it says that a payment was made.
///
/// It can be read only with its method at hand, hence [`ProcessorResponse::read`] instead of
/// `Deserialize`. TypeScript sees an object; the service promises no other shape.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "typescript",
    derive(tsify::Tsify),
    tsify(
        type = "QrResponse | InstallmentResponse | CashCodeResponse | BankTransferResponse | Record<string, unknown>"
    )
)]
pub enum ProcessorResponse {
    /// Of a QR payment.
    Qr(QrResponse),
    /// Of an installment payment.
    Installment(InstallmentResponse),
    /// Of a cash-code payment.
    CashCode(CashCodeResponse),
    /// Of a bank transfer.
    BankTransfer(BankTransferResponse),
    /// Of any other method, or of no object shape: kept as it came.
    Other(OpenValue),
}

impl ProcessorResponse {
    /// Reads the response of a method. Members that are not as documented are kept, never an error.
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

    /// The whole response as JSON.
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

/// A result in the words of a processor.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct ResultMessage {
    /// The processor's code; empty when it is missing.
    #[serde(default)]
    pub code: String,
    /// Its meaning; empty when it is missing.
    #[serde(default)]
    pub description: String,
}

/// A field of a processor response: read from a value of the documented type.
trait Field: Sized {
    /// Takes the field out of the object, and leaves there the part of its value that has no place here.
    fn take(fields: &mut OpenFields, name: &str) -> Option<Self>;
    /// Adds the field to the object.
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

/// Declares a response whose fields are all optional; `rest` keeps the unknown ones.
macro_rules! response {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Default)]
        #[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
        pub struct $name {
            $($(#[$field_doc])*
            #[cfg_attr(feature = "typescript", serde(rename = $word, default))]
            pub $field: Option<$type>,)+
            /// Fields that the specification does not list, and listed ones of another shape; what
            /// stands here wins when the response is written.
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
        /// When the code was made, as the processor writes it.
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
        /// The lender's word on the credit.
        credit_status: String = "credit_status",
        /// The lender's number.
        operation_id: String = "operation_id",
    }
}
response! {
    /// The `processor_response` of method `CASHCODE`, normally when pending or authorized.
    CashCodeResponse {
        /// The code to say at the agent.
        cip: String = "cip",
        /// A page with instructions; from outside, so to be checked before it is linked.
        cip_url: String = "cip_url",
        /// When it was paid, as the processor writes it.
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
        /// The payer's account, masked.
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
