use super::cancelling::Intent;
use super::check::Checked;
use super::method_choice::Choice;
use super::tracked_operation::Standing;
use super::{Flow, Phase};
use crate::continue_url::ContinueUrl;
use crate::event::{CancelledBy, PageAnswer};
use crate::failure::ErrorCode;
use crate::operation_ref::OperationRef;
use crate::qr_image::QrImage;
use crate::time::Moment;
use payment_model::{
    MerchantOperationNumber, Meta, Money, Outcome, PaymentMethodName, ProblemMoney, Timestamp,
    Transaction,
};
use std::time::Duration;

/// The screen to show, and the data that every screen may show.
#[derive(Debug, Clone, PartialEq)]
pub struct View<'a> {
    /// The screen.
    pub screen: Screen<'a>,
    /// The sum to pay: the authorized one, or else the page's price.
    pub money: Option<Money>,
    /// The operation in front, the one that the payer is asked to give up, or the one that the server does not know.
    pub operation: Option<&'a OperationRef>,
    /// The method of that operation, or the one that is being authorized.
    pub method: Option<&'a PaymentMethodName>,
    /// Until when the operation can be paid, by the server's clock.
    pub deadline: Option<Timestamp>,
    /// The name that the payer's app will show, where the server read it in the code.
    pub payee: Option<&'a str>,
    /// The connection to the merchant's server.
    pub connection: Connection,
    /// The wish that the payer is asked to confirm, since it cancels the operation.
    pub asks_to_cancel: Option<Intent>,
    /// True when the last cancellation failed.
    pub cancel_failed: bool,
    /// What is known of the payer's money after an error.
    pub problem_money: ProblemMoney,
    /// The payment service's reasons if it refused this attempt. They are never a result.
    pub refusal: Option<&'a Meta>,
    /// The page's words when it refused to begin this attempt.
    pub page_refusal: Option<&'a str>,
    /// The methods of the choice; none on any other screen. Those that are not offered say why, also where no method is
    /// left.
    pub choices: Vec<Choice<'a>>,
    /// True when another method than that of the operation is offered.
    pub has_another_way: bool,
    /// True when this browser knows the operation only by a return token, so it may not cancel it.
    pub read_only: bool,
    /// The answer to the payer's own question, if nothing is new.
    pub checked: Option<Checked>,
    /// The order's newest other operation and its outcome, if it ended without a payment and not by a press on
    /// this page. The choice of methods shows it.
    pub last: Option<(&'a MerchantOperationNumber, Outcome)>,
}

/// The screens. Only [`Screen::Ended`] is a result.
#[derive(Debug, Clone, PartialEq)]
pub enum Screen<'a> {
    /// The payer chooses a method.
    Choosing,
    /// The payer chose another method than that of the order's live operation, and is asked whether the live
    /// operation may end.
    AskingToReplace {
        /// The method of the live operation.
        live: &'a PaymentMethodName,
        /// The method that the payer chose.
        wanted: &'a PaymentMethodName,
    },
    /// The page shows the methods. The payer may try the last one again here, or sees why it is not offered.
    ChoosingOnPage,
    /// The page prepares an attempt.
    Preparing,
    /// The operation is being prepared.
    Authorizing,
    /// The flow asks the server about an operation, and has no answer yet that it may show.
    Checking,
    /// A code waits to be scanned.
    Qr(&'a QrImage),
    /// The payer continues at another site.
    Continue {
        /// The address to continue at.
        url: &'a ContinueUrl,
        /// True while the browser goes to that address.
        leaving: bool,
    },
    /// An operation of another method waits.
    Waiting(&'a Transaction),
    /// The server reported a state that is neither waiting nor a known end.
    Confirming(&'a Transaction),
    /// The deadline has passed; the flow asks the server for a minute before it shows an end.
    LastCheck,
    /// The deadline and the minute have passed, and the server still reports that it waits. A payment may still
    /// arrive.
    Overdue,
    /// The payer asked for a new code, and the server does not know yet how the old one ended; a
    /// payment may have arrived.
    Unconfirmed {
        /// When the payer may ask again, by the server's clock; `None` for now.
        again_at: Option<Timestamp>,
    },
    /// The operation is being cancelled.
    Cancelling,
    /// The operation ended.
    Ended(End<'a>),
    /// An error: the flow cannot go on without the payer.
    Failed(ErrorCode),
}

/// A confirmed end.
#[derive(Debug, Clone, PartialEq)]
pub struct End<'a> {
    /// The outcome.
    pub outcome: Outcome,
    /// The transaction in the server's last answer.
    pub transaction: &'a Transaction,
    /// Who cancelled it, if it was cancelled.
    pub cancelled_by: CancelledBy,
    /// The numbers of the order's other operations that still matter to the payer: those that may still be paid,
    /// and those that were paid too.
    pub superseded: Vec<&'a MerchantOperationNumber>,
    /// True when two operations of this order were paid.
    pub paid_twice: bool,
    /// True when the order may be paid again after this payment was given back.
    pub payable: bool,
}

/// The connection to the merchant's server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connection {
    /// No failure is known.
    Good,
    /// The browser reports that it is offline.
    Offline,
    /// Three requests in a row failed.
    Troubled,
}

impl Flow {
    /// Returns the view to show now.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        let front = self.front();
        let live = self.live();
        let attempt = match &self.phase {
            Phase::Authorizing(authorizing) => Some(&authorizing.attempt),
            Phase::Failed { attempt, .. } => attempt.as_ref(),
            _ => None,
        };
        let asked_page = match &self.phase {
            Phase::AskingPage(asking) => Some(&asking.method),
            Phase::Failed {
                code: ErrorCode::Page,
                ..
            } => self.last_method.as_ref(),
            _ => None,
        };
        let asked = match &self.phase {
            Phase::AskingToReplace { slot, method, .. } => Some((&self.operations[*slot], method)),
            _ => None,
        };
        let failed = match &self.phase {
            Phase::Failed {
                money, operation, ..
            } => Some((*money, operation.map(|slot| &self.operations[slot]))),
            _ => None,
        };
        let method = front
            .and_then(|tracked| tracked.method())
            .or(attempt.map(|attempt| &attempt.method))
            .or(asked_page)
            .or(asked.map(|(_, method)| method));
        View {
            screen: self.screen(),
            money: front
                .and_then(|tracked| tracked.money())
                .or_else(|| self.settings.price.clone()),
            operation: front
                .or(asked.map(|(tracked, _)| tracked))
                .or(failed.and_then(|(_, lost)| lost))
                .map(|tracked| &tracked.operation),
            method,
            deadline: front.and_then(|tracked| tracked.offer.deadline),
            payee: front.and_then(|tracked| tracked.offer.payee.as_deref()),
            connection: self.connection(),
            asks_to_cancel: live.and_then(|live| live.cancel.asked()),
            cancel_failed: live.is_some_and(|live| live.cancel_failed),
            problem_money: failed.map(|(money, _)| money).unwrap_or_default(),
            refusal: self.refusal.as_ref().filter(|_| {
                let code = ErrorCode::Refused;
                matches!(&self.phase, Phase::Failed { code: failed, .. } if *failed == code)
            }),
            page_refusal: match &self.page_answer {
                Some(PageAnswer::Refused(reason)) => Some(reason),
                _ => None,
            },
            choices: self.choices(),
            has_another_way: self.has_another_way(method),
            read_only: self.is_read_only(),
            checked: self
                .front_slot()
                .and_then(|slot| self.check.nothing_new(slot)),
            last: self.last_attempt(),
        }
    }

    fn last_attempt(&self) -> Option<(&MerchantOperationNumber, Outcome)> {
        let last = self.operations.others(self.front_slot()).last()?;
        // Where the page has the choice, this says why the checkout is back at it.
        let says = self.settings.hides_choice || last.is_failed_attempt();
        let outcome = last.outcome.filter(|_| says)?;
        Some((&last.operation.merchant_operation_number, outcome))
    }

    /// The time until a press on "check now" sends a request, at most every five seconds. Zero when it does so
    /// now.
    #[must_use]
    pub fn check_opens_after(&self, at: Moment) -> Duration {
        self.check.opens_after(self.time.until(at).now())
    }

    /// The time left to pay at this moment, by the server's clock: zero when the time is over, `None` without a
    /// deadline.
    #[must_use]
    pub fn remaining(&self, at: Moment) -> Option<Duration> {
        let deadline = self.front()?.offer.deadline?;
        Some(deadline.duration_since(self.time.until(at).server_now()))
    }

    /// True when another method than this one is offered. While the method is unknown, a single method on offer is most
    /// likely the same one, unless the server does not know the operation.
    fn has_another_way(&self, method: Option<&PaymentMethodName>) -> bool {
        let methods = self.settings.methods.iter();
        let others = methods.filter(|other| Some(*other) != method && self.offers(other));
        let is_lost = matches!(&self.phase, Phase::Failed { operation, .. } if operation.is_some());
        others.count() > usize::from(method.is_none() && !is_lost)
    }

    fn connection(&self) -> Connection {
        let trying = match &self.phase {
            Phase::Authorizing(authorizing) => authorizing.tries >= 3,
            _ => false,
        };
        if self.poller.is_offline() {
            Connection::Offline
        } else if trying || self.poller.is_troubled() {
            Connection::Troubled
        } else {
            Connection::Good
        }
    }

    fn screen(&self) -> Screen<'_> {
        match &self.phase {
            Phase::New | Phase::Choosing if self.has_no_method() => {
                Screen::Failed(ErrorCode::NoMethod)
            }
            Phase::New | Phase::Choosing if self.settings.hides_choice => Screen::ChoosingOnPage,
            Phase::New | Phase::Choosing => Screen::Choosing,
            Phase::AskingPage(_) => Screen::Preparing,
            Phase::Authorizing(_) => Screen::Authorizing,
            Phase::AskingToReplace {
                attempt, method, ..
            } => Screen::AskingToReplace {
                live: method,
                wanted: &attempt.method,
            },
            Phase::Failed { code, .. } => Screen::Failed(*code),
            Phase::Ended { .. } => self.confirmed_end().map_or(Screen::Checking, Screen::Ended),
            Phase::Live(live) if live.cancel.is_running() => Screen::Cancelling,
            Phase::Live(live) => self.live_screen(live.left),
        }
    }

    fn live_screen(&self, left: bool) -> Screen<'_> {
        let Some(tracked) = self.front() else {
            return Screen::Checking;
        };
        match tracked.standing(self.time.server_now()) {
            Standing::Faulty(code) => Screen::Failed(code),
            Standing::Unconfirmed(from) => {
                let left = from.duration_since(self.time.now());
                let again_at = self.time.server_now().saturating_add(left);
                Screen::Unconfirmed {
                    again_at: (!left.is_zero()).then_some(again_at),
                }
            }
            Standing::Unknown => Screen::Checking,
            Standing::Confirming(transaction) => Screen::Confirming(transaction),
            Standing::Overdue => Screen::Overdue,
            Standing::LastCheck => Screen::LastCheck,
            Standing::ByCode(picture) => Screen::Qr(picture),
            Standing::Elsewhere(url) => Screen::Continue { url, leaving: left },
            Standing::Waiting(transaction) => Screen::Waiting(transaction),
        }
    }

    fn confirmed_end(&self) -> Option<End<'_>> {
        let front = self.front()?;
        Some(End {
            outcome: front.outcome?,
            transaction: front.transaction.as_ref()?,
            cancelled_by: front.cancelled_by,
            superseded: self
                .operations
                .others(self.front_slot())
                .filter(|other| other.outcome.is_none_or(|outcome| outcome == Outcome::Paid))
                .map(|other| &other.operation.merchant_operation_number)
                .collect(),
            paid_twice: self.is_paid_twice(),
            payable: front.payable,
        })
    }
}
