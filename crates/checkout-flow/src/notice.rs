use crate::{ErrorCode, Money, OperationRef};
use payment_model::{MerchantOperationNumber, Outcome, PaymentMethodName, TransactionState};

/// A message to the page around the element.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// The element works.
    Ready,
    /// An operation waits for the payer; once an operation.
    Pending(StatusNotice),
    /// The server reported another state than before.
    Status(StatusNotice),
    /// The server reported how it ended; once an operation and outcome.
    Result(Box<ResultNotice>),
    /// Something is wrong.
    Error(ErrorCode),
}

/// The state of an operation as the server reported it.
#[derive(Debug, Clone, PartialEq)]
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
pub struct ResultNotice {
    /// Operation, method, state and sum.
    pub status: StatusNotice,
    /// How it ended.
    pub outcome: Outcome,
    /// The outcome reported before, which this one corrects.
    pub previous: Option<Outcome>,
    /// The other operations of this order that the page knows.
    pub superseded: Vec<MerchantOperationNumber>,
    /// True when the operation had ended before this page saw it wait.
    pub resumed: bool,
    /// True when another operation of this order is paid too.
    pub paid_twice: bool,
}
