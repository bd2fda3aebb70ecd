use crate::continue_url::ContinueUrl;
use crate::failure::ErrorCode;
use crate::qr_image::QrImage;
use crate::start::Settings;
use payment_model::{
    DateObject, Money, OpenValue, PaymentMethodName, ProcessorResponse, Timestamp, Transaction,
    TransactionState,
};
use std::time::Duration;

/// The data with which a payer pays an operation, collected from several answers of the server: a later
/// answer need not repeat it.
#[derive(Debug, Clone, Default)]
pub(super) struct Offer {
    /// The amount in the answer to the authorize request; `None` if this page did not receive that answer.
    authorized: Option<Money>,
    /// Until when the operation can be paid, by the server's clock.
    pub(super) deadline: Option<Timestamp>,
    /// The QR code, once the server sent a valid one.
    pub(super) picture: Option<QrImage>,
    /// The name that the payer's app will show, where the server read it in the code.
    pub(super) payee: Option<String>,
    /// True when the browser could not decode the picture.
    undecodable: bool,
    /// The page of another site at which the payer pays.
    pub(super) continue_url: Option<ContinueUrl>,
    /// Why the payer must not see the operation.
    pub(super) fault: Option<ErrorCode>,
}

impl Offer {
    /// Takes the answer to the authorize request.
    pub(super) fn authorized(&mut self, transaction: &Transaction, settings: &Settings) {
        self.authorized = Some(money_of(transaction));
        self.update(transaction, settings);
    }

    /// Takes a transaction of any answer, and finds out anew whether the payer may see the operation. Only
    /// a waiting transaction has an offer.
    pub(super) fn update(&mut self, transaction: &Transaction, settings: &Settings) {
        if !transaction.state.is_waiting() {
            return;
        }
        self.fault = None;
        // An impossible date is ignored, and the known one stays.
        let date = transaction.expiration_date.as_ref();
        let deadline = date.and_then(DateObject::timestamp);
        self.deadline = deadline.or(self.deadline);
        if !settings.is_price(&money_of(transaction)) || self.is_authorized_wrongly(settings) {
            self.fault = Some(ErrorCode::AmountMismatch);
            return;
        }
        if let Some(ProcessorResponse::Qr(response)) = &transaction.processor_response {
            let payee = response.rest.get("payee_name");
            let payee = payee.and_then(OpenValue::as_str).map(str::to_owned);
            self.payee = payee.or(self.payee.take());
            let known = self.picture.as_ref().map(QrImage::as_str);
            if let Some(uri) = response
                .qr_image
                .as_deref()
                .filter(|uri| known != Some(*uri))
            {
                self.picture = QrImage::parse(uri);
                self.undecodable = false;
            }
        }
        let coded_in_cash = matches!(
            &transaction.processor_response,
            Some(ProcessorResponse::CashCode(response)) if response.cip.is_some()
        );
        // A payer who has a code to pay with need not go to another page.
        if let Some(url) = transaction.continue_url.as_ref().filter(|_| !coded_in_cash) {
            self.continue_url = ContinueUrl::parse(url, &settings.hosts);
            if self.continue_url.is_none() {
                self.fault = Some(ErrorCode::ContinueUrl);
            }
        }
        let pending = transaction.state == TransactionState::Pending;
        let coded = transaction.payment_method.method_name == PaymentMethodName::Qr;
        if self.undecodable || (coded && pending && self.picture.is_none()) {
            self.fault = Some(ErrorCode::QrImage);
        }
    }

    /// Notes that the browser could not decode the picture. Returns true the first time.
    pub(super) fn cannot_be_decoded(&mut self) -> bool {
        let news = self.picture.is_some() && !self.undecodable;
        if news {
            self.undecodable = true;
            self.fault = Some(ErrorCode::QrImage);
        }
        news
    }

    /// Forgets the fault, since the payer tries again.
    pub(super) fn forget_fault(&mut self) {
        (self.fault, self.undecodable) = (None, false);
    }

    /// True when the server authorized another amount than the page's price. A later status answer with
    /// the right amount does not repair that.
    pub(super) fn is_authorized_wrongly(&self, settings: &Settings) -> bool {
        let money = self.authorized.as_ref();
        money.is_some_and(|money| !settings.is_price(money))
    }

    /// How long ago the deadline passed, at this instant of the server's clock.
    pub(super) fn overdue(&self, server_now: Timestamp) -> Option<Duration> {
        self.deadline
            .and_then(|deadline| server_now.checked_duration_since(deadline))
    }
}

pub(super) fn money_of(transaction: &Transaction) -> Money {
    Money {
        amount: transaction.amount.clone(),
        currency: transaction.currency.clone(),
    }
}
