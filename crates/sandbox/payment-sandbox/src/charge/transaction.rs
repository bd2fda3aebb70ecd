//! Converts a charge to the JSON of the service.

use super::Charge;
use super::date::date;
use crate::qr::NoQr;
use crate::qr_content::QrMistake;
use payment_model::{
    LifecycleEntry, MethodDetails, Operation, PaymentMethod, PaymentMethodName, Transaction,
    TransactionState,
};

impl Charge {
    /// The operation in answers to queries and cancellations.
    pub(crate) fn operation(&self, public_url: &str) -> Operation {
        let first = self.lifecycle.first();
        let created = first.map(|(_, at)| *at).unwrap_or_default();
        Operation {
            merchant_operation_number: self.asked.key.number.clone(),
            state: self.state.clone(),
            created_at: Some(date(&self.asked.method, created)),
            amount: self.asked.amount.clone(),
            currency: self.asked.currency.clone(),
            transactions: vec![self.transaction(public_url)],
        }
    }

    /// The transaction in the answer to an authorization.
    ///
    /// # Errors
    /// The QR cannot be drawn.
    pub(crate) fn first_transaction(
        &self,
        public_url: &str,
        payee: &str,
        mistake: Option<QrMistake>,
    ) -> Result<Transaction, NoQr> {
        let mut transaction = self.transaction(public_url);
        transaction.processor_response = self.first_response(public_url, payee, mistake)?;
        Ok(transaction)
    }

    /// The address at which the payer continues, while pending in a redirect flow.
    pub(crate) fn continue_url(&self, public_url: &str) -> Option<String> {
        let redirects = matches!(
            self.asked.method,
            PaymentMethodName::Installment | PaymentMethodName::BankTransfer
        );
        (redirects && self.state == TransactionState::Pending)
            .then(|| format!("{public_url}/lender/{}", self.transaction_id))
    }

    fn transaction(&self, public_url: &str) -> Transaction {
        let method = &self.asked.method;
        Transaction {
            transaction_id: self.transaction_id.clone(),
            channel: "ecommerce".to_owned(),
            state: self.state.clone(),
            state_reason: reason(&self.state).to_owned(),
            amount: self.asked.amount.clone(),
            currency: self.asked.currency.clone(),
            payment_method: PaymentMethod {
                method_name: method.clone(),
                method_details: Some(MethodDetails(self.asked.details.clone())),
            },
            continue_url: self.continue_url(public_url),
            expiration_date: self.expires_at().map(|at| date(method, at)),
            processor_response: self.processor_response(public_url),
            additional_fields: None,
            lifecycle: self
                .lifecycle
                .iter()
                .map(|(state, at)| LifecycleEntry {
                    state: state.clone(),
                    date: date(method, *at),
                })
                .collect(),
        }
    }
}

/// The free text about a state.
fn reason(state: &TransactionState) -> &'static str {
    match state {
        TransactionState::Registered => "Operación registrada",
        TransactionState::Pending => "En espera del pago",
        TransactionState::Invalid => "Operación rechazada por el servicio",
        TransactionState::Authorized => "Pago autorizado",
        TransactionState::Declined => "Pago denegado por el procesador",
        TransactionState::Cancelled => "Operación cancelada por el comercio",
        TransactionState::Expired => "Venció el plazo para pagar",
        TransactionState::Settled => "Pago liquidado",
        TransactionState::Reversed => "Pago extornado",
        TransactionState::Unknown(_) => "",
    }
}
