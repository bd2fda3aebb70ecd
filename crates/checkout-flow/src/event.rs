use crate::{CancelledBy, Failure, Moment, OperationRef, Snapshot};
use payment_model::{
    AuthorizeResponse, CancelResponse, PaymentMethodName, QueryResponse, Timestamp,
};
use std::time::Duration;

/// Something that happened, with the time and the randomness that the flow has no source of.
#[derive(Debug, Clone)]
pub struct Input {
    /// When it happened.
    pub at: Moment,
    /// 128 fresh random bits; they become idempotency keys, so they must be unguessable.
    pub entropy: u128,
    /// The event.
    pub event: Event,
}

/// Names one request, so that its answer finds it and a late one is recognized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(pub(crate) u32);

/// An answer of the merchant's server.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    /// The content of the answer.
    pub body: Box<T>,
    /// The `Date` header; absent where the browser hides it.
    pub date: Option<Timestamp>,
    /// True when the server held the request until something changed (`Preference-Applied: wait`).
    pub held: bool,
    /// The name of the answer (`ETag`), if it has one that the browser lets the page read.
    pub tag: Option<String>,
    /// The age of the state (`Age`), if the merchant's server could not ask the payment
    /// service for this answer.
    pub age: Option<Duration>,
    /// True when the order of the operation is still to be paid (`Order-State: open`), which the
    /// server says when it answers that a payment was given back.
    pub order_open: bool,
    /// Who cancelled the operation (`Operation-End`), if it was cancelled and the server says that.
    pub cancelled_by: Option<CancelledBy>,
}

/// An answer, or why there is none.
pub type Answered<T> = Result<Answer<T>, Failure>;

/// The events that the flow handles.
#[derive(Debug, Clone)]
pub enum Event {
    /// The element is on the page; the first event, and only once.
    Started(Box<Start>),
    /// The payer chose a method and wants to pay.
    MethodChosen(PaymentMethodName),
    /// The payer wants to try again, or a new code.
    RetryPressed,
    /// The payer wants a fresh answer now.
    CheckPressed,
    /// The payer wants to cancel; asks back.
    CancelPressed,
    /// The payer is sure.
    CancelConfirmed,
    /// The payer goes on waiting.
    CancelDismissed,
    /// The payer wants another method; the waiting operation is cancelled first.
    AnotherWayPressed,
    /// The payer wants to see the live operation that another choice would end.
    ShowLivePressed,
    /// The payer gives that operation up for the other choice.
    ReplaceConfirmed,
    /// The merchant's server answered, or not, to [`crate::Command::Authorize`].
    AuthorizeAnswered {
        /// The request.
        call: CallId,
        /// The answer.
        answer: Answered<AuthorizeResponse>,
    },
    /// The same for [`crate::Command::QueryStatus`].
    StatusAnswered {
        /// The request.
        call: CallId,
        /// The answer; one without a body says that the known one still holds.
        answer: Answered<Option<QueryResponse>>,
    },
    /// The same for [`crate::Command::QueryLive`].
    LiveAnswered {
        /// The request.
        call: CallId,
        /// The answer; one without a body says that there is no such operation.
        answer: Answered<Option<QueryResponse>>,
    },
    /// The same for [`crate::Command::Cancel`].
    CancelAnswered {
        /// The request.
        call: CallId,
        /// The answer.
        answer: Answered<CancelResponse>,
    },
    /// The page kept the payer here instead of leading them to the continue URL.
    KeptHere,
    /// The browser could not decode the QR image.
    QrUndecodable,
    /// The time of [`crate::Command::Wake`] has come.
    Woke,
    /// The page is hidden.
    Hidden,
    /// The page is looked at again: visible, focused, or back from the back-forward cache.
    Shown,
    /// The browser says that it is connected.
    Online,
    /// The browser says that it is not.
    Offline,
}

/// The facts that are known when the element starts.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// The snapshot that an earlier page of this tab kept.
    pub snapshot: Option<Snapshot>,
    /// The operation that the page's attributes name.
    pub resume: Option<OperationRef>,
    /// The operation that a return token names.
    pub returned: Option<OperationRef>,
    /// True when a setting of the page is missing or wrong. The flow then begins nothing.
    pub misconfigured: bool,
    /// True when the server can be asked which operation of the order its payer should see.
    pub asks_live: bool,
}
