//! The names of the screens in the element's property `state`.

use checkout_flow::Screen;
use payment_model::Outcome;

/// Returns the name of a screen.
pub fn name(screen: &Screen<'_>) -> &'static str {
    match screen {
        Screen::Choosing(_) | Screen::AskingToReplace { .. } => "choosing",
        Screen::Authorizing => "authorizing",
        Screen::Checking
        | Screen::LastCheck
        | Screen::Confirming(_)
        | Screen::Unconfirmed { .. } => "checking",
        Screen::Qr(_) | Screen::Continue { .. } | Screen::Waiting(_) => "pending",
        Screen::Overdue => "overdue",
        Screen::Cancelling => "cancelling",
        Screen::Failed(_) => "failed",
        Screen::Ended(end) => match end.outcome {
            Outcome::Paid => "paid",
            Outcome::Declined => "declined",
            Outcome::Invalid => "invalid",
            Outcome::Cancelled => "cancelled",
            Outcome::Expired => "expired",
            Outcome::Reversed => "reversed",
        },
    }
}
