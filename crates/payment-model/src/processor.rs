use crate::{
    BankTransferResponse, CashCodeResponse, InstallmentResponse, OpenValue, PaymentMethodName,
    QrResponse,
};
use serde::{Serialize, Serializer};

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
