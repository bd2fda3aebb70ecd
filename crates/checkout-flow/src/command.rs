use crate::{CallId, ContinueUrl, Notice, OperationRef, Snapshot};
use payment_model::{IdempotencyKey, MerchantOperationNumber, PaymentMethodName};
use std::time::Duration;

/// Something to do, in the order given.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Ask the merchant's server to authorize, and report
    /// [`crate::Event::AuthorizeAnswered`].
    Authorize {
        /// The request's name.
        call: CallId,
        /// The key of the attempt.
        key: IdempotencyKey,
        /// The method.
        method: PaymentMethodName,
        /// The live operation that it may end (`Checkout-Replaces`), if the payer agreed to that.
        replaces: Option<MerchantOperationNumber>,
        /// How long to wait for an answer.
        timeout: Duration,
    },
    /// Ask for an operation's state, and report [`crate::Event::StatusAnswered`].
    QueryStatus {
        /// The request's name.
        call: CallId,
        /// The operation.
        operation: OperationRef,
        /// The whole seconds of `Prefer: wait`, if the answer may wait for a change.
        wait: Option<Duration>,
        /// The name of the answer that is known (`If-None-Match`), if it has one.
        known: Option<String>,
        /// How long to wait for an answer.
        timeout: Duration,
    },
    /// Ask which operation of the order its payer should see, and report
    /// [`crate::Event::LiveAnswered`].
    QueryLive {
        /// The request's name.
        call: CallId,
        /// How long to wait for an answer.
        timeout: Duration,
    },
    /// Ask to cancel an operation, and report [`crate::Event::CancelAnswered`].
    Cancel {
        /// The request's name.
        call: CallId,
        /// The operation.
        operation: OperationRef,
        /// How long to wait for an answer.
        timeout: Duration,
    },
    /// Give a request up; its answer does not matter any more.
    Abort {
        /// The request's name.
        call: CallId,
    },
    /// Lead the payer to the continue URL, unless the page prevents it.
    Leave {
        /// The address to go to.
        url: ContinueUrl,
        /// For which operation.
        operation: OperationRef,
    },
    /// Keep this for the next page of this tab, before any command that follows.
    Save(Snapshot),
    /// Keep nothing any more.
    Forget,
    /// Tell the page.
    Tell(Notice),
    /// Report [`crate::Event::Woke`] after this time; replaces the one before.
    Wake {
        /// The time from now.
        after: Duration,
    },
}
