//! The buttons and links of a checkout's screen that a payer can press.

use checkout_flow::{ErrorCode, Event, Screen, View};
use payment_model::{Outcome, PaymentMethodName};

/// Something that a payer can press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Press {
    Qr,
    Instalments,
    /// Go on with the operation that is live in another place.
    ShowLive,
    /// Agree that this operation ends for the other method.
    Replace,
    /// Try again, or ask for a new code.
    Retry,
    Follow,
    Check,
    AnotherWay,
    /// Cancel, which the screen asks about.
    Cancel,
    /// Answer that question with no.
    Keep,
    /// Answer it with yes.
    Confirm,
}

impl Press {
    /// What the flow hears; `None` for a link, which the browser follows by itself.
    pub(super) fn event(self) -> Option<Event> {
        Some(match self {
            Self::Qr => Event::MethodChosen(PaymentMethodName::Qr),
            Self::Instalments => Event::MethodChosen(PaymentMethodName::Installment),
            Self::ShowLive => Event::ShowLivePressed,
            Self::Replace => Event::ReplaceConfirmed,
            Self::Retry => Event::RetryPressed,
            Self::Follow => return None,
            Self::Check => Event::CheckPressed,
            Self::AnotherWay => Event::AnotherWayPressed,
            Self::Cancel => Event::CancelPressed,
            Self::Keep => Event::CancelDismissed,
            Self::Confirm => Event::CancelConfirmed,
        })
    }
}

/// What the views of the checkout offer on this screen, in their order. `slow` tells that it takes long to prepare a
/// code.
pub(super) fn offered(view: &View<'_>, slow: bool) -> Vec<Press> {
    if view.asks_to_cancel.is_some() && !view.read_only {
        // The question is modal.
        return vec![Press::Keep, Press::Confirm];
    }
    match &view.screen {
        Screen::Choosing | Screen::ChoosingOnPage => {
            let choices = view.choices.iter();
            let offered = choices.filter(|choice| choice.refusal.is_none());
            offered
                .filter_map(|offered| choice(offered.method))
                .collect()
        }
        Screen::AskingToReplace { .. } => vec![Press::ShowLive, Press::Replace],
        Screen::Preparing => vec![Press::AnotherWay],
        Screen::Authorizing if slow => vec![Press::AnotherWay],
        Screen::Authorizing | Screen::Cancelling => Vec::new(),
        Screen::Continue { .. } => with_ways_out(view, &[Press::Follow, Press::Check]),
        Screen::Overdue => with_ways_out(view, &[Press::Check, Press::Retry]),
        Screen::Unconfirmed { again_at: None } => {
            with_ways_out(view, &[Press::Retry, Press::Check])
        }
        Screen::Qr(_)
        | Screen::Waiting(_)
        | Screen::Checking
        | Screen::Confirming(_)
        | Screen::LastCheck
        | Screen::Unconfirmed { .. } => with_ways_out(view, &[Press::Check]),
        Screen::Ended(end) if end.paid_twice => Vec::new(),
        Screen::Ended(end) => match end.outcome {
            Outcome::Paid => Vec::new(),
            Outcome::Reversed if !end.payable => Vec::new(),
            Outcome::Invalid | Outcome::Cancelled | Outcome::Reversed => vec![Press::Retry],
            Outcome::Expired | Outcome::Declined => with_another_way(view, vec![Press::Retry]),
        },
        Screen::Failed(code) => after_failure(view, *code),
    }
}

fn after_failure(view: &View<'_>, code: ErrorCode) -> Vec<Press> {
    let retry: &[_] = match code.is_retryable() {
        true => &[Press::Retry],
        false => &[],
    };
    match code {
        ErrorCode::Configuration | ErrorCode::NoMethod => Vec::new(),
        ErrorCode::AmountMismatch | ErrorCode::QrImage | ErrorCode::ContinueUrl => {
            with_ways_out(view, retry)
        }
        _ => with_another_way(view, retry.to_vec()),
    }
}

fn choice(method: &PaymentMethodName) -> Option<Press> {
    match method {
        PaymentMethodName::Qr => Some(Press::Qr),
        PaymentMethodName::Installment => Some(Press::Instalments),
        _ => None,
    }
}

fn with_another_way(view: &View<'_>, mut first: Vec<Press>) -> Vec<Press> {
    if view.has_another_way {
        first.push(Press::AnotherWay);
    }
    first
}

fn with_ways_out(view: &View<'_>, first: &[Press]) -> Vec<Press> {
    let mut all = first.to_vec();
    if !view.read_only {
        all = with_another_way(view, all);
        all.push(Press::Cancel);
    }
    all
}
