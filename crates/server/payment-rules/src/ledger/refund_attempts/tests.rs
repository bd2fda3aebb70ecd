use crate::ledger::fixture::{asked_before, doubtful, echo, ledger, proof, reserve};
use crate::ledger::{AttemptRecord, Ledger, Release};
use crate::operation::fixture::reading;
use crate::outgoing::{Failed, SendFailure};
use crate::service_answers::AmountUnits::Cents;
use crate::timing::instant;
use payment_model::{LocalizedMessage, RefundId, Timestamp};
use staff_model::AttemptState;

fn attempt(ledger: &Ledger) -> &AttemptRecord {
    ledger.attempt("a").unwrap()
}

/// With one attempt that was asked for at an instant, and that left then, if it did.
fn sending(asked: Timestamp, begun: Option<Timestamp>) -> Ledger {
    let mut ledger = ledger();
    reserve(&mut ledger, "a", 300, asked);
    if let Some(begun) = begun {
        assert!(ledger.begin("a", begun));
    }
    ledger
}

fn refused() -> Failed {
    let message = LocalizedMessage {
        locale: "es_PE".to_owned(),
        value: "No.".to_owned(),
    };
    let (status, messages) = (400, vec![message]);
    SendFailure::Refused { status, messages }.because("the service said no")
}

#[test]
fn an_attempt_is_abandoned_only_when_its_sender_must_be_gone() {
    use AttemptState::{InDoubt, Refused, Sending};
    // Gone are the senders of attempts that left before 20, or were asked for before 10.
    for (asked, begun, expected) in [
        (0, Some(19), InDoubt),
        (0, Some(20), Sending),
        (0, Some(21), Sending),
        (9, None, Refused),
        (10, None, Sending),
        (11, None, Sending),
    ] {
        let mut ledger = sending(instant(asked), begun.map(instant));
        ledger.give_up_attempts(instant(20), asked_before(10), instant(30));
        let left = attempt(&ledger);
        assert_eq!(left.state, expected, "{asked} {begun:?}");
        let changed_at = if expected == Sending { asked } else { 30 };
        assert_eq!(left.changed_at, instant(changed_at), "{asked} {begun:?}");
    }
}

#[test]
fn an_attempt_that_ended_is_not_abandoned() {
    let mut ledger = sending(instant(0), Some(instant(0)));
    ledger.end("a", refused(), instant(1));
    let before = ledger.clone();
    ledger.give_up_attempts(instant(20), asked_before(20), instant(30));
    assert_eq!(ledger, before);
}

#[test]
fn an_answer_with_a_refund_registers_the_attempt_and_counts_once() {
    let mut ledger = sending(instant(0), Some(instant(1)));
    ledger.register("nobody's", RefundId::new("x"), instant(2));
    assert_eq!(attempt(&ledger).state, AttemptState::Sending);
    ledger.register("a", RefundId::new("r"), instant(2));
    let own = attempt(&ledger);
    assert_eq!(own.state, AttemptState::Registered);
    assert_eq!(own.refund_id, Some(RefundId::new("r")));
    assert_eq!((own.detail.as_str(), own.changed_at), ("", instant(2)));
    assert_eq!(ledger.left(), 700);
    ledger.merge_refunds(&[echo("r", "a", "REGISTERED", "300")], Cents, instant(3));
    assert_eq!(ledger.left(), 700);
    assert_eq!(attempt(&ledger).changed_at, instant(2));
    assert!(ledger.refund_of(attempt(&ledger)).is_some());
}

#[test]
fn each_ending_says_whether_the_service_decided_and_whether_money_stays_reserved() {
    use AttemptState::{InDoubt, Refused};
    let cases = [
        (refused(), Refused, false, "the service said no"),
        (
            SendFailure::NotSent.because("no connection"),
            Refused,
            true,
            "no connection",
        ),
        (
            SendFailure::TokenRejected.because(""),
            InDoubt,
            true,
            "the payment service did not accept the access token",
        ),
        (
            SendFailure::NoAnswer.because("no answer"),
            InDoubt,
            false,
            "no answer",
        ),
    ];
    for (ending, state, not_processed, detail) in cases {
        let messages = usize::from(matches!(ending.failure, SendFailure::Refused { .. }));
        let mut ledger = sending(instant(0), Some(instant(1)));
        ledger.end(
            "nobody's",
            SendFailure::TokenRejected.because(""),
            instant(2),
        );
        assert_eq!(attempt(&ledger).state, AttemptState::Sending);
        ledger.end("a", ending, instant(3));
        let own = attempt(&ledger);
        assert_eq!(
            (own.state, own.not_processed, own.detail.as_str()),
            (state, not_processed, detail)
        );
        assert_eq!((own.changed_at, own.messages.len()), (instant(3), messages));
        assert_eq!(ledger.left(), if state == InDoubt { 700 } else { 1000 });
    }
}

#[test]
fn a_list_that_has_the_refund_overrules_a_refusal_and_a_release_and_says_so() {
    let listed = |mut ledger: Ledger| {
        ledger.merge_refunds(&[echo("r", "a", "REGISTERED", "300")], Cents, instant(9));
        assert_eq!(ledger.left(), 700);
        let own = attempt(&ledger);
        assert_eq!(own.state, AttemptState::Registered);
        assert!(own.messages.is_empty());
        own.detail.clone()
    };
    assert_eq!(listed(sending(instant(0), Some(instant(1)))), "");
    let mut no = sending(instant(0), Some(instant(1)));
    no.end("a", refused(), instant(2));
    assert!(listed(no).contains("though it refused it"));
    let mut released = doubtful("a", 300, instant(0));
    let release = Release {
        by: "bea".to_owned(),
        at: instant(5),
        reason: "the service said so".to_owned(),
    };
    released
        .release("a", release, proof(), reading(instant(5)))
        .unwrap();
    assert!(listed(released).contains("though it was released"));
    let doubt = doubtful("a", 300, instant(0));
    assert!(listed(doubt).contains("found among the refunds"));
}

#[test]
fn a_whole_list_refuses_only_attempts_that_the_service_did_not_let_in() {
    use AttemptState::{InDoubt, Refused, Sending};
    for (ending, expected) in [
        (Some(SendFailure::TokenRejected.because("")), Refused),
        (Some(SendFailure::NoAnswer.because("no answer")), InDoubt),
        (None, Sending),
    ] {
        let mut ledger = sending(instant(0), Some(instant(1)));
        if let Some(ending) = ending {
            ledger.end("a", ending, instant(2));
        }
        ledger.end_unprocessed(instant(3), instant(4));
        assert_eq!(attempt(&ledger).state, expected);
    }
    let mut unsent = sending(instant(0), None);
    unsent.end(
        "a",
        SendFailure::NotSent.because("no connection"),
        instant(2),
    );
    let before = unsent.clone();
    unsent.end_unprocessed(instant(3), instant(4));
    assert_eq!(unsent, before);
}

#[test]
fn a_doubt_since_an_instant_is_one_that_began_then_or_later() {
    let doubt = doubtful("a", 300, instant(5));
    for (since, expected) in [(4, true), (5, true), (6, false)] {
        assert_eq!(doubt.has_doubt_since(instant(since)), expected, "{since}");
    }
    let mut no = sending(instant(5), Some(instant(5)));
    no.end("a", refused(), instant(5));
    assert!(!no.has_doubt_since(instant(0)));
}
