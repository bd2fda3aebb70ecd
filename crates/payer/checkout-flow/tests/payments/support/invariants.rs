use crate::support::browser::Browser;
use crate::support::clock::Clock;
use crate::support::keys::{Keys, ends_the_attempt, may_begin_a_payment};
use checkout_flow::{
    CallId, CancelledBy, Command, ErrorCode, Event, Failure, Flow, Input, Notice, PageAnswer,
    ResultNotice, Screen,
};
use payment_model::{Operation, Outcome, ProblemMoney};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A page that was hidden for longer asks nothing.
const HIDDEN: Duration = Duration::from_secs(30);

/// Checks all events and commands of a flow against the invariants.
#[derive(Debug, Clone, Default)]
pub(crate) struct Invariants {
    clock: Clock,
    open: BTreeMap<CallId, Kind>,
    last_start: Option<Duration>,
    closed_until: Duration,
    hidden_since: Option<Duration>,
    /// The answers of the status endpoint to requests that were still wanted.
    answered: BTreeSet<(String, &'static str)>,
    told: BTreeMap<String, Vec<Outcome>>,
    pending_told: BTreeSet<String>,
    /// The operation that the payer was last asked to pay, and those that the flow may leave
    /// behind.
    offered: Option<String>,
    let_go: BTreeSet<String>,
    /// The operations that the payer agreed to give up for another method, also on an earlier page.
    given_up: BTreeSet<String>,
    /// All operations that this page asked the payer to pay.
    pub(crate) offers: BTreeSet<String>,
    keys: Keys,
    /// True when the page is asked before each attempt.
    pub(crate) asks_page: bool,
    /// The last question to the page, and whether the page agreed.
    question: Option<CallId>,
    page_agreed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Authorize,
    Status,
    Live,
    Cancel,
    Page,
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Paid => "paid",
        Outcome::Declined => "declined",
        Outcome::Invalid => "invalid",
        Outcome::Cancelled => "cancelled",
        Outcome::Expired => "expired",
        Outcome::Reversed => "reversed",
    }
}

impl Invariants {
    /// Another page: it knows nothing of what the one before saw, but keys go on.
    pub(crate) fn opens(&mut self) {
        *self = Self {
            keys: std::mem::take(&mut self.keys),
            given_up: std::mem::take(&mut self.given_up),
            asks_page: self.asks_page,
            ..Self::default()
        };
    }

    pub(crate) fn before(&mut self, event: &Event, flow: &Flow, browser: &Browser) {
        self.clock.advance(browser.moment());
        if event.is_press() {
            // A press proves that the page is visible, also where the browser reports it as hidden.
            self.hidden_since = None;
        }
        match event {
            Event::Started(start) => self.keys.page_opens(start),
            Event::Hidden => {
                self.hidden_since.get_or_insert(self.clock.now);
            }
            Event::Shown => self.hidden_since = None,
            Event::AnotherWayPressed
                if matches!(flow.view().screen, Screen::Failed(_) | Screen::Authorizing) =>
            {
                self.keys.closed = true;
            }
            Event::StartRequested(method) if matches!(flow.view().screen, Screen::Failed(_)) => {
                self.keys.closed |= flow.view().method != Some(method);
            }
            Event::ShowLivePressed | Event::ReplaceConfirmed => {
                let view = flow.view();
                if let (Screen::AskingToReplace { .. }, Some(live)) = (view.screen, view.operation)
                {
                    let number = live.merchant_operation_number.as_str().to_owned();
                    if matches!(event, Event::ReplaceConfirmed) {
                        self.given_up.insert(number);
                    } else {
                        self.keys.closed = true;
                    }
                }
            }
            Event::LiveAnswered { call, answer, .. } if self.answers(*call, event, flow) => {
                if let Some(body) = answer.as_ref().ok().and_then(|a| a.body.as_ref().as_ref()) {
                    self.hears_of(&body.operation);
                }
            }
            Event::AuthorizeAnswered { call, answer } if self.answers(*call, event, flow) => {
                let failure = answer.as_ref().err();
                self.keys.closed |= ends_the_attempt(failure);
                self.keys.may_have_begun |= failure.is_some_and(may_begin_a_payment);
            }
            Event::StatusAnswered { call, answer } if self.answers(*call, event, flow) => {
                match answer {
                    Ok(answer) => {
                        // An answer without a body brings no news; one from a cache says nothing of the server.
                        if let Some(body) = &*answer.body {
                            self.keys.closed |= self.keys.named;
                            self.hears_of(&body.operation);
                        }
                    }
                    Err(Failure::Status {
                        retry_after: Some(after),
                        ..
                    }) => {
                        let after = (*after).min(Duration::from_secs(15 * 60));
                        self.closed_until = self.clock.now + after;
                    }
                    Err(_) => {}
                }
            }
            Event::PageAnswered { call, answer } if self.answers(*call, event, flow) => {
                self.page_agreed = self.question == Some(*call) && *answer == PageAnswer::Begin;
            }
            Event::CancelAnswered { call, .. } => {
                self.answers(*call, event, flow);
            }
            _ => {}
        }
    }

    fn hears_of(&mut self, operation: &Operation) {
        let number = operation.merchant_operation_number.as_str();
        for outcome in operation.transactions.iter().filter_map(|t| t.outcome()) {
            self.answered.insert((number.to_owned(), name(outcome)));
            self.let_go.insert(number.to_owned());
        }
    }

    /// True when a request is still wanted. The answer to another one must change nothing.
    fn answers(&mut self, call: CallId, event: &Event, flow: &Flow) -> bool {
        if self.open.remove(&call).is_some() {
            return true;
        }
        let input = |event| Input {
            at: self.clock.last.unwrap(),
            entropy: 0,
            event,
        };
        let mut without = flow.clone();
        without.handle(input(Event::Woke));
        let mut with = without.clone();
        let commands = with.handle(input(event.clone()));
        assert!(
            commands.iter().all(|c| matches!(c, Command::Wake { .. })),
            "an unwanted answer leads to {commands:?}"
        );
        assert_eq!(with.view(), without.view(), "an unwanted answer shows");
        false
    }

    pub(crate) fn command(&mut self, command: &Command, browser: &Browser) {
        let now = self.clock.now;
        match command {
            Command::Authorize {
                call,
                key,
                replaces,
                ..
            } => {
                if let Some(number) = replaces {
                    let agreed = self.given_up.contains(number.as_str());
                    assert!(agreed, "{number:?} is replaced unasked");
                }
                let busy = self.open.values().any(|kind| *kind == Kind::Authorize);
                assert!(
                    !busy || self.keys.closed,
                    "two authorize requests of one attempt"
                );
                self.open.insert(*call, Kind::Authorize);
                let is_new = self.keys.is_new(key);
                assert!(
                    !is_new || !self.asks_page || self.page_agreed,
                    "an attempt that the page did not agree to"
                );
                self.page_agreed &= !is_new;
                let kept = browser.storage.as_ref().and_then(|s| s.attempt.as_ref());
                assert_eq!(Some(key), kept.map(|a| &a.key), "the key is not kept");
                self.keys.leaves(key);
            }
            Command::AskPage { call, .. } => {
                assert!(self.asks_page, "a page is asked that does not want to be");
                self.open.insert(*call, Kind::Page);
                (self.question, self.page_agreed) = (Some(*call), false);
            }
            Command::QueryLive { call, .. } => {
                let busy = self.open.values().any(|kind| *kind == Kind::Live);
                assert!(!busy, "two questions for the live operation");
                assert!(browser.storage.is_none(), "asks though the tab remembers");
                self.open.insert(*call, Kind::Live);
            }
            Command::QueryStatus { call, .. } => {
                let busy = self.open.values().any(|kind| *kind == Kind::Status);
                assert!(!busy, "two status requests in flight");
                self.open.insert(*call, Kind::Status);
                let pause = self.last_start.map_or(Duration::MAX, |last| now - last);
                assert!(
                    pause >= Duration::from_secs(1),
                    "two starts within {pause:?}"
                );
                self.last_start = Some(now);
                assert!(now >= self.closed_until, "Retry-After is not obeyed");
                let hidden = self
                    .hidden_since
                    .map_or(Duration::ZERO, |since| now - since);
                assert!(hidden < HIDDEN, "asks though nobody looks");
            }
            Command::Cancel {
                call, operation, ..
            } => {
                let number = operation.merchant_operation_number.as_str();
                assert!(!self.is_paid(number), "cancels what is paid");
                self.open.insert(*call, Kind::Cancel);
                self.let_go.insert(number.to_owned());
            }
            Command::Abort { call } => {
                assert!(self.open.remove(call).is_some(), "aborts what does not run");
            }
            Command::Leave { operation, .. } => {
                let kept = browser.storage.as_ref().and_then(|s| s.operation.as_ref());
                assert_eq!(Some(operation), kept, "leaves before it is kept");
            }
            Command::Report(Notice::Pending(status)) => {
                let number = status.operation.merchant_operation_number.as_str();
                assert!(self.pending_told.insert(number.to_owned()), "pending twice");
            }
            Command::Report(Notice::Result(result)) => self.result(result),
            Command::Save(_) | Command::Forget | Command::Report(_) | Command::Wake { .. } => {}
        }
    }

    fn is_paid(&self, number: &str) -> bool {
        self.answered.contains(&(number.to_owned(), "paid"))
    }

    fn result(&mut self, result: &ResultNotice) {
        let number = result.status.operation.merchant_operation_number.as_str();
        let heard = self
            .answered
            .contains(&(number.to_owned(), name(result.outcome)));
        assert!(heard, "{:?} without the server's word", result.outcome);
        let told = self.told.entry(number.to_owned()).or_default();
        assert_eq!(result.previous, told.last().copied());
        // Only where the server says that it pays the order is a payment in force again.
        let paid_again =
            (result.previous, result.outcome) == (Some(Outcome::Reversed), Outcome::Paid);
        if let Some(previous) = result.previous.filter(|_| !paid_again) {
            assert!(previous.may_become(result.outcome), "{told:?} {result:?}");
        }
        assert!(paid_again || !told.contains(&result.outcome), "told twice");
        told.push(result.outcome);
        if result.outcome == Outcome::Paid {
            // The flow withdraws the other offered operations, which takes some time.
            self.let_go.extend(self.offered.clone());
        }
    }

    pub(crate) fn after(&mut self, flow: &Flow, browser: &Browser) {
        let view = flow.view();
        if view.screen != Screen::Preparing {
            self.open.retain(|_, kind| *kind != Kind::Page);
        }
        let number = view.operation.map(|o| o.merchant_operation_number.as_str());
        match &view.screen {
            Screen::Ended(end) => {
                let number = number.unwrap();
                let heard = self
                    .answered
                    .contains(&(number.to_owned(), name(end.outcome)));
                assert!(heard, "{:?} without the server's word", end.outcome);
                let told = self.told.get(number).and_then(|told| told.last());
                assert_eq!(told, Some(&end.outcome), "shown, but the page was not told");
                let over = match end.outcome {
                    Outcome::Paid | Outcome::Reversed => true,
                    Outcome::Cancelled => end.cancelled_by == CancelledBy::ThisPage,
                    Outcome::Declined | Outcome::Expired | Outcome::Invalid => false,
                };
                assert_eq!(over, browser.storage.is_none(), "{:?}", end.outcome);
                self.keys.closed |= end.outcome == Outcome::Paid;
                self.let_go.insert(number.to_owned());
            }
            Screen::Failed(ErrorCode::Server | ErrorCode::Refused) => {
                let claims = view.problem_money == ProblemMoney::NothingCharged;
                let knows = !self.keys.may_have_begun;
                assert!(!claims || knows, "a payment may have begun");
            }
            Screen::Overdue | Screen::Unconfirmed { .. } | Screen::Failed(ErrorCode::NotFound) => {
                self.let_go.extend(number.map(str::to_owned));
            }
            Screen::Qr(_) | Screen::Continue { .. } | Screen::Waiting(_) => {
                let number = number.unwrap();
                assert!(!self.told.contains_key(number), "ended, and offered again");
                self.offered = Some(number.to_owned());
                self.offers.insert(number.to_owned());
                self.let_go.remove(number);
            }
            _ => {}
        }
        let paid = |told: &Vec<Outcome>| told.last() == Some(&Outcome::Paid);
        if self.told.values().any(paid) {
            assert!(
                matches!(view.screen, Screen::Ended(_)),
                "paid, and {:?}",
                view.screen
            );
        } else if let Some(offered) = &self.offered {
            let kept = number == Some(offered.as_str());
            assert!(
                kept || self.let_go.contains(offered),
                "{offered} left behind, and {:?} {number:?}",
                view.screen
            );
        }
        self.something_goes_on(flow, browser);
    }

    /// Checks that the flow plans another look at everything that it waits for.
    fn something_goes_on(&self, flow: &Flow, browser: &Browser) {
        let rests = matches!(
            flow.view().screen,
            Screen::Choosing
                | Screen::ChoosingOnPage
                | Screen::AskingToReplace { .. }
                | Screen::Failed(_)
                | Screen::Ended(_)
        );
        let since = self.hidden_since.map(|since| self.clock.now - since);
        let sleeps = since.is_some_and(|since| since >= HIDDEN);
        let awaits = !self.open.is_empty() || !(rests || sleeps);
        let started = self.clock.last.is_some();
        assert!(
            !awaits || !started || browser.wake_at.is_some(),
            "nothing goes on: {:?}",
            flow.view().screen
        );
    }
}
