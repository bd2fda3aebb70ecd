//! `processor_response`, by method and state.

use super::Charge;
use super::date::date;
use crate::qr::{self, NoQr};
use crate::qr_content::{Payment, QrForm, QrMistake};
use payment_model::{
    BankTransferResponse, CashCodeResponse, InstallmentResponse, PaymentMethodName,
    ProcessorResponse, QrResponse, ResultMessage, TransactionState,
};

impl Charge {
    /// The processor's response in answers to queries and cancellations: null while pending, except for the
    /// cash code, which the payer needs. It never has the image of the QR code.
    pub(super) fn processor_response(&self, public_url: &str) -> Option<ProcessorResponse> {
        use TransactionState as S;
        let settled = matches!(self.state, S::Authorized | S::Settled | S::Reversed);
        let decided = settled || self.state == S::Declined;
        match self.asked.method {
            PaymentMethodName::Qr if settled => Some(ProcessorResponse::Qr(
                self.qr_response("Pago recibido", None),
            )),
            PaymentMethodName::Installment if decided => {
                Some(ProcessorResponse::Installment(InstallmentResponse {
                    credit_status: Some(if settled { "APROBADO" } else { "RECHAZADO" }.to_owned()),
                    operation_id: Some(self.processor_number()),
                    ..InstallmentResponse::default()
                }))
            }
            PaymentMethodName::CashCode if settled || self.state == S::Pending => Some(
                ProcessorResponse::CashCode(self.cash_code(settled, public_url)),
            ),
            PaymentMethodName::BankTransfer if decided => {
                Some(ProcessorResponse::BankTransfer(BankTransferResponse {
                    origin_account: Some("**********4821".to_owned()),
                    request_id: Some(self.processor_id.clone()),
                    operation_id: Some(self.processor_number()),
                    ..BankTransferResponse::default()
                }))
            }
            _ => None,
        }
    }

    /// The processor's response in the answer to the authorization, the only one with the image of the QR
    /// code.
    ///
    /// # Errors
    /// The QR cannot be drawn.
    pub(super) fn first_response(
        &self,
        public_url: &str,
        payee: &str,
        mistake: Option<QrMistake>,
    ) -> Result<Option<ProcessorResponse>, NoQr> {
        if self.asked.method == PaymentMethodName::Qr && self.state == TransactionState::Pending {
            let image = qr::data_uri(&self.qr_content(public_url, payee, mistake))?;
            let response = self.qr_response("QR generado", Some(image));
            return Ok(Some(ProcessorResponse::Qr(response)));
        }
        Ok(self.processor_response(public_url))
    }

    /// The content of the QR code, or of one with a mistake, which is of the form that can have it.
    pub(crate) fn qr_content(
        &self,
        public_url: &str,
        payee: &str,
        mistake: Option<QrMistake>,
    ) -> String {
        let is_address = match mistake {
            None => self.qr_form == QrForm::Address,
            Some(mistake) => mistake == QrMistake::OtherForm,
        };
        let payment = Payment {
            qr_id: &self.processor_id,
            amount: &self.asked.amount,
            currency: &self.asked.currency,
            payee,
        };
        let emvco = if is_address {
            None
        } else {
            payment.emvco(mistake)
        };
        emvco.unwrap_or_else(|| format!("{public_url}/phone?qr={}", self.processor_id))
    }

    fn qr_response(&self, description: &str, image: Option<String>) -> QrResponse {
        QrResponse {
            date: date(&self.asked.method, self.since()).utc_time,
            qr_image: image,
            qr_id: Some(self.processor_id.clone()),
            result_message: Some(success(description)),
            ..QrResponse::default()
        }
    }

    fn cash_code(&self, paid: bool, public_url: &str) -> CashCodeResponse {
        let mut response = CashCodeResponse {
            cip: Some(self.cip.clone()),
            ..CashCodeResponse::default()
        };
        if paid {
            response.payment_date = date(&self.asked.method, self.paid_at()).utc_time;
            response.operation_number = Some(self.processor_number());
        } else {
            response.cip_url = Some(format!("{public_url}/agent?cip={}", self.cip));
            response.result_message = Some(success("Código generado"));
        }
        response
    }

    /// The processor's number of the payment.
    fn processor_number(&self) -> String {
        self.processor_id
            .chars()
            .take(8)
            .collect::<String>()
            .to_uppercase()
    }
}

fn success(description: &str) -> ResultMessage {
    ResultMessage {
        code: "00".to_owned(),
        description: description.to_owned(),
    }
}
