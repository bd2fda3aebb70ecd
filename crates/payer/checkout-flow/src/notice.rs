use crate::failure::ErrorCode;
use crate::operation_ref::OperationRef;
use crate::words::words;
use payment_model::{MerchantOperationNumber, Money, Outcome, PaymentMethodName, TransactionState};

/// A report to the page that contains the checkout.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// The checkout works and has a screen.
    Ready,
    /// An operation waits for the payer. Reported once for each operation.
    Pending(StatusNotice),
    /// The server reported another state than before.
    Status(StatusNotice),
    /// The server reported how an operation ended. Reported once for each operation and outcome.
    Result(Box<ResultNotice>),
    /// The payer sees an error.
    Error(ErrorCode),
    /// The payer is back at the choice of methods, which the page shows.
    Choose {
        /// The method of the last attempt.
        method: Option<PaymentMethodName>,
    },
    /// The payer pressed a button that had an effect. It says nothing about a payment.
    Action {
        /// The press.
        action: Action,
        /// The payment method concerned, if it is known.
        method: Option<PaymentMethodName>,
    },
}

words! {
    /// The payer's decisions, as analytics count them.
    pub enum Action as non_exhaustive {
        /// Chose a method.
        MethodChosen = "method-chosen",
        /// Wanted another method. While a code or a link waits, the payer is asked first.
        AnotherWay = "another-way",
        /// Wanted to cancel, and is asked.
        CancelAsked = "cancel-asked",
        /// Was asked whether to leave a code or a link that waits, and stayed. `method` is that of the code.
        Kept = "kept",
        /// Confirmed the cancellation, of either wish.
        CancelConfirmed = "cancel-confirmed",
        /// Tried again, or asked for a new code.
        Retried = "retried",
        /// Chose another method than that of a code that waits, in another tab or on another device, and went back to
        /// that code. `method` is that of the code.
        LiveShown = "live-shown",
        /// Gave that code up. `method` is that of the code.
        LiveReplaced = "live-replaced",
        /// Saved the code as a picture.
        CodeSaved = "code-saved",
    }
}

/// The state of an operation as the server reported it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StatusNotice {
    /// The operation.
    pub operation: OperationRef,
    /// Its method.
    pub method: PaymentMethodName,
    /// Its state.
    pub state: TransactionState,
    /// The amount of the operation.
    pub money: Money,
}

/// How an operation ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ResultNotice {
    /// Operation, method, state and sum.
    pub status: StatusNotice,
    /// How it ended.
    pub outcome: Outcome,
    /// The outcome that was reported before, if this one corrects it.
    pub previous: Option<Outcome>,
    /// The other operations of this order that the page knows.
    pub superseded: Vec<MerchantOperationNumber>,
    /// True when this page never saw the operation wait: it had ended before.
    pub resumed: bool,
    /// True when another operation of this order is paid too.
    pub paid_twice: bool,
}
