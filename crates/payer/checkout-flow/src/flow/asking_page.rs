//! Asks the page before each new attempt, so that it can make the order at the press.

use super::{Flow, Phase, schedule};
use crate::command::Command;
use crate::event::PageAnswer;
use crate::failure::ErrorCode;
use crate::notice::Notice;
use crate::operation_ref::{Attempt, CallId};
use crate::time::FlowTime;
use payment_model::{IdempotencyKey, PaymentMethodName, ProblemMoney};

/// A question to the page that has no answer yet.
#[derive(Debug, Clone)]
pub(super) struct AskingPage {
    pub(super) method: PaymentMethodName,
    call: CallId,
    /// Until when a press that would end it belongs to the one that began it.
    pub(super) begun_by_click_until: FlowTime,
    /// When the page has taken too long.
    pub(super) lost_at: FlowTime,
}

impl Flow {
    /// Begins a new attempt by this method. The page is asked first, if it wants to be: before the key is made, so
    /// never for a repetition of a request.
    pub(super) fn begin(&mut self, method: PaymentMethodName) {
        self.page_answer = None;
        self.last_method = Some(method.clone());
        if !self.settings.asks_page {
            return self.start_attempt(method);
        }
        let call = self.next_call();
        let timeout = schedule::PAGE_TIMEOUT;
        self.commands.push(Command::AskPage {
            call,
            method: method.clone(),
            timeout,
        });
        self.phase = Phase::AskingPage(AskingPage {
            method,
            call,
            begun_by_click_until: self.now().saturating_add(schedule::DOUBLE_CLICK),
            lost_at: self.now().saturating_add(timeout),
        });
    }

    fn start_attempt(&mut self, method: PaymentMethodName) {
        let key = IdempotencyKey::from_entropy(self.entropy);
        let attempt = Attempt {
            key,
            method,
            replaces: None,
        };
        self.authorize(attempt, false);
    }

    pub(super) fn page_answered(&mut self, call: CallId, answer: PageAnswer) {
        let Phase::AskingPage(asking) = &self.phase else {
            return;
        };
        if asking.call != call {
            return;
        }
        match answer {
            PageAnswer::Begin => self.start_attempt(asking.method.clone()),
            PageAnswer::Stay => self.phase = Phase::Choosing,
            PageAnswer::Refused(_) | PageAnswer::Failed => {
                self.page_answer = Some(answer);
                self.fail(ErrorCode::Page, ProblemMoney::NothingCharged, None, None);
            }
        }
    }

    /// Gives up a page that takes too long.
    pub(super) fn notice_silent_page(&mut self) {
        if let Phase::AskingPage(asking) = &self.phase
            && self.now() >= asking.lost_at
        {
            self.fail(ErrorCode::Page, ProblemMoney::NothingCharged, None, None);
        }
    }

    /// Reports that the payer is back at the choice, if the page shows it in place of the checkout.
    pub(super) fn report_choice(&mut self, was_choosing: bool) {
        let chooses = self.is_choosing() && !self.has_no_method();
        if self.settings.hides_choice && !was_choosing && chooses {
            let method = self.last_method.clone();
            self.report(Notice::Choose { method });
        }
    }

    pub(super) fn is_choosing(&self) -> bool {
        matches!(self.phase, Phase::New | Phase::Choosing)
    }

    /// Why the page did not prepare the last attempt; `None` if it took too long.
    #[must_use]
    pub const fn page_answer(&self) -> Option<&PageAnswer> {
        self.page_answer.as_ref()
    }

    /// True while an order that the page makes belongs to this checkout: while it prepares an attempt, and after it failed
    /// to, because the payer may try again, and what took too long may still come.
    #[must_use]
    pub const fn takes_order_of_page(&self) -> bool {
        matches!(
            self.phase,
            Phase::AskingPage(_)
                | Phase::Failed {
                    code: ErrorCode::Page,
                    ..
                }
        )
    }
}
