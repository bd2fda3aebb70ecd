//! The parts of a page that its payer and its listeners can see.

use crate::support::browser::Request;
use crate::support::page::Page;
use checkout_flow::{Notice, ResultNotice, Screen};
use payment_model::Outcome;

impl Page {
    pub(crate) fn screen(&self) -> Screen<'_> {
        self.flow.view().screen
    }

    #[track_caller]
    pub(crate) fn sees(&self, expected: &str) {
        let screen = format!("{:?}", self.screen());
        assert!(
            screen.starts_with(expected),
            "{expected} expected: {screen:.200}"
        );
    }

    #[track_caller]
    pub(crate) fn sees_qr(&self) {
        self.sees("Qr");
    }

    #[track_caller]
    pub(crate) fn sees_end(&self, outcome: Outcome) {
        let Screen::Ended(end) = self.screen() else {
            panic!(
                "{outcome:?} expected: {:.200}",
                format!("{:?}", self.screen())
            );
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

    /// The outcomes that the page was told, with the numbers they are about.
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

    /// When an operation was asked about.
    pub(crate) fn asked_about(&self, number: &str) -> Vec<i64> {
        self.sent(|what| match what {
            Request::Status(operation) => operation.merchant_operation_number.as_str() == number,
            _ => false,
        })
    }

    /// When an operation was asked to be cancelled.
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
                Request::Authorize(key, _) => Some(key.as_str()),
                _ => None,
            });
        keys.collect()
    }

    fn sent(&self, matches: impl Fn(&Request) -> bool) -> Vec<i64> {
        let sent = self.browser.journal.iter();
        sent.filter(|sent| matches(&sent.what))
            .map(|sent| sent.at)
            .collect()
    }
}
