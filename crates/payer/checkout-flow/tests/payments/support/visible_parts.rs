//! The parts of a page that its payer and its listeners see.

use crate::support::browser::Request;
use crate::support::page::Page;
use checkout_flow::{Action, Choice, ErrorCode, Notice, ResultNotice, Screen};
use payment_model::{MerchantOperationNumber, Outcome, PaymentMethodName};

/// A screen's name in the stories.
fn name(screen: &Screen<'_>) -> &'static str {
    match screen {
        Screen::Choosing => "Choosing",
        Screen::ChoosingOnPage => "ChoosingOnPage",
        Screen::AskingToReplace { .. } => "AskingToReplace",
        Screen::Preparing => "Preparing",
        Screen::Authorizing => "Authorizing",
        Screen::Checking => "Checking",
        Screen::Qr(_) => "Qr",
        Screen::Continue { .. } => "Continue",
        Screen::Waiting(_) => "Waiting",
        Screen::Confirming(_) => "Confirming",
        Screen::LastCheck => "LastCheck",
        Screen::Overdue => "Overdue",
        Screen::Unconfirmed { .. } => "Unconfirmed",
        Screen::Cancelling => "Cancelling",
        Screen::Ended(_) => "Ended",
        Screen::Failed(_) => "Failed",
    }
}

impl Page {
    pub(crate) fn screen(&self) -> Screen<'_> {
        self.flow.view().screen
    }

    #[track_caller]
    pub(crate) fn sees(&self, expected: &str) {
        let screen = self.screen();
        assert_eq!(name(&screen), expected, "{screen:?}");
    }

    #[track_caller]
    pub(crate) fn sees_failure(&self, expected: ErrorCode) {
        let screen = self.screen();
        assert_eq!(screen, Screen::Failed(expected));
    }

    /// The methods of the choice, each with the reason why it is not offered, or nothing.
    pub(crate) fn choices(&self) -> Vec<(&str, &str)> {
        let choices = self.flow.view().choices.into_iter();
        choices
            .map(|Choice { method, refusal }| {
                let reason = refusal.map(|(refused, _)| refused.reason.as_str());
                (method.as_str(), reason.unwrap_or_default())
            })
            .collect()
    }

    #[track_caller]
    pub(crate) fn sees_qr(&self) {
        self.sees("Qr");
    }

    #[track_caller]
    pub(crate) fn sees_end(&self, outcome: Outcome) {
        let Screen::Ended(end) = self.screen() else {
            panic!("{outcome:?} expected: {:?}", self.screen());
        };
        assert_eq!(end.outcome, outcome);
    }

    pub(crate) fn results(&self) -> Vec<&ResultNotice> {
        let results = self.notices.iter().filter_map(|notice| match notice {
            Notice::Result(result) => Some(result.as_ref()),
            _ => None,
        });
        results.collect()
    }

    /// The outcomes that the flow reported to the page, each with its number.
    pub(crate) fn outcomes(&self) -> Vec<(&str, Outcome)> {
        self.results()
            .into_iter()
            .map(|result| {
                let number = &result.status.operation.merchant_operation_number;
                (number.as_str(), result.outcome)
            })
            .collect()
    }

    pub(crate) fn errors(&self) -> Vec<&'static str> {
        let code = |notice: &Notice| match notice {
            Notice::Error(code) => Some(code.as_str()),
            _ => None,
        };
        self.notices.iter().filter_map(code).collect()
    }

    pub(crate) fn pending_told(&self) -> usize {
        let pending = |notice: &&Notice| matches!(notice, Notice::Pending(_));
        self.notices.iter().filter(pending).count()
    }

    /// When status requests left.
    pub(crate) fn asked(&self) -> Vec<i64> {
        let asked = |what: &Request| matches!(what, Request::Status(_));
        self.sent(asked)
    }

    /// When the flow asked about an operation.
    pub(crate) fn asked_about(&self, number: &str) -> Vec<i64> {
        self.sent(|what| match what {
            Request::Status(operation) => operation.merchant_operation_number.as_str() == number,
            _ => false,
        })
    }

    /// When the flow asked to cancel an operation.
    pub(crate) fn cancelled(&self, number: &str) -> Vec<i64> {
        self.sent(|what| match what {
            Request::Cancel(operation) => operation.merchant_operation_number.as_str() == number,
            _ => false,
        })
    }

    /// When authorize requests left.
    pub(crate) fn authorized(&self) -> Vec<i64> {
        self.sent(|what| matches!(what, Request::Authorize(..)))
    }

    /// The keys of the authorize requests that left.
    pub(crate) fn keys(&self) -> Vec<&str> {
        let keys = self
            .browser
            .journal
            .iter()
            .filter_map(|sent| match &sent.what {
                Request::Authorize(key, ..) => Some(key.as_str()),
                _ => None,
            });
        keys.collect()
    }

    /// The operations that the authorize requests gave up, if they did.
    pub(crate) fn replaced(&self) -> Vec<Option<&str>> {
        let sent = self.browser.journal.iter();
        sent.filter_map(|sent| match &sent.what {
            Request::Authorize(_, _, replaces) => {
                Some(replaces.as_ref().map(MerchantOperationNumber::as_str))
            }
            _ => None,
        })
        .collect()
    }

    /// The payer's decisions that the page received.
    pub(crate) fn actions(&self) -> Vec<(Action, Option<PaymentMethodName>)> {
        let action = |notice: &Notice| match notice {
            Notice::Action { action, method } => Some((*action, method.clone())),
            _ => None,
        };
        self.notices.iter().filter_map(action).collect()
    }

    /// The number of the operation on the screen.
    pub(crate) fn number(&self) -> Option<&str> {
        let operation = self.flow.view().operation?;
        Some(operation.merchant_operation_number.as_str())
    }

    /// When the page asked for the live operation of the order.
    pub(crate) fn asked_for_live(&self) -> Vec<i64> {
        self.sent(|what| *what == Request::Live)
    }

    fn sent(&self, matches: impl Fn(&Request) -> bool) -> Vec<i64> {
        let sent = self.browser.journal.iter();
        sent.filter(|sent| matches(&sent.what))
            .map(|sent| sent.at)
            .collect()
    }
}
