use crate::{OpenFields, OpenValue};
use serde::{Deserialize, Serialize};

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
