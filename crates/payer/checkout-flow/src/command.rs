use crate::continue_url::ContinueUrl;
use crate::notice::Notice;
use crate::operation_ref::{CallId, OperationRef};
use crate::start::Snapshot;
use payment_model::{IdempotencyKey, MerchantOperationNumber, PaymentMethodName};
use std::time::Duration;

/// A command to the caller of the flow. Commands are carried out in their order.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Ask the page whether an attempt by this method may begin, and report [`crate::Event::PageAnswered`].
    AskPage {
        /// The question's name.
        call: CallId,
        /// The method.
        method: PaymentMethodName,
        /// How long to wait for an answer.
        timeout: Duration,
    },
    /// Ask the merchant's server to authorize, and report
    /// [`crate::Event::AuthorizeAnswered`].
    Authorize {
        /// The id of the request.
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
        /// The id of the request.
        call: CallId,
        /// The operation.
        operation: OperationRef,
        /// The whole seconds of `Prefer: wait`, if the answer may wait for a change. The caller may leave it out
        /// ([`crate::HoldTurns`]).
        wait: Option<Duration>,
        /// The entity tag of the known answer (`If-None-Match`), if it has one.
        known: Option<String>,
        /// True when the address must differ from that of every question before, since a cache answers in the server's
        /// place.
        fresh: bool,
        /// How long to wait for an answer, besides `wait`.
        timeout: Duration,
    },
    /// Ask which operation of the order its payer should see, and report
    /// [`crate::Event::LiveAnswered`].
    QueryLive {
        /// The id of the request.
        call: CallId,
        /// How long to wait for an answer.
        timeout: Duration,
    },
    /// Ask to cancel an operation, and report [`crate::Event::CancelAnswered`].
    Cancel {
        /// The id of the request.
        call: CallId,
        /// The operation.
        operation: OperationRef,
        /// How long to wait for an answer.
        timeout: Duration,
    },
    /// Abort a request. Its answer is not needed any more.
    Abort {
        /// The id of the request.
        call: CallId,
    },
    /// Lead the payer to the continue URL, unless the page prevents it.
    Leave {
        /// The address to go to.
        url: ContinueUrl,
        /// The operation that the payer pays there.
        operation: OperationRef,
    },
    /// Store this for the next page of this tab, before the commands after this one.
    Save(Snapshot),
    /// Delete what is stored.
    Forget,
    /// Report this to the page.
    Report(Notice),
    /// Report [`crate::Event::Woke`] after this time. This replaces the previous timer.
    Wake {
        /// The time from now.
        after: Duration,
    },
}
