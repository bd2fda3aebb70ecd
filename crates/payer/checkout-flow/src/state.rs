use crate::flow::screen::Screen;
use crate::words::words;
use payment_model::Outcome;

words! {
    /// The kind of the screen that the payer sees.
    pub enum State as non_exhaustive {
        /// The methods are on offer.
        Choosing = "choosing",
        /// Your page or your server prepares the operation.
        Authorizing = "authorizing",
        /// A code, a link or an instruction waits for the payer.
        Pending = "pending",
        /// The checkout asks your server, or your server's answer is not an end yet.
        Checking = "checking",
        /// A minute after the deadline your server still waits; a late payment may arrive. Until then it is `checking`.
        Overdue = "overdue",
        /// A cancellation is under way.
        Cancelling = "cancelling",
        /// Your server answered that it is paid.
        Paid = "paid",
        /// Your server answered that the processor declined it.
        Declined = "declined",
        /// Your server answered that the service could not use it.
        Invalid = "invalid",
        /// Your server answered that it is canceled.
        Cancelled = "cancelled",
        /// Your server answered that its deadline has passed.
        Expired = "expired",
        /// Your server answered that it was paid and given back.
        Reversed = "reversed",
        /// It cannot go on by itself; the error has the reason.
        Failed = "failed",
    }
}

impl From<&Screen<'_>> for State {
    fn from(screen: &Screen<'_>) -> Self {
        match screen {
            Screen::Choosing | Screen::ChoosingOnPage | Screen::AskingToReplace { .. } => {
                Self::Choosing
            }
            Screen::Preparing | Screen::Authorizing => Self::Authorizing,
            Screen::Checking
            | Screen::LastCheck
            | Screen::Confirming(_)
            | Screen::Unconfirmed { .. } => Self::Checking,
            Screen::Qr(_) | Screen::Continue { .. } | Screen::Waiting(_) => Self::Pending,
            Screen::Overdue => Self::Overdue,
            Screen::Cancelling => Self::Cancelling,
            Screen::Failed(_) => Self::Failed,
            Screen::Ended(end) => end.outcome.into(),
        }
    }
}

impl From<Outcome> for State {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Paid => Self::Paid,
            Outcome::Declined => Self::Declined,
            Outcome::Invalid => Self::Invalid,
            Outcome::Cancelled => Self::Cancelled,
            Outcome::Expired => Self::Expired,
            Outcome::Reversed => Self::Reversed,
        }
    }
}
