use super::BeginAttemptError;
use crate::idempotency::{AuthorizationAnswer as Answer, AuthorizationRefusal};
use crate::offer::MethodLimits;
use crate::operation::fixture::{authorized, pending, record, with_state};
use crate::operation::{Contradiction, OperationKey, OperationRecord, Phase};
use crate::order::{
    ENDED_OPERATION_COUNTS_FOR, MAX_ATTEMPTS_PER_ORDER, MAX_OPERATIONS_PER_ORDER, OrderFacts,
};
use crate::payment::Order;
use crate::payment::fixture::{claim, key, order};
use crate::service_answers::AmountUnits::Cents;
use crate::timing::instant;
use payment_model::{PaymentMethodName, Timestamp};
use std::time::Duration;

mod codes;

fn draft() -> OperationRecord {
    OperationRecord {
        key: OperationKey::new("shop", "new"),
        ..record()
    }
}

fn no_limits() -> MethodLimits {
    MethodLimits::default()
}

fn ended(phase: Phase) -> OperationRecord {
    OperationRecord {
        phase,
        live: false,
        ..record()
    }
}

fn left(operation: OperationRecord, changed_at: i64) -> OperationRecord {
    OperationRecord {
        live: false,
        changed_at: instant(changed_at),
        ..operation
    }
}

fn number(refused: Result<(), BeginAttemptError>) -> String {
    use BeginAttemptError as Error;
    match refused {
        Err(
            Error::Paid(it) | Error::Live(it) | Error::GivenBack(it) | Error::OwnCodeInDoubt(it),
        ) => it.key.number.as_str().to_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_new_order_and_one_whose_operations_ended_unpaid_take_an_attempt() {
    assert_eq!(order([]).begin_attempt(&draft(), &no_limits()), Ok(()));
    let unpaid = [
        ended(Phase::Refused),
        ended(Phase::Lost),
        with_state("EXPIRADO", instant(1)),
    ];
    assert_eq!(order(unpaid).begin_attempt(&draft(), &no_limits()), Ok(()));
}

#[test]
fn a_paid_operation_is_named_before_a_live_one_and_the_first_of_several() {
    let mut both = order([
        record(),
        left(with_state("LIQUIDADO", instant(1)), 9),
        left(with_state("LIQUIDADO", instant(1)), 5),
    ]);
    let refused = both.begin_attempt(&draft(), &no_limits());
    assert!(matches!(refused, Err(BeginAttemptError::Paid(_))));
    assert_eq!(number(refused), "3");
    let live = order([ended(Phase::Lost), record()]).begin_attempt(&draft(), &no_limits());
    assert!(matches!(live, Err(BeginAttemptError::Live(_))));
    assert_eq!(number(live), "2");
}

#[test]
fn a_closed_order_takes_no_attempt_and_shows_no_code() {
    let live = OperationRecord {
        live: true,
        ..pending()
    };
    for mut order in [order([]), order([live])] {
        order.closed_at = Some(instant(1));
        assert_eq!(
            order.begin_attempt(&draft(), &no_limits()),
            Err(BeginAttemptError::Closed)
        );
    }
    let mut paid = order([with_state("LIQUIDADO", instant(0))]);
    paid.closed_at = Some(instant(1));
    assert!(matches!(
        paid.begin_attempt(&draft(), &no_limits()),
        Err(BeginAttemptError::Paid(_))
    ));
}

#[test]
fn an_order_from_before_a_restore_waits_and_a_newer_one_does_not() {
    let at = |created_at: i64, described_at: Option<i64>, fence: Timestamp| {
        let mut order = order([]);
        order.facts.created_at = instant(created_at);
        order.facts.described_at = described_at.map(instant);
        order.fence = Some(fence);
        order.begin_attempt(&draft(), &no_limits())
    };
    assert_eq!(at(4, None, instant(5)), Err(BeginAttemptError::Fenced));
    assert_eq!(at(5, None, instant(5)), Ok(()));
    assert_eq!(at(6, Some(4), instant(5)), Err(BeginAttemptError::Fenced));
    assert_eq!(at(6, Some(5), instant(5)), Ok(()));
}

#[test]
fn a_draft_of_other_facts_begins_nothing() {
    let changed = |change: fn(&mut OrderFacts)| {
        let mut order = order([]);
        change(&mut order.facts);
        order.begin_attempt(&draft(), &no_limits())
    };
    let refused = Err(BeginAttemptError::OrderChanged);
    assert_eq!(changed(|facts| facts.amount = 1), refused);
    assert_eq!(changed(|facts| facts.currency = "USD".to_owned()), refused);
}

#[test]
fn a_payment_that_was_given_back_is_shown_first() {
    let mut given_back = left(with_state("LIQUIDADO", instant(1)), 1);
    let reversed = crate::operation::fixture::transaction("EXTORNADO", &["EXTORNADO"]);
    crate::operation::fixture::apply(&mut given_back, &reversed, instant(2));
    given_back.blocked_since = None;
    assert_eq!(
        order([given_back.clone()]).begin_attempt(&draft(), &no_limits()),
        Ok(())
    );
    given_back.blocked_since = Some(instant(3));
    let refused = order([given_back]).begin_attempt(&draft(), &no_limits());
    assert!(matches!(refused, Err(BeginAttemptError::GivenBack(_))));
}

fn doubt(method: PaymentMethodName, attempt: &str) -> OperationRecord {
    OperationRecord {
        method,
        attempt_hash: Some(attempt.to_owned()),
        due_at: Some(instant(0)),
        ..ended(Phase::InDoubt)
    }
}

#[test]
fn an_attempt_waits_for_its_own_code_that_may_come_another_way() {
    let own = OperationRecord {
        attempt_hash: Some("own".to_owned()),
        ..draft()
    };
    let cash = || doubt(PaymentMethodName::CashCode, "own");
    let refused = order([cash()]).begin_attempt(&own, &no_limits());
    assert!(matches!(refused, Err(BeginAttemptError::OwnCodeInDoubt(_))));
    // The attempt of another key, and a code that only this server shows.
    assert_eq!(
        order([cash()]).begin_attempt(&draft(), &no_limits()),
        Ok(())
    );
    let qr = doubt(PaymentMethodName::Qr, "own");
    assert_eq!(order([qr]).begin_attempt(&own, &no_limits()), Ok(()));
}

#[test]
fn one_doubt_leaves_room_for_an_attempt_and_two_do_not() {
    let doubts = |many: usize| {
        let doubts = std::iter::repeat_with(|| doubt(PaymentMethodName::Qr, "other"));
        order(doubts.take(many)).begin_attempt(&draft(), &no_limits())
    };
    assert_eq!(doubts(1), Ok(()));
    assert_eq!(doubts(2), Err(BeginAttemptError::DoubtsOpen));
}

#[test]
fn an_order_has_at_most_so_many_operations() {
    let of = |record: OperationRecord, many: usize| vec![record; many];
    let many = |many: usize| of(with_state("CANCELADO", instant(0)), many);
    assert_eq!(
        order(many(MAX_OPERATIONS_PER_ORDER - 1)).begin_attempt(&draft(), &no_limits()),
        Ok(())
    );
    let full = order(many(MAX_OPERATIONS_PER_ORDER)).begin_attempt(&draft(), &no_limits());
    assert_eq!(full, Err(BeginAttemptError::TooManyOperations));
    // The number of one of them is used again.
    let again = OperationRecord {
        key: OperationKey::new("shop", "1"),
        ..draft()
    };
    assert_eq!(
        order(many(MAX_OPERATIONS_PER_ORDER)).begin_attempt(&again, &no_limits()),
        Ok(())
    );
    let mut one_in_doubt = many(MAX_OPERATIONS_PER_ORDER - 1);
    one_in_doubt.push(doubt(PaymentMethodName::Qr, "other"));
    let refused = order(one_in_doubt).begin_attempt(&draft(), &no_limits());
    assert_eq!(refused, Err(BeginAttemptError::DoubtsOpen));
    // What the service never had costs nothing, up to a bound of what is loaded.
    for phase in [Phase::Refused, Phase::Lost] {
        let mut all = many(MAX_OPERATIONS_PER_ORDER - 1);
        all.extend(of(
            ended(phase),
            MAX_ATTEMPTS_PER_ORDER - MAX_OPERATIONS_PER_ORDER,
        ));
        assert_eq!(
            order(all.clone()).begin_attempt(&draft(), &no_limits()),
            Ok(())
        );
        all.push(ended(phase));
        let full = order(all).begin_attempt(&draft(), &no_limits());
        assert_eq!(full, Err(BeginAttemptError::TooManyOperations));
    }
}

#[test]
fn an_order_takes_no_other_code_while_an_ended_one_may_have_been_paid() {
    let mut expired = with_state("EXPIRADO", instant(1));
    expired.contradiction = Some(Contradiction {
        at: instant(2),
        detail: String::new(),
    });
    let refused = order([expired]).begin_attempt(&draft(), &no_limits());
    assert!(matches!(refused, Err(BeginAttemptError::Paid(_))));
}

#[test]
fn an_operation_that_ended_unpaid_counts_for_an_hour() {
    let draft = draft();
    let ended = |before: Duration| OperationRecord {
        changed_at: draft.created_at.saturating_sub(before),
        ..with_state("CANCELADO", draft.created_at)
    };
    let begin = |changed: Vec<OperationRecord>| order(changed).begin_attempt(&draft, &no_limits());
    let lately = Duration::from_secs(3599);
    let full = begin(vec![ended(lately); MAX_OPERATIONS_PER_ORDER]);
    assert_eq!(full, Err(BeginAttemptError::TooManyOperations));
    let long_ago = vec![ended(ENDED_OPERATION_COUNTS_FOR); 4 * MAX_OPERATIONS_PER_ORDER];
    assert_eq!(begin(long_ago), Ok(()));
    // What may still be paid counts for ever.
    let mut waiting = with_state("PENDIENTE", instant(0));
    waiting.live = false;
    let full = begin(vec![waiting; MAX_OPERATIONS_PER_ORDER]);
    assert_eq!(full, Err(BeginAttemptError::TooManyOperations));
}

fn refusal() -> AuthorizationRefusal {
    AuthorizationRefusal::AuthorizationRefused {
        service_status: 400,
        messages: Vec::new(),
    }
}

/// The answer that the claimed key gets.
fn answer(order: &Order) -> Option<Answer> {
    let (ended, answer) = order.effects.answered.clone()?;
    assert_eq!(ended, claim());
    Some(answer)
}

fn doubtful() -> OperationRecord {
    let mut doubt = record();
    doubt.authorization_unknown(&record(), "silence", None, instant(1));
    doubt
}

#[test]
fn an_answer_in_time_spends_the_key_and_a_late_one_does_not() {
    let now = instant(5);
    let mut on_time = order([record()]);
    assert!(on_time.authorized(&record(), &authorized(), None, Cents, &claim(), now));
    assert_eq!(answer(&on_time), Some(Answer::Operation(key(1))));
    let mut late = order([doubtful()]);
    assert!(!late.authorized(&record(), &authorized(), None, Cents, &claim(), now));
    assert_eq!(answer(&late), None);
}

#[test]
fn a_refusal_in_time_spends_the_key_and_a_rejected_token_does_not() {
    let now = instant(5);
    let claim = claim();
    let refused = |operation, refusal: Option<AuthorizationRefusal>| {
        let mut order = order([operation]);
        let refusal = refusal.map(|refusal| (&claim, refusal));
        let on_time = order.authorization_refused(&record(), "no", false, refusal, now);
        (on_time, answer(&order))
    };
    let spent = Some(Answer::Refused(refusal()));
    assert_eq!(refused(record(), Some(refusal())), (true, spent));
    assert_eq!(refused(record(), None), (true, None));
    assert_eq!(refused(doubtful(), Some(refusal())), (false, None));
}

#[test]
fn a_reversal_is_shown_once() {
    let mut reversed = with_state("LIQUIDADO", instant(1));
    let told = crate::operation::fixture::transaction("EXTORNADO", &["EXTORNADO"]);
    crate::operation::fixture::apply(&mut reversed, &told, instant(2));
    reversed.blocked_since = Some(instant(3));
    let mut order = order([reversed, pending()]);
    let shown = order.reversal_was_shown(&key(1), &claim()).unwrap();
    assert_eq!(answer(&order), Some(Answer::Refused(shown)));
    assert!(!order.payments[0].operation.is_reversal_to_show());
    assert_eq!(order.reversal_was_shown(&key(3), &claim()), None);
}

#[test]
fn a_method_that_is_not_offered_begins_nothing_and_ends_no_live_operation() {
    let limits = MethodLimits::parse(r#"{"QR": {"PEN": {"most": 500}}}"#).unwrap();
    let is_refused = |begun| matches!(begun, Err(BeginAttemptError::NotOffered(_)));
    assert!(is_refused(order([]).begin_attempt(&draft(), &limits)));
    let narrowed = |operations: Vec<OperationRecord>| {
        let mut order = order(operations);
        order.facts.methods = Some(vec![PaymentMethodName::Installment]);
        order
    };
    assert!(is_refused(
        narrowed(Vec::new()).begin_attempt(&draft(), &no_limits())
    ));

    // The code of another method stays, and a code of this method is still its answer.
    let live = |method| OperationRecord {
        method,
        live: true,
        ..record()
    };
    let other = live(PaymentMethodName::Installment);
    assert!(is_refused(order([other]).begin_attempt(&draft(), &limits)));
    for mut with_code in [
        order([live(PaymentMethodName::Qr)]),
        narrowed(vec![live(PaymentMethodName::Qr)]),
    ] {
        let begun = with_code.begin_attempt(&draft(), &limits);
        assert!(matches!(begun, Err(BeginAttemptError::Live(_))));
    }

    // What the payer has to know first is said first.
    let paid = order([with_state("LIQUIDADO", instant(0))]).begin_attempt(&draft(), &limits);
    assert!(matches!(paid, Err(BeginAttemptError::Paid(_))));
    let mut closed = order([]);
    closed.closed_at = Some(instant(1));
    assert_eq!(
        closed.begin_attempt(&draft(), &limits),
        Err(BeginAttemptError::Closed)
    );
}
