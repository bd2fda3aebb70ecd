use super::offer::{Offer, money_of};
use super::schedule::{self, AskPlan, Withdrawal};
use crate::continue_url::ContinueUrl;
use crate::event::CancelledBy;
use crate::failure::ErrorCode;
use crate::operation_ref::OperationRef;
use crate::qr_image::QrImage;
use crate::start::Settings;
use crate::time::FlowTime;
use payment_model::{Money, Outcome, PaymentMethodName, Timestamp, Transaction, TransactionState};
use std::time::Duration;

/// An operation that the flow knows, with the server's answers about it.
#[derive(Debug, Clone)]
pub(super) struct TrackedOperation {
    pub(super) operation: OperationRef,
    pub(super) knowledge: Knowledge,
    /// The transaction of the last answer, of any endpoint.
    pub(super) transaction: Option<Transaction>,
    /// The entity tag of the status answer that `transaction` comes from, if it comes from one.
    pub(super) tag: Option<String>,
    /// The `Date` and the id of the last status answer that had a `Date`, and when it first came.
    dated: Option<(Timestamp, Option<String>, FlowTime)>,
    /// How it ended, as only the status endpoint says.
    pub(super) outcome: Option<Outcome>,
    /// Who cancelled it, if it is cancelled.
    pub(super) cancelled_by: CancelledBy,
    /// True when the server said that the order may be paid again if this payment was given back.
    pub(super) payable: bool,
    /// True when the server said that it pays the order.
    pub(super) pays_order: bool,
    /// The server refused a new code, since it did not know how this operation had ended. The payer may ask
    /// again from this time on. Any [`Knowledge`] may come with such a refusal.
    pub(super) new_code_from: Option<FlowTime>,
    /// The server's clock when the payment service reported the known state.
    pub(super) known_at: Option<Timestamp>,
    /// The server's clock when the status endpoint last said that the operation has not ended.
    unended_at: Option<Timestamp>,
    /// True when an answer to this page had the operation in a waiting state.
    pub(super) seen_waiting: bool,
    pub(super) offer: Offer,
    pub(super) reported: Reported,
    pub(super) plan: AskPlan,
    /// Set while the flow cancels this operation because another one was paid.
    pub(super) withdrawal: Option<Withdrawal>,
}

/// What this page knows about an operation from the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Knowledge {
    /// The status endpoint has not answered about it yet.
    Unanswered,
    /// The status endpoint never knew such an operation of this payer, so the flow stopped asking.
    UnknownToServer,
    /// The status endpoint has answered about it.
    Confirmed,
    /// The status endpoint said how it ended. Another answer of the server then named another end, so
    /// the flow shows none before the status endpoint has answered again.
    EndToConfirm,
}

impl Knowledge {
    /// True once the status endpoint has answered.
    pub(super) fn is_confirmed(self) -> bool {
        matches!(self, Self::Confirmed | Self::EndToConfirm)
    }

    /// The operation may exist after all: the server named it, or the payer wants to ask again.
    pub(super) fn may_exist(&mut self) {
        if *self == Self::UnknownToServer {
            *self = Self::Unanswered;
        }
    }
}

/// What the flow reported to the page about an operation.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reported {
    /// True once it reported that the operation waits.
    pub(super) pending: bool,
    /// The last outcome that it reported.
    pub(super) outcome: Option<Outcome>,
}

/// What an answer of the status endpoint changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing that the payer or the page sees.
    Nothing,
    /// The state. The operation has not ended.
    State,
    /// The outcome: the operation ended, or its end was corrected.
    Ended,
}

/// What the payer can do about an operation that has not ended. The screen and the effect of its buttons
/// depend on it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Standing<'a> {
    /// The payer must not see it.
    Faulty(ErrorCode),
    /// The server refused a new code, since it did not know how this operation had ended. The payer may ask again
    /// from this time on.
    Unconfirmed(FlowTime),
    /// No answer of the server may be shown yet.
    Unknown,
    /// The server named a state that the flow does not know.
    Confirming(&'a Transaction),
    /// The time is over, and after the grace the server said that the operation still waits.
    Overdue,
    /// The deadline has passed, and the server may still say that the operation was paid.
    LastCheck,
    /// The payer pays by a code on this page.
    ByCode(&'a QrImage),
    /// The payer pays at another site.
    Elsewhere(&'a ContinueUrl),
    /// The payer pays in another way.
    Waiting(&'a Transaction),
}

impl TrackedOperation {
    pub(super) fn new(operation: OperationRef, now: FlowTime) -> Self {
        Self {
            operation,
            knowledge: Knowledge::Unanswered,
            transaction: None,
            tag: None,
            dated: None,
            outcome: None,
            cancelled_by: CancelledBy::default(),
            payable: false,
            pays_order: false,
            new_code_from: None,
            known_at: None,
            unended_at: None,
            seen_waiting: false,
            offer: Offer::default(),
            reported: Reported::default(),
            plan: AskPlan::new(now),
            withdrawal: None,
        }
    }

    /// The standing at an instant of the server's clock.
    pub(super) fn standing(&self, server_now: Timestamp) -> Standing<'_> {
        // A code that cannot be shown does not matter any more once its time is over.
        let fault = self
            .offer
            .fault
            .filter(|code| !(code.is_retryable() && self.is_overdue()));
        if let Some(code) = fault {
            return Standing::Faulty(code);
        }
        if let Some(from) = self.new_code_from {
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
        if self.offer.overdue(server_now).is_some() {
            return Standing::LastCheck;
        }
        match (&self.offer.picture, &self.offer.continue_url) {
            (Some(picture), _) => Standing::ByCode(picture),
            (None, Some(url)) => Standing::Elsewhere(url),
            (None, None) => Standing::Waiting(transaction),
        }
    }

    /// True when another operation may pay the order: this one ended without a payment, or its payment was given
    /// back and the server said that the order may be paid again.
    pub(super) fn may_be_followed(&self) -> bool {
        match self.outcome {
            Some(Outcome::Expired | Outcome::Declined | Outcome::Invalid | Outcome::Cancelled) => {
                true
            }
            Some(Outcome::Reversed) => self.payable,
            Some(Outcome::Paid) | None => false,
        }
    }

    /// True when it ended without a payment, and the payer did not cancel it on this page.
    pub(super) fn is_failed_attempt(&self) -> bool {
        match self.outcome {
            Some(Outcome::Declined | Outcome::Expired | Outcome::Invalid) => true,
            Some(Outcome::Cancelled) => self.cancelled_by != CancelledBy::ThisPage,
            Some(Outcome::Paid | Outcome::Reversed) | None => false,
        }
    }

    /// Takes an answer of the authorize endpoint. It is enough to show the operation, but never ends it.
    pub(super) fn authorized(&mut self, transaction: Transaction, settings: &Settings) {
        self.seen_waiting |= transaction.state.is_waiting();
        self.offer.authorized(&transaction, settings);
        (self.transaction, self.tag) = (Some(transaction), None);
        self.knowledge.may_exist();
        // The server says that it is live, so the flow needs a new answer before it calls it overdue again.
        (self.unended_at, self.new_code_from) = (None, None);
    }

    /// Forgets the transaction, so that the flow shows nothing of the operation before a new answer.
    pub(super) fn forget_transaction(&mut self) {
        (self.transaction, self.tag) = (None, None);
    }

    /// Notes the `Date` and the id of a status answer. True for an answer from before its question, which left at `asked`.
    pub(super) fn is_old(
        &mut self,
        date: Option<Timestamp>,
        id: Option<String>,
        asked: FlowTime,
        now: FlowTime,
    ) -> bool {
        let Some(date) = date else {
            return false;
        };
        match &self.dated {
            Some((known, of, since)) if (*known, of) == (date, &id) => {
                asked.duration_since(*since) >= schedule::SAME_DATE
            }
            _ => {
                self.dated = Some((date, id, now));
                false
            }
        }
    }

    /// Takes an answer of the status endpoint.
    pub(super) fn answered(
        &mut self,
        transaction: Transaction,
        settings: &Settings,
        now: FlowTime,
        server_now: Timestamp,
    ) -> Change {
        let was_confirmed = self.knowledge.is_confirmed();
        self.knowledge = Knowledge::Confirmed;
        let outcome = transaction.outcome();
        if let Some(previous) = self.outcome {
            // A payment that was given back may be in force again, which the server has to say of the order, too.
            let paid_again = (self.pays_order, previous) == (true, Outcome::Reversed);
            let may_become =
                |next: Outcome| previous.may_become(next) || (paid_again && next == Outcome::Paid);
            let correction = outcome.filter(|next| may_become(*next));
            // A settlement does not change the end; any other state that is no correction is an old
            // answer.
            if correction.is_none() && outcome != Some(previous) {
                return Change::Nothing;
            }
            self.transaction = Some(transaction);
            return match correction {
                Some(outcome) => self.ended(outcome, now),
                None => Change::Nothing,
            };
        }
        let news = !was_confirmed || self.state() != Some(&transaction.state);
        self.seen_waiting |= transaction.state.is_waiting();
        self.offer.update(&transaction, settings);
        self.transaction = Some(transaction);
        if let Some(outcome) = outcome {
            return self.ended(outcome, now);
        }
        self.unended_at = Some(server_now);
        if news { Change::State } else { Change::Nothing }
    }

    fn ended(&mut self, outcome: Outcome, now: FlowTime) -> Change {
        (self.outcome, self.plan.since) = (Some(outcome), now);
        self.new_code_from = None;
        Change::Ended
    }

    /// Stops asking about an operation that the server does not know.
    pub(super) fn give_up(&mut self) {
        (self.knowledge, self.plan.due) = (Knowledge::UnknownToServer, None);
    }

    pub(super) fn method(&self) -> Option<&PaymentMethodName> {
        self.transaction
            .as_ref()
            .map(|transaction| &transaction.payment_method.method_name)
    }

    pub(super) fn state(&self) -> Option<&TransactionState> {
        self.transaction
            .as_ref()
            .map(|transaction| &transaction.state)
    }

    pub(super) fn money(&self) -> Option<Money> {
        self.transaction.as_ref().map(money_of)
    }

    /// True when the operation waits for the payer, according to the last answer.
    pub(super) fn is_waiting(&self) -> bool {
        self.transaction
            .as_ref()
            .is_some_and(|transaction| transaction.state.is_waiting())
    }

    /// True when the screen says that the time is over: the server reported after the grace that the operation
    /// still waits. A phone that slept through the grace asks first.
    pub(super) fn is_overdue(&self) -> bool {
        let over = self.unended_at.and_then(|at| self.offer.overdue(at));
        self.is_waiting() && over.is_some_and(|over| over >= schedule::GRACE)
    }

    /// The time until the flow asks the server again; `None` for never.
    pub(super) fn delay(
        &self,
        in_front: bool,
        now: FlowTime,
        server_now: Timestamp,
    ) -> Option<Duration> {
        let since = now.duration_since(self.plan.since);
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
                    self.offer.overdue(server_now),
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
