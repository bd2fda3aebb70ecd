use crate::flow_time::FlowTime;
use crate::withdrawal::Withdrawal;
use crate::{
    CancelledBy, ContinueUrl, ErrorCode, Money, OperationRef, QrImage, Settings, schedule,
    time::GRACE,
};
use payment_model::{
    DateObject, Outcome, PaymentMethodName, ProcessorResponse, Timestamp, Transaction,
    TransactionState,
};
use std::time::Duration;

/// An operation that the flow knows, with the server's answers about it.
#[derive(Debug, Clone)]
pub(crate) struct TrackedOperation {
    pub(crate) operation: OperationRef,
    /// The transaction of the last answer, of any endpoint.
    pub(crate) transaction: Option<Transaction>,
    /// The amount that the server authorized, if this page heard it.
    pub(crate) authorized: Option<Money>,
    /// The name of the status answer that `transaction` comes from, if it comes from one.
    pub(crate) tag: Option<String>,
    /// How it ended, by the status endpoint alone.
    pub(crate) outcome: Option<Outcome>,
    /// Who cancelled it, if it is cancelled.
    pub(crate) cancelled_by: CancelledBy,
    /// The outcome that the flow reported to the page last.
    pub(crate) told: Option<Outcome>,
    /// True once the status endpoint has answered.
    pub(crate) confirmed: bool,
    /// The server's clock when the payment service reported the known state.
    pub(crate) known_at: Option<Timestamp>,
    /// The server's clock when the status endpoint last reported that it has not ended.
    pub(crate) heard_at: Option<Timestamp>,
    /// True when this page saw the operation wait.
    pub(crate) seen_waiting: bool,
    /// True once the flow reported to the page that the operation waits.
    pub(crate) pending_told: bool,
    /// Until when it can be paid, by the server's clock.
    pub(crate) deadline: Option<Timestamp>,
    /// The code, once a sound one came; answers need not repeat it.
    pub(crate) picture: Option<QrImage>,
    pub(crate) continue_url: Option<ContinueUrl>,
    /// True when the browser could not decode the code.
    pub(crate) undecodable: bool,
    /// Why the flow cannot show the operation to the payer.
    pub(crate) fault: Option<ErrorCode>,
    /// From when on the payer may ask for a new code; set while the server does
    /// not know yet how this one ended.
    pub(crate) unconfirmed: Option<FlowTime>,
    /// True when another answer of the server named an end that the status endpoint has to confirm
    /// first.
    pub(crate) foretold: bool,
    /// True when the server said that the order may be paid again if this payment was given back.
    pub(crate) payable: bool,
    /// When to ask next; `None` for not again.
    pub(crate) due: Option<FlowTime>,
    /// True when the flow has to ask about this operation before any other.
    pub(crate) urgent: bool,
    /// Since when it waits, or since it ended.
    pub(crate) since: FlowTime,
    /// Set while the flow cancels this operation because another one was paid.
    pub(crate) withdrawal: Option<Withdrawal>,
    /// How often the server did not find it before it ever did.
    pub(crate) not_found: u32,
    /// True when the server knows no such operation of this payer.
    pub(crate) given_up: bool,
}

/// The change that an answer of the status endpoint made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// No change that the payer or the page would see.
    Nothing,
    /// It is in another state, and has not ended.
    State,
    /// It ended, or its end was corrected.
    Ended,
}

/// How an operation that has not ended stands for its payer. The screen is drawn from it, and the
/// buttons decide by it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Standing<'a> {
    /// The payer must not see it.
    Faulty(ErrorCode),
    /// A new code was asked for, and the server does not know how this one ended. It may be asked for
    /// again at this time of the flow.
    Unconfirmed(FlowTime),
    /// Nothing is known that may be shown.
    Unknown,
    /// The server names a state that nobody knows.
    Confirming(&'a Transaction),
    /// Its time is over, and the server said so after the grace.
    Overdue,
    /// Its deadline has passed, and the server may still say that it was paid.
    LastCheck,
    /// The payer pays by a code on this page.
    ByCode(&'a QrImage),
    /// The payer pays on another page.
    Elsewhere(&'a ContinueUrl),
    /// The payer pays in another way.
    Waiting(&'a Transaction),
}

impl TrackedOperation {
    /// How it stands by the server's clock.
    pub(crate) fn standing(&self, server_now: Timestamp) -> Standing<'_> {
        // A code that cannot be shown matters no more once its time is over.
        let fault = self
            .fault
            .filter(|code| !(code.is_retryable() && self.is_overdue()));
        if let Some(code) = fault {
            return Standing::Faulty(code);
        }
        if let Some(from) = self.unconfirmed {
            return Standing::Unconfirmed(from);
        }
        let Some(transaction) = &self.transaction else {
            return Standing::Unknown;
        };
        if let TransactionState::Unknown(_) = transaction.state {
            return Standing::Confirming(transaction);
        }
        if transaction.state.is_final() {
            return Standing::Unknown;
        }
        if self.is_overdue() {
            return Standing::Overdue;
        }
        if self.overdue(server_now).is_some() {
            return Standing::LastCheck;
        }
        match (&self.picture, &self.continue_url) {
            (Some(picture), _) => Standing::ByCode(picture),
            (None, Some(url)) => Standing::Elsewhere(url),
            (None, None) => Standing::Waiting(transaction),
        }
    }

    /// True when its order may be paid by another operation: it ended without a payment, or its
    /// payment was given back and the server said that the order may be paid again.
    pub(crate) fn may_be_followed(&self) -> bool {
        match self.outcome {
            Some(Outcome::Expired | Outcome::Declined | Outcome::Invalid | Outcome::Cancelled) => {
                true
            }
            Some(Outcome::Reversed) => self.payable,
            Some(Outcome::Paid) | None => false,
        }
    }

    /// True when it ended without a payment, and not by the payer's own press on this page.
    pub(crate) fn is_failed_attempt(&self) -> bool {
        match self.outcome {
            Some(Outcome::Declined | Outcome::Expired | Outcome::Invalid) => true,
            Some(Outcome::Cancelled) => self.cancelled_by != CancelledBy::ThisPage,
            Some(Outcome::Paid | Outcome::Reversed) | None => false,
        }
    }

    pub(crate) fn new(operation: OperationRef, now: FlowTime) -> Self {
        Self {
            operation,
            transaction: None,
            authorized: None,
            tag: None,
            outcome: None,
            cancelled_by: CancelledBy::default(),
            told: None,
            confirmed: false,
            known_at: None,
            heard_at: None,
            seen_waiting: false,
            pending_told: false,
            deadline: None,
            picture: None,
            continue_url: None,
            undecodable: false,
            fault: None,
            unconfirmed: None,
            foretold: false,
            payable: false,
            due: Some(now),
            urgent: false,
            since: now,
            withdrawal: None,
            not_found: 0,
            given_up: false,
        }
    }

    /// Takes an answer of the authorize endpoint: enough to show, never an end.
    pub(crate) fn authorized(&mut self, transaction: Transaction, settings: &Settings) {
        self.authorized = Some(money_of(&transaction));
        self.take_offer(&transaction, settings);
        (self.transaction, self.tag) = (Some(transaction), None);
        // The server calls it live, so the flow needs a new answer before it shows an end again.
        (self.heard_at, self.given_up, self.unconfirmed) = (None, false, None);
    }

    /// Forgets the transaction, so that the flow does not show it before a new answer.
    pub(crate) fn forget_transaction(&mut self) {
        (self.transaction, self.tag) = (None, None);
    }

    /// Takes an answer of the status endpoint.
    pub(crate) fn answered(
        &mut self,
        transaction: Transaction,
        settings: &Settings,
        now: FlowTime,
        server_now: Timestamp,
    ) -> Change {
        let outcome = transaction.outcome();
        if let Some(previous) = self.outcome {
            let correction = outcome.filter(|next| previous.may_become(*next));
            // A settlement does not change the end; any other state that is no correction is an old
            // answer.
            if correction.is_none() && outcome != Some(previous) {
                return Change::Nothing;
            }
            self.transaction = Some(transaction);
            if correction.is_none() {
                return Change::Nothing;
            }
            (self.outcome, self.since) = (correction, now);
            return Change::Ended;
        }
        let news = !self.confirmed
            || self
                .transaction
                .as_ref()
                .is_none_or(|t| t.state != transaction.state);
        self.confirmed = true;
        self.take_offer(&transaction, settings);
        self.transaction = Some(transaction);
        if outcome.is_some() {
            (self.outcome, self.since) = (outcome, now);
            return Change::Ended;
        }
        self.heard_at = Some(server_now);
        if news { Change::State } else { Change::Nothing }
    }

    /// Keeps what the payer needs for paying, and notes why the payer must not see it.
    fn take_offer(&mut self, transaction: &Transaction, settings: &Settings) {
        if !transaction.state.is_waiting() {
            return;
        }
        self.seen_waiting = true;
        self.fault = None;
        // An impossible date counts as none and leaves the known one.
        let date = transaction.expiration_date.as_ref();
        let deadline = date.and_then(DateObject::timestamp);
        self.deadline = deadline.or(self.deadline);
        if !settings.is_price(&money_of(transaction)) || self.is_authorized_wrongly(settings) {
            self.fault = Some(ErrorCode::AmountMismatch);
            return;
        }
        if let Some(ProcessorResponse::Qr(response)) = &transaction.processor_response
            && let Some(uri) = &response.qr_image
            && self
                .picture
                .as_ref()
                .is_none_or(|picture| picture.as_str() != uri)
        {
            self.picture = QrImage::parse(uri);
            self.undecodable = false;
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

    /// True when the server authorized another amount than the page's price. A status answer with the
    /// right one does not mend that.
    pub(crate) fn is_authorized_wrongly(&self, settings: &Settings) -> bool {
        let money = self.authorized.as_ref();
        money.is_some_and(|money| !settings.is_price(money))
    }

    pub(crate) fn method(&self) -> Option<&PaymentMethodName> {
        self.transaction
            .as_ref()
            .map(|transaction| &transaction.payment_method.method_name)
    }

    pub(crate) fn money(&self) -> Option<Money> {
        self.transaction.as_ref().map(money_of)
    }

    /// True when the server waits for the payer, by its last answer.
    pub(crate) fn is_waiting(&self) -> bool {
        self.transaction
            .as_ref()
            .is_some_and(|transaction| transaction.state.is_waiting())
    }

    /// How long ago the deadline passed, at this instant of the server's clock.
    pub(crate) fn overdue(&self, server_now: Timestamp) -> Option<Duration> {
        self.deadline
            .and_then(|deadline| server_now.checked_duration_since(deadline))
    }

    /// True when the screen says that the time is over. The grace has passed then, and the server
    /// reported after it that the operation still waits. A phone that slept through both asks
    /// first.
    pub(crate) fn is_overdue(&self) -> bool {
        let over = self.heard_at.and_then(|heard_at| self.overdue(heard_at));
        self.is_waiting() && over.is_some_and(|over| over >= GRACE)
    }

    /// How long until the flow asks the server again; `None` when no time is planned.
    pub(crate) fn delay(
        &self,
        in_front: bool,
        now: FlowTime,
        server_now: Timestamp,
    ) -> Option<Duration> {
        let since = now.duration_since(self.since);
        match self.outcome {
            Some(Outcome::Paid | Outcome::Reversed) => None,
            Some(_) => Some(schedule::while_watched(since)),
            None if in_front => {
                let slow = matches!(
                    self.method(),
                    Some(PaymentMethodName::CashCode | PaymentMethodName::BankTransfer)
                );
                Some(schedule::while_waiting(
                    slow,
                    since,
                    self.overdue(server_now),
                ))
            }
            None => {
                let watched = schedule::while_watched(since);
                let withdrawal = self.withdrawal.filter(|w| w.call.is_none());
                Some(withdrawal.map_or(watched, |w| watched.min(w.due.duration_since(now))))
            }
        }
    }
}

pub(crate) fn money_of(transaction: &Transaction) -> Money {
    Money {
        amount: transaction.amount.clone(),
        currency: transaction.currency.clone(),
    }
}
