use crate::command::Command;
use crate::event::{Answer, Event, Input, PageAnswer};
use crate::failure::ErrorCode;
use crate::notice::Notice;
use crate::operation_ref::{Attempt, CallId, OperationRef};
use crate::start::{Settings, Snapshot};
use crate::time::{FlowTime, Timeline};
use asking_page::AskingPage;
use authorizing::Authorizing;
use cancelling::Cancel;
use check::Check;
use live_question::LiveQuestion;
use operations::{Operations, Slot};
use payment_model::{Meta, Offer, Outcome, PaymentMethodName, ProblemMoney};
use poller::Poller;
use schedule::Sent;
use std::time::Duration;
use tracked_operation::TrackedOperation;

mod asking_page;
mod authorizing;
mod button_presses;
pub(crate) mod cancelling;
pub(crate) mod check;
mod due_requests;
mod live_question;
pub(crate) mod method_choice;
mod offer;
mod operations;
mod poller;
mod remembering;
mod reporting;
mod schedule;
pub(crate) mod screen;
mod status_answers;
mod tracked_operation;

/// The payer's flow. The [crate's documentation](crate) describes its states.
#[derive(Debug, Clone)]
pub struct Flow {
    settings: Settings,
    time: Timeline,
    phase: Phase,
    operations: Operations,
    poller: Poller,
    /// An authorize request that was sent before another operation paid the order. Its operation has to be
    /// withdrawn, so the flow still waits for the answer.
    abandoned: Option<Sent>,
    /// The operation that the snapshot had in front, while an attribute or a token names another one. The flow
    /// returns to it if the server does not know the other one.
    kept: Option<Slot>,
    /// The attempt of the snapshot, to which the flow returns likewise.
    kept_attempt: Option<Attempt>,
    /// The question for the order's operation, while this tab knows none.
    live_question: Option<LiveQuestion>,
    check: Check,
    /// By which methods the server takes the order, once it said so.
    offer: Option<Offer>,
    /// Until when a start by the refused method is the page's answer to that news, and no press.
    refused_until: FlowTime,
    /// True once [`ErrorCode::NoMethod`](crate::ErrorCode::NoMethod) was reported, so that it is reported once.
    told_no_method: bool,
    /// The payment service's reasons when it refused the last attempt.
    refusal: Option<Meta>,
    /// Why the page did not prepare the last attempt; also `None` if it took too long.
    page_answer: Option<PageAnswer>,
    /// The method of the last attempt.
    last_method: Option<PaymentMethodName>,
    /// An operation that this browser knows only by a return token, which permits nothing but reading.
    read_only: Option<Slot>,
    saved: Option<Snapshot>,
    last_call: u32,
    entropy: u128,
    commands: Vec<Command>,
}

/// The flow's phases.
#[derive(Debug, Clone)]
enum Phase {
    /// The flow has not started.
    New,
    /// The payer chooses a method.
    Choosing,
    /// The page prepares an attempt.
    AskingPage(AskingPage),
    /// An operation is being authorized.
    Authorizing(Authorizing),
    /// The payer is asked whether the attempt may end the order's live operation.
    AskingToReplace {
        attempt: Attempt,
        /// True when an earlier request of the attempt may have begun a payment.
        may_have_begun: bool,
        /// The live operation.
        slot: Slot,
        /// Its method.
        method: PaymentMethodName,
    },
    /// An operation is in front and has not ended.
    Live(LiveOperation),
    /// An operation is in front and ended.
    Ended {
        /// Which of the tracked operations.
        slot: Slot,
    },
    /// There is no operation in front, and the payer has to decide.
    Failed {
        /// The error.
        code: ErrorCode,
        /// What is known of the payer's money.
        money: ProblemMoney,
        /// The attempt to repeat, if its outcome is unknown.
        attempt: Option<Attempt>,
        /// The operation to ask about again.
        operation: Option<Slot>,
    },
}

/// An operation that is in front and has not ended.
#[derive(Debug, Clone, Copy)]
struct LiveOperation {
    /// Which of the tracked operations.
    slot: Slot,
    origin: Origin,
    cancel: Cancel,
    /// True when the last cancellation failed.
    cancel_failed: bool,
    /// True when this page sent the payer to the continue URL.
    left: bool,
}

/// How the flow came to know the operation in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The server named it in the answer to an authorize request.
    Authorized,
    /// The page's attributes name it.
    Attributes,
    /// A snapshot or a return token names it. They may be old, and a token may be forged.
    Remembered,
}

impl LiveOperation {
    fn new(slot: Slot, origin: Origin) -> Self {
        Self {
            slot,
            origin,
            cancel: Cancel::No,
            cancel_failed: false,
            left: false,
        }
    }
}

impl Flow {
    /// A flow that has not started.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            time: Timeline::default(),
            phase: Phase::New,
            operations: Operations::default(),
            poller: Poller::default(),
            abandoned: None,
            kept: None,
            kept_attempt: None,
            live_question: None,
            check: Check::default(),
            offer: None,
            refused_until: FlowTime::default(),
            told_no_method: false,
            refusal: None,
            page_answer: None,
            last_method: None,
            read_only: None,
            saved: None,
            last_call: 0,
            entropy: 0,
            commands: Vec::new(),
        }
    }

    /// Takes new settings of the page. The flow applies them to an operation with the next answer.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Takes one event and returns the commands to carry out, in order.
    pub fn handle(&mut self, input: Input) -> Vec<Command> {
        self.time.advance(input.at);
        self.entropy = input.entropy;
        let was_choosing = self.is_choosing();
        if input.event.is_press() {
            self.poller.shown();
        }
        match input.event {
            Event::Started(start) => self.start(*start),
            Event::MethodChosen(method) => self.choose(method),
            Event::StartRequested(method) => self.start_requested(method),
            Event::PageAnswered { call, answer } => self.page_answered(call, answer),
            Event::RetryPressed => self.retry(),
            Event::CheckPressed => self.check_now(),
            Event::CancelPressed => self.cancel_pressed(),
            Event::CancelDismissed => self.keep_waiting(),
            Event::CancelConfirmed => self.cancel_confirmed(),
            Event::AnotherWayPressed => self.another_way(),
            Event::ShowLivePressed => self.show_live(),
            Event::ReplaceConfirmed => self.replace(),
            Event::AuthorizeAnswered { call, answer } => self.authorize_answered(call, answer),
            Event::StatusAnswered { call, answer } => self.status_answered(call, answer),
            Event::LiveAnswered {
                call,
                answer,
                offer,
            } => self.live_answered(call, answer, offer),
            Event::CancelAnswered { call, answer } => {
                self.cancel_answered(call, answer.err().as_ref());
            }
            Event::QrUndecodable => self.qr_undecodable(),
            Event::KeptHere => self.kept_here(),
            Event::Woke => {}
            Event::Hidden => self.poller.hidden(self.now()),
            Event::Shown => self.shown(),
            Event::Online => {
                self.poller.came_online();
                self.ask_at_once();
            }
            Event::Offline => self.poller.went_offline(self.now()),
        }
        self.work();
        self.report_choice(was_choosing);
        self.report_no_method();
        self.persist();
        std::mem::take(&mut self.commands)
    }

    /// The payer looks at the page again, and may be back from the continue URL.
    fn shown(&mut self) {
        self.poller.shown();
        self.kept_here();
        self.ask_at_once();
    }

    fn kept_here(&mut self) {
        if let Phase::Live(live) = &mut self.phase {
            live.left = false;
        }
    }

    /// Puts an operation in front. If it has ended, its end is shown.
    fn bring_to_front(&mut self, slot: Slot, origin: Origin) {
        if self.operations[slot].outcome.is_some() {
            self.end(slot);
        } else {
            self.phase = Phase::Live(LiveOperation::new(slot, origin));
        }
    }

    fn track(&mut self, operation: OperationRef) -> Slot {
        self.operations.track(operation, self.time.now())
    }

    fn is_paid_twice(&self) -> bool {
        self.operations
            .iter()
            .filter(|(_, tracked)| tracked.outcome == Some(Outcome::Paid))
            .count()
            > 1
    }

    fn front_slot(&self) -> Option<Slot> {
        match &self.phase {
            Phase::Live(live) => Some(live.slot),
            Phase::Ended { slot } => Some(*slot),
            Phase::New
            | Phase::Choosing
            | Phase::AskingPage(_)
            | Phase::Authorizing(_)
            | Phase::AskingToReplace { .. }
            | Phase::Failed { .. } => None,
        }
    }

    /// True when this browser may only read the operation in front.
    fn is_read_only(&self) -> bool {
        self.read_only.is_some() && self.read_only == self.front_slot()
    }

    fn front(&self) -> Option<&TrackedOperation> {
        self.front_slot().map(|slot| &self.operations[slot])
    }

    fn live(&self) -> Option<&LiveOperation> {
        match &self.phase {
            Phase::Live(live) => Some(live),
            _ => None,
        }
    }

    fn now(&self) -> FlowTime {
        self.time.now()
    }

    fn report(&mut self, notice: Notice) {
        self.commands.push(Command::Report(notice));
    }

    fn next_call(&mut self) -> CallId {
        self.last_call = self.last_call.wrapping_add(1);
        CallId(self.last_call)
    }

    /// A new request with this timeout. Usually the browser reports the time-out before it counts as lost.
    fn next_call_within(&mut self, timeout: Duration) -> Sent {
        let lost_at = self
            .now()
            .saturating_add(timeout.saturating_add(schedule::MARGIN));
        (self.next_call(), lost_at)
    }

    fn note_date<T>(&mut self, answer: &Answer<T>) {
        if let Some(date) = answer.date {
            self.time.note_server_time(date);
        }
    }
}
