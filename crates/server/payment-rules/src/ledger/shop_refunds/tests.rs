use super::{ByHandReason, NoRefundWay, RefundProgress, RefundWay};
use crate::ledger::fixture::{doubtful, ledger, requester, reserve, reversal};
use crate::ledger::{Ledger, NewReversal, Purpose, Release, Requester, ReserveReversalOutcome};
use crate::operation::fixture::reading;
use crate::outgoing::{Progress, SendFailure};
use crate::timing::instant;
use payment_model::{IdempotencyKey, Outcome, PaymentMethodName, RefundType, TransactionState};

fn authorized() -> Ledger {
    Ledger {
        state: Some(TransactionState::Authorized),
        ..ledger()
    }
}

fn by_qr(ledger: Ledger) -> Ledger {
    Ledger {
        method: PaymentMethodName::Qr,
        ..ledger
    }
}

fn refund(kind: RefundType, amount: u64) -> Result<RefundWay, NoRefundWay> {
    Ok(RefundWay::Refund { kind, amount })
}

#[test]
fn a_settled_payment_is_refunded_and_an_unsettled_one_reversed_as_a_whole() {
    let settled = ledger();
    assert_eq!(
        settled.refund_way(None, false),
        refund(RefundType::Total, 1000)
    );
    assert_eq!(
        settled.refund_way(Some(1000), false),
        refund(RefundType::Total, 1000)
    );
    assert_eq!(
        settled.refund_way(Some(1), false),
        refund(RefundType::Partial, 1)
    );
    for unsettled in [authorized(), by_qr(authorized())] {
        for whole in [None, Some(1000)] {
            assert_eq!(unsettled.refund_way(whole, false), Ok(RefundWay::Reversal));
        }
    }
    let by_hand = |reason| Err(NoRefundWay::ByHand(reason));
    let part_of = |ledger: Ledger| ledger.refund_way(Some(999), false);
    assert_eq!(part_of(authorized()), by_hand(ByHandReason::NotSettled));
    let never = by_hand(ByHandReason::MethodNotRefundable);
    assert_eq!(part_of(by_qr(authorized())), never);
    let by_hand = Err(NoRefundWay::ByHand(ByHandReason::MethodNotRefundable));
    assert_eq!(by_qr(ledger()).refund_way(None, false), by_hand);
}

#[test]
fn what_was_paid_in_cash_or_by_transfer_is_reversed_only_where_that_is_permitted() {
    for method in [PaymentMethodName::CashCode, PaymentMethodName::BankTransfer] {
        let unsettled = Ledger {
            method: method.clone(),
            ..authorized()
        };
        for amount in [None, Some(1000), Some(1)] {
            let by_hand = NoRefundWay::ByHand(ByHandReason::ReversalNotPermitted);
            assert_eq!(unsettled.refund_way(amount, false), Err(by_hand));
        }
        assert_eq!(unsettled.refund_way(None, true), Ok(RefundWay::Reversal));
        let by_hand = Err(NoRefundWay::ByHand(ByHandReason::MethodNotRefundable));
        assert_eq!(unsettled.refund_way(Some(1), true), by_hand);
        let settled = Ledger { method, ..ledger() };
        assert_eq!(settled.refund_way(None, false), by_hand);
    }
}

#[test]
fn the_rest_is_what_no_other_refund_has_taken() {
    let mut settled = ledger();
    reserve(&mut settled, "a", 300, instant(0));
    assert_eq!(
        settled.refund_way(None, false),
        refund(RefundType::Partial, 700)
    );
    let more = Err(NoRefundWay::MoreThanIsLeft { left: 700 });
    assert_eq!(settled.refund_way(Some(701), false), more);
    reserve(&mut settled, "b", 700, instant(0));
    let nothing = Err(NoRefundWay::MoreThanIsLeft { left: 0 });
    assert_eq!(settled.refund_way(None, false), nothing);
    assert_eq!(
        ledger().refund_way(Some(0), false),
        Err(NoRefundWay::MoreThanIsLeft { left: 1000 })
    );
}

#[test]
fn money_of_unknown_whereabouts_is_not_given_back_by_another_way() {
    let mut reversing = authorized();
    reversing.reserve_reversal(
        reversal("r", Purpose::Reverse, instant(0)),
        reading(instant(0)),
    );
    assert_eq!(
        reversing.refund_way(None, false),
        Err(NoRefundWay::Unconfirmed)
    );
    let disputed = Ledger {
        contradicted: true,
        ..ledger()
    };
    assert_eq!(
        disputed.refund_way(None, false),
        Err(NoRefundWay::Unconfirmed)
    );
    let doubtful = doubtful("a", 1000, instant(0));
    let nothing = Err(NoRefundWay::MoreThanIsLeft { left: 0 });
    assert_eq!(doubtful.refund_way(None, false), nothing);
    let unpaid = Ledger {
        outcome: Some(Outcome::Reversed),
        ..ledger()
    };
    assert_eq!(unpaid.refund_way(None, false), Err(NoRefundWay::NotPaid));
}

#[test]
fn a_repeated_request_finds_what_it_began_by_either_way() {
    let shop = requester("shop:a");
    let mut refunded = doubtful("a", 100, instant(0));
    refunded.attempts[0].requester = shop.clone();
    let found = refunded.shop_refund_of(&shop).unwrap();
    assert_eq!((found.id.as_str(), found.amount), ("a", 100));
    assert_eq!(found.progress, RefundProgress::Unknown);
    assert_eq!(refunded.shop_refund("a"), Some(found));

    let mut reversed = authorized();
    let new = NewReversal {
        staff: Some(shop.staff.clone()),
        key: Some(shop.key.clone()),
        ..reversal("r", Purpose::Reverse, instant(0))
    };
    reversed.reserve_reversal(new, reading(instant(0)));
    let found = reversed.shop_refund_of(&shop).unwrap();
    assert_eq!((found.way, found.amount), (RefundWay::Reversal, 1000));
    assert_eq!(found.progress, RefundProgress::Pending);
    let other = Requester {
        key: IdempotencyKey::new("other").unwrap(),
        ..shop.clone()
    };
    assert_eq!(reversed.shop_refund_of(&other), None);
    // Staff repeat it under its id, since its answer was lost.
    let lost = SendFailure::NoAnswer.because("no answer");
    reversed.end_reversal("r", lost, reading(instant(1)));
    let again = NewReversal {
        staff: Some("ana".to_owned()),
        ..reversal("another", Purpose::Reverse, instant(2))
    };
    let shared = reversed.reserve_reversal(again, reading(instant(2)));
    assert_eq!(shared, ReserveReversalOutcome::Created("r".to_owned()));
    assert_eq!(reversed.shop_refund_of(&shop).unwrap().id, "r");
}

#[test]
fn a_program_of_the_shop_does_not_read_what_staff_wrote() {
    let release = Release {
        by: "bea".to_owned(),
        at: instant(9),
        reason: "Ana Quispe says that nothing came".to_owned(),
    };
    let mut refunded = doubtful("a", 100, instant(0));
    refunded.attempts[0].released(release.clone());
    let mut reversed = authorized();
    reversed.reserve_reversal(
        reversal("r", Purpose::Reverse, instant(0)),
        reading(instant(0)),
    );
    reversed.reversals[0].move_to(Progress::Released, &release.reason, release.at);
    for (ledger, id) in [(refunded, "a"), (reversed, "r")] {
        let refund = ledger.shop_refund(id).unwrap();
        assert_eq!(refund.progress, RefundProgress::Released);
        assert_eq!(refund.detail, super::RELEASED);
    }
}
