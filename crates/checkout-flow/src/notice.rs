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
    /// The payer did something that had an effect. It says nothing about a payment.
    Action {
        /// The press.
        action: Action,
        /// The method that it was about, if one is known.
        method: Option<PaymentMethodName>,
    },
}

/// The payer's decisions, as analytics count them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Chose a method.
    MethodChosen,
    /// Wanted another method.
    AnotherWay,
    /// Wanted to cancel, and is asked back.
    CancelAsked,
    /// Confirmed the cancellation that the last wish means.
    CancelConfirmed,
    /// Tried again, or asked for a new code.
    Retried,
    /// Wanted to see the code that another choice would end.
    LiveShown,
    /// Gave that code up for the other choice.
    LiveReplaced,
    /// Asked to save the code.
    CodeSaved,
}

impl Action {
    /// The action as events and documentation name it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MethodChosen => "method-chosen",
            Self::AnotherWay => "another-way",
            Self::CancelAsked => "cancel-asked",
            Self::CancelConfirmed => "cancel-confirmed",
            Self::Retried => "retried",
            Self::LiveShown => "live-shown",
            Self::LiveReplaced => "live-replaced",
            Self::CodeSaved => "code-saved",
        }
    }
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

#[cfg(test)]
mod tests {
    use super::Action;

    #[test]
    fn actions_have_the_names_of_the_documentation() {
        let documentation = include_str!("../../../docs/element.md");
        for (action, name) in [
            (Action::MethodChosen, "method-chosen"),
            (Action::AnotherWay, "another-way"),
            (Action::CancelAsked, "cancel-asked"),
            (Action::CancelConfirmed, "cancel-confirmed"),
            (Action::Retried, "retried"),
            (Action::LiveShown, "live-shown"),
            (Action::LiveReplaced, "live-replaced"),
            (Action::CodeSaved, "code-saved"),
        ] {
            assert_eq!(action.as_str(), name);
            assert!(documentation.contains(&format!("`{name}`")), "{name}");
        }
    }
}
