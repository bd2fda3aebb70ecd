use crate::{Fields, PaymentMethodName};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

/// What the processor of a method added (`processor_response` by method). It is
/// referential: nothing in it says whether a payment was made.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "typescript",
    derive(tsify::Tsify),
    tsify(
        type = "QrResponse | InstallmentResponse | CashCodeResponse | BankTransferResponse | unknown"
    )
)]
pub enum ProcessorResponse {
    /// Of a QR payment.
    Qr(QrResponse),
    /// Of an instalment payment.
    Installment(InstallmentResponse),
    /// Of a cash-code payment.
    CashCode(CashCodeResponse),
    /// Of a bank transfer.
    BankTransfer(BankTransferResponse),
    /// Of any other method, or of no object shape: kept as it came.
    Other(Value),
}

impl ProcessorResponse {
    /// Reads the response of a method. Whatever is not as documented is kept, never an error.
    #[must_use]
    pub fn read(method: &PaymentMethodName, value: Value) -> Self {
        match (method, value) {
            (PaymentMethodName::Qr, Value::Object(fields)) => Self::Qr(QrResponse::from(fields)),
            (PaymentMethodName::Installment, Value::Object(fields)) => {
                Self::Installment(fields.into())
            }
            (PaymentMethodName::CashCode, Value::Object(fields)) => Self::CashCode(fields.into()),
            (PaymentMethodName::BankTransfer, Value::Object(fields)) => {
                Self::BankTransfer(fields.into())
            }
            (_, other) => Self::Other(other),
        }
    }

    /// The whole response as JSON, known fields first.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self.clone() {
            Self::Qr(response) => Value::Object(response.into()),
            Self::Installment(response) => Value::Object(response.into()),
            Self::CashCode(response) => Value::Object(response.into()),
            Self::BankTransfer(response) => Value::Object(response.into()),
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
    /// The processor's code.
    #[serde(default)]
    pub code: String,
    /// Its meaning.
    #[serde(default)]
    pub description: String,
}

/// A field of a processor response: taken out of the object when it has the documented type.
trait Field: Sized {
    fn take(fields: &mut Fields, name: &str) -> Option<Self>;
    fn put(self, fields: &mut Fields, name: &str);
}

impl Field for String {
    fn take(fields: &mut Fields, name: &str) -> Option<Self> {
        let text = fields.get(name)?.as_str()?.to_owned();
        fields.remove(name);
        Some(text)
    }

    fn put(self, fields: &mut Fields, name: &str) {
        fields.insert(name.to_owned(), Value::String(self));
    }
}

impl Field for ResultMessage {
    fn take(fields: &mut Fields, name: &str) -> Option<Self> {
        let message = fields.get(name)?.as_object()?;
        let part = |name| {
            message
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let read = Self {
            code: part("code"),
            description: part("description"),
        };
        fields.remove(name);
        Some(read)
    }

    fn put(self, fields: &mut Fields, name: &str) {
        let mut message = Fields::new();
        self.code.put(&mut message, "code");
        self.description.put(&mut message, "description");
        fields.insert(name.to_owned(), Value::Object(message));
    }
}

/// Declares a response whose fields are all optional; what it does not know is kept in `rest`.
macro_rules! response {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Default)]
        #[cfg_attr(feature = "typescript", derive(serde::Serialize, tsify::Tsify))]
        pub struct $name {
            $($(#[$field_doc])* #[cfg_attr(feature = "typescript", serde(rename = $word, skip_serializing_if = "Option::is_none"), tsify(optional))]
            pub $field: Option<$type>,)+
            /// Fields that the specification does not list, and listed ones of another type.
            #[cfg_attr(feature = "typescript", serde(skip))]
            pub rest: Fields,
        }

        impl From<Fields> for $name {
            fn from(mut fields: Fields) -> Self {
                Self { $($field: Field::take(&mut fields, $word),)+ rest: fields }
            }
        }

        impl From<$name> for Fields {
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

#[cfg(test)]
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
        check("QR", json!("text"), |r| {
            matches!(r, ProcessorResponse::Other(_))
        });
        check("NUEVO", json!([1, 2]), |r| {
            matches!(r, ProcessorResponse::Other(_))
        });
    }
}
