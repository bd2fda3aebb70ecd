use crate::ledger::fixture::refused;
use crate::ledger::fixture::{
    asked_before, doubtful, echo, ledger, proof, refund, reserve, returned, reversal,
};
use crate::ledger::{AttemptReleaseError, EndCause, Ledger, NewReversal, Purpose, Release};
use crate::operation::fixture::{reading, with_state};
use crate::outgoing::{Progress, SendFailure};
use crate::service_answers::AmountUnits::{Cents, Units};
use crate::timing::instant;
use payment_model::{PaymentMethodName, RefundRefusal, RefundType, TransactionState};
use staff_model::{AttemptState, ReversalState};

fn release(by: &str) -> Release {
    Release {
        by: by.to_owned(),
        at: instant(5),
        reason: "the service said so".to_owned(),
    }
}

#[test]
fn the_exact_rest_is_accepted_and_one_cent_more_and_zero_are_not() {
    let mut ledger = ledger();
    ledger.merge_refunds(
        &[
            refund("1", "REGISTERED", "100"),
            refund("2", "IN_PROCESS", "200"),
            refund("3", "RESOLVED", "50"),
            refund("4", "REJECTED", "999"),
            refund("5", "SOMETHING NEW", "30"),
        ],
        Cents,
        instant(0),
    );
    reserve(&mut ledger, "sending", 20, instant(0));
    reserve(&mut ledger, "doubtful", 3, instant(0));
    ledger.begin("doubtful", instant(0));
    ledger.end("doubtful", SendFailure::NoAnswer.because(""), instant(0));
    reserve(&mut ledger, "refused", 500, instant(0));
    ledger.end("refused", refused(400), instant(0));
    let left = 1000 - 100 - 200 - 50 - 30 - 20 - 3;
    assert_eq!(ledger.left(), left);
    let check = |kind: &RefundType, asked| ledger.check(kind, asked);
    let partial = RefundType::Partial;
    assert_eq!(check(&partial, left), Ok(()));
    assert_eq!(check(&partial, 1), Ok(()));
    let more = RefundRefusal::MoreThanIsLeft { left };
    assert_eq!(check(&partial, left + 1), Err(more));
    assert_eq!(check(&partial, 0), Err(RefundRefusal::NothingAskedFor));
    assert_eq!(
        check(&RefundType::Total, left),
        Err(RefundRefusal::NotTheWhole)
    );
    assert_eq!(
        check(&RefundType::from("HALF"), 1),
        Err(RefundRefusal::UnknownType)
    );
}

#[test]
fn only_a_settled_payment_of_the_right_methods_is_refunded() {
    for state in TransactionState::KNOWN {
        for method in ["CARD", "WALLET", "INSTALLMENT", "QR", "CASHCODE", "NEW"] {
            let mut ledger = ledger();
            ledger.state = Some(state.clone());
            ledger.method = PaymentMethodName::from(method);
            let allowed = *state == TransactionState::Settled && ledger.method.is_refundable();
            let checked = ledger.check(&RefundType::Total, 1000);
            assert_eq!(checked.is_ok(), allowed, "{state} {method}");
        }
    }
    let mut untold = ledger();
    untold.state = None;
    assert_eq!(
        untold.check(&RefundType::Total, 1000),
        Err(RefundRefusal::NotSettled)
    );
}

#[test]
fn an_unreadable_amount_or_another_currency_counts_as_everything() {
    for amount in ["", "ten", "-1", "1.005", "10e3"] {
        let mut ledger = ledger();
        ledger.merge_refunds(&[refund("r", "REGISTERED", amount)], Cents, instant(0));
        assert_eq!(ledger.left(), 0, "{amount:?}");
    }
    let mut ledger = ledger();
    let mut dollars = refund("r", "RESOLVED", "1");
    dollars.currency = payment_model::Currency::new("USD");
    ledger.merge_refunds(&[dollars], Cents, instant(0));
    assert_eq!(ledger.left(), 0);
}

#[test]
fn amounts_in_answers_are_as_configured_and_never_less_than_was_asked_for() {
    for (units, amount, left) in [
        (Cents, "300", 700),
        (Cents, "3.00", 700),
        (Units, "3", 700),
        (Units, "3.00", 700),
        // A merchant with the wrong unit in the settings gives no money away by that mistake.
        (Cents, "3", 700),
    ] {
        let mut ledger = doubtful("a", 300, instant(0));
        ledger.merge_refunds(&[echo("r", "a", "REGISTERED", amount)], units, instant(1));
        assert_eq!(ledger.left(), left, "{units:?} {amount}");
    }
}

#[test]
fn a_refund_of_another_transaction_takes_nothing_unless_it_is_ours() {
    let mut ledger = doubtful("a", 300, instant(0));
    let mut other = refund("r", "RESOLVED", "500");
    other.transaction_id = "u".into();
    ledger.merge_refunds(&[other], Cents, instant(1));
    assert_eq!(ledger.left(), 700);
    let mut ours = echo("s", "a", "RESOLVED", "300");
    ours.transaction_id = "u".into();
    ledger.merge_refunds(&[ours], Cents, instant(1));
    assert_eq!(ledger.left(), 700);
    let mut unnamed = refund("v", "RESOLVED", "1");
    unnamed.transaction_id = "".into();
    ledger.merge_refunds(&[unnamed], Cents, instant(1));
    assert_eq!(ledger.left(), 699);
}

#[test]
fn a_doubt_reserves_until_a_second_person_releases_it_and_a_list_overrules_that() {
    let mut ledger = doubtful("a", 300, instant(0));
    assert_eq!(ledger.left(), 700);
    assert_eq!(
        ledger.release("a", release("ana"), proof(), reading(instant(5))),
        Err(AttemptReleaseError::SamePerson)
    );
    assert_eq!(
        ledger.release("b", release("bea"), proof(), reading(instant(5))),
        Err(AttemptReleaseError::NotFound)
    );
    let released = ledger
        .release("a", release("bea"), proof(), reading(instant(5)))
        .unwrap();
    assert_eq!(released.state, AttemptState::Released);
    assert_eq!(ledger.left(), 1000);
    assert_eq!(
        ledger.release("a", release("bea"), proof(), reading(instant(5))),
        Err(AttemptReleaseError::NotInDoubt(AttemptState::Released))
    );
    ledger.merge_refunds(&[echo("r", "a", "REGISTERED", "300")], Cents, instant(9));
    assert_eq!(ledger.left(), 700);
    let attempt = ledger.attempt("a").unwrap().shown();
    assert_eq!(attempt.state, AttemptState::Registered);
    assert_eq!(attempt.released_by.as_deref(), Some("bea"));
    assert!(attempt.detail.contains("released"));
}

#[test]
fn an_attempt_is_sent_once_and_ends_once() {
    let mut ledger = ledger();
    reserve(&mut ledger, "a", 300, instant(0));
    assert!(ledger.begin("a", instant(1)));
    assert!(!ledger.begin("a", instant(2)));
    ledger.end("a", SendFailure::NoAnswer.because("lost"), instant(3));
    assert!(!ledger.begin("a", instant(4)));
    ledger.end("a", refused(400), instant(5));
    assert_eq!(ledger.attempt("a").unwrap().state, AttemptState::InDoubt);
    assert!(ledger.has_doubt_since(instant(3)) && !ledger.has_doubt_since(instant(4)));
    assert!(!ledger.begin("nobody's", instant(0)));
}

#[test]
fn what_a_stopped_server_had_sent_is_in_doubt_and_the_rest_never_happened() {
    let mut ledger = ledger();
    for id in ["sent", "unsent"] {
        reserve(&mut ledger, id, 300, instant(10));
    }
    ledger.begin("sent", instant(20));
    ledger.give_up_attempts(instant(20), asked_before(10), instant(30));
    assert_eq!(ledger.left(), 400);
    ledger.give_up_attempts(instant(21), asked_before(11), instant(30));
    let state = |id| ledger.attempt(id).unwrap().state;
    assert_eq!(state("sent"), AttemptState::InDoubt);
    assert_eq!(state("unsent"), AttemptState::Refused);
    assert_eq!(ledger.left(), 700);
    assert!(!ledger.clone().begin("unsent", instant(40)));
}

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// The service's refunds, for [`whatever_happens_no_more_than_the_amount_is_given_back`].
#[derive(Default)]
struct Service {
    refunds: Vec<payment_model::Refund>,
}

impl Service {
    fn given(&self) -> u64 {
        let reserving = |refund: &&payment_model::Refund| refund.state.reserves_its_amount();
        let amounts = self.refunds.iter().filter(reserving);
        amounts
            .filter_map(|refund| refund.refund_amount.cents())
            .sum()
    }
}

fn step(ledger: &mut Ledger, service: &mut Service, dice: &mut Dice, turn: u64) {
    let now = i64::try_from(turn).unwrap();
    match dice.roll(6) {
        0..=2 => {
            let asked = dice.roll(ledger.left() + 2);
            if ledger.check(&RefundType::Partial, asked).is_err() {
                assert!(asked == 0 || asked > ledger.left());
                return;
            }
            let id = format!("a{turn}");
            reserve(ledger, &id, asked, instant(now));
            assert!(ledger.begin(&id, instant(now)));
            let told = echo(&format!("r{turn}"), &id, "REGISTERED", &asked.to_string());
            match dice.roll(4) {
                0 => {
                    service.refunds.push(told.clone());
                    ledger.merge_refunds(&[told], Cents, instant(now));
                }
                1 => {
                    service.refunds.push(told);
                    ledger.end(&id, SendFailure::NoAnswer.because(""), instant(now));
                }
                2 => ledger.end(&id, SendFailure::NoAnswer.because(""), instant(now)),
                _ => ledger.end(&id, refused(400), instant(now)),
            }
        }
        3 => {
            let state =
                ["IN_PROCESS", "RESOLVED", "REJECTED"][usize::try_from(dice.roll(3)).unwrap()];
            let open = service
                .refunds
                .iter_mut()
                .find(|refund| !refund.state.is_final());
            if let Some(refund) = open {
                refund.state = state.into();
            }
        }
        // An older list comes late, or a part of it.
        4 => {
            let end = dice.roll(service.refunds.len() as u64 + 1);
            let part = service.refunds[..usize::try_from(end).unwrap()].to_vec();
            ledger.merge_refunds(&part, Cents, instant(now));
        }
        _ => {
            ledger.merge_refunds(&service.refunds, Cents, instant(now));
        }
    }
}

#[test]
fn whatever_happens_no_more_than_the_amount_is_given_back() {
    for seed in 0..500 {
        let (mut ledger, mut service, mut dice) = (ledger(), Service::default(), Dice(seed));
        for turn in 0..60 {
            step(&mut ledger, &mut service, &mut dice, turn);
            assert!(service.given() <= 1000, "seed {seed}, turn {turn}");
            // The ledger never reports more refundable money than there is.
            assert!(
                ledger.left() <= 1000 - service.given(),
                "seed {seed}, turn {turn}"
            );
        }
        // Once everything is known, only true doubts are still reserved.
        ledger.merge_refunds(&service.refunds, Cents, instant(99));
        let doubts = ledger
            .attempts
            .iter()
            .filter(|attempt| attempt.is_pending());
        let doubts: u64 = doubts.map(|attempt| attempt.amount).sum();
        assert_eq!(
            ledger.left(),
            1000 - service.given() - doubts,
            "seed {seed}"
        );
    }
}

#[test]
fn returns_take_from_what_is_left() {
    let mut ledger = ledger();
    ledger.merge_refunds(&[refund("r", "REJECTED", "1000")], Cents, instant(0));
    ledger
        .give_back(returned("ret", 400, false), instant(0))
        .unwrap();
    assert_eq!(ledger.left(), 600);
}

#[test]
fn an_operation_ended_for_the_cause_of_the_last_request_that_was_carried_out() {
    use EndCause::{Payer, Replaced, Staff};
    use Progress::{Done, NotDone, Released, Sent, Unknown};
    let end_cause = |requests: &[(Progress, Option<EndCause>, Option<&str>)]| {
        let mut ledger = ledger();
        ledger.outcome = None;
        for (index, (state, cause, staff)) in requests.iter().enumerate() {
            let now = instant(i64::try_from(index).unwrap());
            let new = NewReversal {
                cause: *cause,
                staff: staff.map(str::to_owned),
                ..reversal(&index.to_string(), Purpose::Cancel, now)
            };
            ledger.reserve_reversal(new, reading(now));
            ledger.reversals[index].move_to(*state, "", now);
        }
        ledger.end_cause()
    };
    assert_eq!(end_cause(&[]), None);
    for state in [Sent, Unknown, NotDone, Released] {
        assert_eq!(end_cause(&[(state, Some(Payer), None)]), None);
    }
    assert_eq!(end_cause(&[(Done, Some(Payer), None)]), Some(Payer));
    assert_eq!(end_cause(&[(Done, None, None)]), None);
    assert_eq!(end_cause(&[(Done, None, Some("ana"))]), Some(Staff));
    // Staff repeated what a payer had asked for.
    assert_eq!(end_cause(&[(Done, Some(Payer), Some("ana"))]), Some(Staff));
    let refused_first = [(NotDone, Some(Replaced), None), (Done, Some(Payer), None)];
    assert_eq!(end_cause(&refused_first), Some(Payer));
    let refused_last = [(Done, Some(Payer), None), (NotDone, Some(Replaced), None)];
    assert_eq!(end_cause(&refused_last), Some(Payer));
    let both = [(Done, Some(Payer), None), (Done, Some(Replaced), None)];
    assert_eq!(end_cause(&both), Some(Replaced));
}

#[test]
fn a_refused_request_that_ended_the_operation_all_the_same_was_carried_out() {
    let ended = |status: Option<u16>, outcome: &str| {
        let mut ledger = ledger();
        ledger.reserve_reversal(
            reversal("v", Purpose::Reverse, instant(0)),
            reading(instant(0)),
        );
        let no = status.map_or(SendFailure::NotSent.because("no"), refused);
        ledger.end_reversal("v", no, reading(instant(1)));
        assert_eq!(ledger.reversals[0].state, ReversalState::NotDone);
        ledger.follow(&with_state(outcome, instant(2)), instant(2));
        ledger.reversals[0].state
    };
    assert_eq!(ended(Some(400), "EXTORNADO"), ReversalState::Done);
    assert_eq!(ended(Some(400), "CANCELADO"), ReversalState::Done);
    assert_eq!(ended(Some(400), "AUTORIZADO"), ReversalState::NotDone);
    assert_eq!(ended(None, "EXTORNADO"), ReversalState::NotDone, "not sent");
}
