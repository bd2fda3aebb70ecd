use crate::failure::Failure;
use crate::operation_ref::CallId;

use crate::start::Start;
use crate::time::Moment;
use payment_model::{
    AuthorizeResponse, CancelResponse, Offer, PaymentMethodName, QueryResponse, Timestamp,
};
use std::time::Duration;

/// An event with its time and random bits, since the flow reads no clock and makes no random numbers.
#[derive(Debug, Clone)]
pub struct Input {
    /// When it happened.
    pub at: Moment,
    /// 128 fresh random bits; they become idempotency keys, so they must be unguessable.
    pub entropy: u128,
    /// The event.
    pub event: Event,
}

/// An answer of the merchant's server.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    /// The content of the answer.
    pub body: Box<T>,
    /// The `Date` header; absent where the browser hides it.
    pub date: Option<Timestamp>,
    /// The server's id of the answer (`X-Request-Id`), if it gives one that the page may read. Two answers with the same
    /// id and `Date` are one, which a cache has kept.
    pub id: Option<String>,
    /// True when the server held the request until something changed (`Preference-Applied: wait`).
    pub held: bool,
    /// The entity tag of the answer (`ETag`), if the browser lets the page read it.
    pub tag: Option<String>,
    /// The age of the state (`Age`), if the merchant's server could not ask the payment
    /// service for this answer.
    pub age: Option<Duration>,
    /// True when the order can be paid again (`Order-State: open`). The server says so in an answer about a
    /// payment that was given back.
    pub order_open: bool,
    /// Who cancelled the operation (`Operation-End`), if the server says so.
    pub cancelled_by: Option<CancelledBy>,
}

/// An answer, or the reason why there is no usable one.
pub type Answered<T> = Result<Answer<T>, Failure>;

/// Who cancelled an operation, or why it was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CancelledBy {
    /// The payer, on this page.
    ThisPage,
    /// The payer, on some page of the order (`Operation-End: payer`).
    Payer,
    /// Another operation of the order took its place (`Operation-End: replaced`).
    Replacement,
    /// The merchant's staff (`Operation-End: staff`).
    Staff,
    /// Not this page; the server does not say who.
    #[default]
    Unknown,
}

impl CancelledBy {
    /// Adds what the server said. The server cannot say which page of the payer it was.
    pub(crate) fn updated(self, named: Option<Self>) -> Self {
        match named {
            Some(Self::Payer) if self == Self::ThisPage => self,
            named => named.unwrap_or(self),
        }
    }
}

/// The page's answer before an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageAnswer {
    /// The attempt may begin.
    Begin,
    /// The page prevents it, and takes care of the payer itself.
    Stay,
    /// The page cannot prepare it, for this reason, in words for the payer.
    Refused(String),
    /// The page failed.
    Failed,
}

/// The events that the flow handles.
#[derive(Debug, Clone)]
pub enum Event {
    /// The element was put into the page. This is the first event, and it comes once.
    Started(Box<Start>),
    /// The payer chose a method and wants to pay.
    MethodChosen(PaymentMethodName),
    /// The page wants to pay by this method, which the payer chose outside of the checkout.
    StartRequested(PaymentMethodName),
    /// The page answered, or not, to [`crate::Command::AskPage`].
    PageAnswered {
        /// The question.
        call: CallId,
        /// The answer.
        answer: PageAnswer,
    },
    /// The payer wants to try again, or to have a new code.
    RetryPressed,
    /// The payer wants a fresh answer now.
    CheckPressed,
    /// The payer wants to cancel. The flow asks whether they are sure.
    CancelPressed,
    /// The payer confirmed the cancellation.
    CancelConfirmed,
    /// The payer does not want to cancel after all.
    CancelDismissed,
    /// The payer wants another method. The flow cancels the waiting operation first.
    AnotherWayPressed,
    /// The payer wants to see the live operation that another choice would end.
    ShowLivePressed,
    /// The payer agrees that the live operation ends for the other choice.
    ReplaceConfirmed,
    /// The request of [`crate::Command::Authorize`] was answered or failed.
    AuthorizeAnswered {
        /// The request.
        call: CallId,
        /// The answer.
        answer: Answered<AuthorizeResponse>,
    },
    /// The request of [`crate::Command::QueryStatus`] was answered or failed.
    StatusAnswered {
        /// The request.
        call: CallId,
        /// The answer. Without a body it says that the answer in `known` has not changed.
        answer: Answered<Option<QueryResponse>>,
    },
    /// The request of [`crate::Command::QueryLive`] was answered or failed.
    LiveAnswered {
        /// The request.
        call: CallId,
        /// The answer. Without a body it says that the order has no live operation.
        answer: Answered<Option<QueryResponse>>,
        /// By which methods the server takes the order, if an answer without an operation says so.
        offer: Option<Offer>,
    },
    /// The request of [`crate::Command::Cancel`] was answered or failed.
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
    /// The timer of [`crate::Command::Wake`] fired.
    Woke,
    /// The page is hidden.
    Hidden,
    /// The payer looks at the page again: it is visible, focused, or restored from the back-forward cache.
    Shown,
    /// The browser reports that it is online.
    Online,
    /// The browser reports that it is offline.
    Offline,
}

impl Event {
    /// True for a press of the payer, also on a button of the page's own. The page is visible then, even where the browser
    /// reports it as hidden all the time, as the web views of some apps do.
    #[must_use]
    pub fn is_press(&self) -> bool {
        matches!(
            self,
            Self::MethodChosen(_)
                | Self::StartRequested(_)
                | Self::RetryPressed
                | Self::CheckPressed
                | Self::CancelPressed
                | Self::CancelConfirmed
                | Self::CancelDismissed
                | Self::AnotherWayPressed
                | Self::ShowLivePressed
                | Self::ReplaceConfirmed
        )
    }
}

#[cfg(test)]
mod tests {
    use super::CancelledBy as By;

    #[test]
    fn the_server_knows_more_than_this_page_except_which_page_it_was() {
        for (known, named, expected) in [
            (By::Unknown, None, By::Unknown),
            (By::Unknown, Some(By::Payer), By::Payer),
            (By::ThisPage, None, By::ThisPage),
            (By::ThisPage, Some(By::Payer), By::ThisPage),
            (By::ThisPage, Some(By::Staff), By::Staff),
            (By::ThisPage, Some(By::Replacement), By::Replacement),
        ] {
            assert_eq!(known.updated(named), expected, "{known:?} {named:?}");
        }
    }
}
