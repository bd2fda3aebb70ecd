use super::{ALL, GalleryScreen, MadeUpState, Reason};
use checkout_flow::{Connection, ErrorCode, Screen};
use payment_model::{Outcome, PaymentMethodName};
use std::collections::BTreeSet;

/// A number for each case, so that a new case does not compile without a screen.
fn place(screen: &Screen<'_>) -> usize {
    let outcome = |outcome| match outcome {
        Outcome::Paid => 0,
        Outcome::Declined => 1,
        Outcome::Invalid => 2,
        Outcome::Cancelled => 3,
        Outcome::Expired => 4,
        Outcome::Reversed => 5,
    };
    let code = |code| match code {
        ErrorCode::Network => 0,
        ErrorCode::Server => 1,
        ErrorCode::Refused => 2,
        ErrorCode::NotFound => 3,
        ErrorCode::AmountMismatch => 4,
        ErrorCode::QrImage => 5,
        ErrorCode::ContinueUrl => 6,
        ErrorCode::Configuration => 7,
        ErrorCode::Page => 8,
        ErrorCode::MayBePaid => 9,
        ErrorCode::NoMethod => 10,
    };
    match screen {
        Screen::Choosing => 0,
        Screen::Authorizing => 1,
        Screen::Checking => 2,
        Screen::Qr(_) => 3,
        Screen::Continue { leaving: true, .. } => 4,
        Screen::Continue { leaving: false, .. } => 5,
        Screen::Waiting(_) => 6,
        Screen::Confirming(_) => 7,
        Screen::LastCheck => 8,
        Screen::Overdue => 9,
        Screen::Cancelling => 10,
        Screen::Ended(end) if end.paid_twice => 11,
        Screen::Ended(end) => 12 + outcome(end.outcome),
        Screen::Failed(failed) => 18 + code(*failed),
        Screen::Unconfirmed { again_at: None } => 29,
        Screen::Unconfirmed { again_at: Some(_) } => 30,
        Screen::AskingToReplace { .. } => 31,
        Screen::ChoosingOnPage => 32,
        Screen::Preparing => 33,
    }
}

#[test]
fn every_screen_is_on_show() {
    let places: BTreeSet<_> = ALL
        .iter()
        .map(|screen| place(&screen.state().view().screen))
        .collect();
    assert_eq!(places, (0..34).collect());
}

#[test]
fn every_method_and_every_notice_is_on_show() {
    let states: Vec<_> = ALL.iter().map(GalleryScreen::state).collect();
    for method in PaymentMethodName::KNOWN {
        let shown = states.iter().any(|e| e.view().method == Some(method));
        assert!(shown, "{method:?}");
    }
    for connection in [Connection::Good, Connection::Offline, Connection::Troubled] {
        assert!(states.iter().any(|e| e.connection == connection));
    }
    assert!(states.iter().any(|e| e.asks_to_cancel.is_some()));
    assert!(states.iter().any(|e| e.cancel_failed));
    assert!(states.iter().any(|e| e.read_only));
    assert!(states.iter().any(|e| e.props.shares));
    assert!(states.iter().any(|e| e.saved));
    assert!(states.iter().any(|e| e.slow));
    assert!(states.iter().any(|e| e.props.wallets.is_some()));
    assert!(states.iter().any(|e| e.props.help_url.is_some()));
    assert!(states.iter().any(|e| e.last.is_some()));
    for answered in [true, false] {
        let shown = |e: &MadeUpState| e.checked.is_some_and(|c| c.answered == answered);
        assert!(states.iter().any(shown));
    }
    assert!(states.iter().any(|e| e.refusal.is_some()));
    assert!(states.iter().any(|e| e.page_refusal.is_some()));
    for reason in [
        Reason::AboveMost,
        Reason::BelowLeast,
        Reason::Currency,
        Reason::Order,
    ] {
        let refused = |e: &MadeUpState| e.not_offered.iter().any(|one| one.reason == reason);
        assert!(states.iter().any(refused), "{reason}");
    }
    assert!(states.iter().any(|e| e.props.paid_url.is_some()));
}

#[test]
fn each_has_a_name_of_its_own() {
    let names: BTreeSet<_> = ALL.iter().map(|screen| screen.name).collect();
    assert_eq!(names.len(), ALL.len());
    assert!(GalleryScreen::named("qr").is_some() && GalleryScreen::named("no").is_none());
}
