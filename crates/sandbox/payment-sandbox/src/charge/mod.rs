//! A charge: an operation with its one transaction. `step` changes its state; `transaction`, `processor` and
//! `date` make the JSON of answers. The module knows neither requests nor a clock.

mod date;
mod processor;
mod step;
mod transaction;

pub(crate) use step::{Refusal, Step};

use crate::limits::{Beyond, Limits};
use crate::qr_content::QrForm;
use crate::random::{self, NoRandomness};
use payment_model::{
    Amount, Currency, Fields, MerchantCode, MerchantOperationNumber, PaymentMethodName, Timestamp,
    TransactionId, TransactionState,
};
use std::time::Duration;

/// The key of an operation. Operation numbers are unique only within a merchant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) merchant_code: MerchantCode,
    pub(crate) number: MerchantOperationNumber,
}

/// The content of the merchant's request.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) key: Key,
    pub(crate) method: PaymentMethodName,
    /// `method_details` of the request, which all answers repeat.
    pub(crate) details: Fields,
    pub(crate) amount: Amount,
    pub(crate) currency: Currency,
}

/// An operation with its one transaction.
#[derive(Debug, Clone)]
pub(crate) struct Charge {
    pub(crate) asked: Asked,
    pub(crate) transaction_id: TransactionId,
    /// The source of the QR, the cash code and the processor's own numbers.
    pub(crate) processor_id: String,
    pub(crate) cip: String,
    qr_form: QrForm,
    pub(crate) expires_in: Duration,
    expires_at: Option<Timestamp>,
    pub(crate) state: TransactionState,
    /// The previous states and the current one, with their times.
    pub(crate) lifecycle: Vec<(TransactionState, Timestamp)>,
}

impl Charge {
    /// Registers an operation. Its time to pay begins when it becomes pending.
    ///
    /// # Errors
    /// The system gave no random bytes.
    pub(crate) fn register(
        asked: Asked,
        expires_in: Duration,
        qr_form: QrForm,
        now: Timestamp,
    ) -> Result<Self, NoRandomness> {
        Ok(Self {
            asked,
            transaction_id: TransactionId::new(random::token()?),
            processor_id: random::token()?,
            cip: random::digits()?,
            qr_form,
            expires_in,
            expires_at: None,
            state: TransactionState::Registered,
            lifecycle: vec![(TransactionState::Registered, now)],
        })
    }

    /// Carries a step out.
    ///
    /// # Errors
    /// The state does not allow the step, and is not changed.
    pub(crate) fn apply(&mut self, step: Step, now: Timestamp) -> Result<(), Refusal> {
        let to = step.leads(&self.state)?;
        self.enter(to, now);
        Ok(())
    }

    /// Moves the charge to any state, known or unknown, with the states before it.
    pub(crate) fn bring_to(&mut self, state: &TransactionState, now: Timestamp) {
        use TransactionState as S;
        let way: &[S] = match state {
            S::Registered => return,
            S::Pending | S::Invalid => &[],
            S::Settled | S::Reversed => &[S::Pending, S::Authorized],
            _ => &[S::Pending],
        };
        for state in way.iter().chain([state]) {
            self.enter(state.clone(), now);
        }
    }

    /// The deadline for the payer, while the charge is pending.
    pub(crate) fn expires_at(&self) -> Option<Timestamp> {
        self.expires_at
    }

    /// The deadline that a pending operation has missed.
    pub(crate) fn overdue_since(&self, now: Timestamp) -> Option<Timestamp> {
        self.expires_at.filter(|deadline| now >= *deadline)
    }

    /// The reason why the payer's side does not take the amount; `None` if it does.
    pub(crate) fn beyond(&self, limits: &Limits) -> Option<Beyond> {
        let asked = &self.asked;
        limits.beyond(&asked.method, &asked.amount, &asked.currency)
    }

    /// The merchant's page to which the payer returns.
    pub(crate) fn redirect_url(&self) -> Option<&str> {
        self.asked.details.get("redirect_url")?.as_str()
    }

    /// The merchant's address for notifications.
    pub(crate) fn callback_url(&self) -> Option<&str> {
        self.asked.details.get("callback_url")?.as_str()
    }

    fn enter(&mut self, state: TransactionState, now: Timestamp) {
        self.expires_at = match state {
            TransactionState::Pending => Some(now.saturating_add(self.expires_in)),
            _ => None,
        };
        self.lifecycle.push((state.clone(), now));
        self.state = state;
    }

    /// The time at which the charge entered its state.
    pub(crate) fn since(&self) -> Timestamp {
        let last = self.lifecycle.last();
        last.map(|(_, at)| *at).unwrap_or_default()
    }

    /// The time of the payment, also after later states.
    fn paid_at(&self) -> Timestamp {
        let paid = |entry: &&(TransactionState, Timestamp)| entry.0 == TransactionState::Authorized;
        let entry = self.lifecycle.iter().find(paid);
        entry.map_or_else(|| self.since(), |(_, at)| *at)
    }
}
