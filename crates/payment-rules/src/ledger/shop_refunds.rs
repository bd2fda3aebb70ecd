//! Refunds that a program of the shop asks for: the way by which the money goes back, and how far it is.

use super::{Asker, AttemptRecord, Ledger, ReversalRecord};
use payment_model::{PaymentMethodName, RefundState, RefundType, Timestamp, TransactionState};
use serde::Serialize;
use staff_model::{AttemptState, ReversalState};

/// How money goes back to the payer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundWay {
    /// By a refund of the payment service.
    Refund {
        /// Whether the whole payment or a part is refunded.
        kind: RefundType,
        /// In cents.
        amount: u64,
    },
    /// By a reversal of the whole payment, before it is settled.
    Reversal,
}

/// Why no request can give the money back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRefundWay {
    /// No payment of the order is in force, or the named one is not.
    NotPaid,
    /// Several payments are in force, and the request names none.
    SeveralPayments,
    /// More is asked for than these cents, which can still be given back.
    MoreThanIsLeft {
        /// In cents.
        left: u64,
    },
    /// It is not known whether the order is paid, or whether its payment is being given back.
    Unconfirmed,
    /// Staff have to give the money back by other means.
    ByHand(ByHandReason),
}

/// Why staff have to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByHandReason {
    /// The service has no refund for its method, and the payment is settled or a part of it is asked for,
    /// which no reversal gives back.
    MethodNotRefundable,
    /// The payment is not settled, and a reversal gives back the whole amount only, of which a part
    /// is asked for or has gone back.
    NotSettled,
    /// The payment came in cash or by a transfer and is not settled: the merchant did not permit programs to
    /// reverse it, since the specification does not show how that money reaches the payer.
    ReversalNotPermitted,
}

/// How far a refund is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RefundProgress {
    /// The money was given back.
    Made,
    /// The service has the request, or it is on its way.
    Pending,
    /// The outcome is unknown; the amount stays reserved.
    Unknown,
    /// The money was not given back.
    Refused,
    /// The outcome stayed unknown, and staff took it as not given back.
    Released,
}

/// A refund as a program of the shop sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShopRefund {
    /// The id by which the program reads it again.
    pub id: String,
    /// How the money goes back.
    pub way: RefundWay,
    /// In cents.
    pub amount: u64,
    /// How far it is.
    pub progress: RefundProgress,
    /// The reason, in a sentence in English.
    pub detail: String,
    /// When it was asked for; for a reversal, when its last request left.
    pub at: Timestamp,
}

/// True for a payment that does not come from an account to which the service is known to return it.
fn is_cash(method: &PaymentMethodName) -> bool {
    matches!(
        method,
        PaymentMethodName::CashCode | PaymentMethodName::BankTransfer
    )
}

/// What a program reads instead of the reason that staff typed, which may name a person.
const RELEASED: &str = "staff took it as not given back";

impl Ledger {
    /// The way to give this amount back, or everything that is left. One request never gives money back
    /// by two ways. `reverses_cash` permits the reversal of cash codes and transfers.
    ///
    /// # Errors
    /// The reason why no request can.
    pub fn refund_way(
        &self,
        amount: Option<u64>,
        reverses_cash: bool,
    ) -> Result<RefundWay, NoRefundWay> {
        if !self.is_paid() {
            return Err(NoRefundWay::NotPaid);
        }
        if self.pending_reversal().is_some() || self.is_disputed() {
            return Err(NoRefundWay::Unconfirmed);
        }
        let left = self.left();
        let amount = amount.unwrap_or(left);
        if amount == 0 || amount > left {
            return Err(NoRefundWay::MoreThanIsLeft { left });
        }
        let is_whole = amount == self.amount && self.balance().is_untouched();
        match (&self.state, is_whole) {
            (Some(TransactionState::Settled), _) if !self.method.is_refundable() => {
                Err(NoRefundWay::ByHand(ByHandReason::MethodNotRefundable))
            }
            (Some(TransactionState::Settled), true) => Ok(RefundWay::Refund {
                kind: RefundType::Total,
                amount,
            }),
            (Some(TransactionState::Settled), false) => Ok(RefundWay::Refund {
                kind: RefundType::Partial,
                amount,
            }),
            _ if !reverses_cash && is_cash(&self.method) => {
                Err(NoRefundWay::ByHand(ByHandReason::ReversalNotPermitted))
            }
            (_, true) => Ok(RefundWay::Reversal),
            // To wait would help only a payment that the service refunds once it is settled.
            (_, false) => Err(NoRefundWay::ByHand(match self.method.is_refundable() {
                true => ByHandReason::NotSettled,
                false => ByHandReason::MethodNotRefundable,
            })),
        }
    }

    /// The refund that this request began earlier, if it reserved anything.
    pub fn shop_refund_of(&self, asker: &Asker) -> Option<ShopRefund> {
        let mut attempts = self.attempts.iter().rev();
        let attempt = attempts.find(|attempt| attempt.asker == *asker);
        // Only the programs of the operation's store give a key. The member of staff is the last one who
        // repeated the request, and says nothing about who began it.
        let asked = |reversal: &&ReversalRecord| reversal.key.as_ref() == Some(&asker.key);
        let reversal = || self.reversals.iter().rev().find(asked);
        match attempt {
            Some(attempt) => Some(self.shop_refund_by_attempt(attempt)),
            None => reversal().map(shop_refund_by_reversal),
        }
    }

    /// The refund with this id, whoever asked for it.
    pub fn shop_refund(&self, id: &str) -> Option<ShopRefund> {
        let attempt = self.attempts.iter().find(|attempt| attempt.id == id);
        match attempt {
            Some(attempt) => Some(self.shop_refund_by_attempt(attempt)),
            None => self.reversal(id).map(shop_refund_by_reversal),
        }
    }

    fn shop_refund_by_attempt(&self, attempt: &AttemptRecord) -> ShopRefund {
        let listed = self.refund_of(attempt).map(|record| &record.refund.state);
        let progress = match (attempt.state, listed) {
            (_, Some(RefundState::Resolved)) => RefundProgress::Made,
            (_, Some(RefundState::Rejected)) => RefundProgress::Refused,
            (_, Some(RefundState::Unknown(_))) => RefundProgress::Unknown,
            (_, Some(_)) => RefundProgress::Pending,
            (AttemptState::Sending | AttemptState::Registered, None) => RefundProgress::Pending,
            (AttemptState::Refused, None) => RefundProgress::Refused,
            (AttemptState::Released, None) => RefundProgress::Released,
            (AttemptState::InDoubt | AttemptState::Unknown, None) => RefundProgress::Unknown,
        };
        ShopRefund {
            id: attempt.id.clone(),
            way: RefundWay::Refund {
                kind: attempt.kind.clone(),
                amount: attempt.amount,
            },
            amount: attempt.amount,
            progress,
            detail: match attempt.state {
                AttemptState::Released => RELEASED.to_owned(),
                _ => attempt.detail.clone(),
            },
            at: attempt.requested_at,
        }
    }
}

fn shop_refund_by_reversal(reversal: &ReversalRecord) -> ShopRefund {
    ShopRefund {
        id: reversal.id.clone(),
        way: RefundWay::Reversal,
        amount: reversal.amount,
        progress: match reversal.state {
            ReversalState::Sending => RefundProgress::Pending,
            ReversalState::Done => RefundProgress::Made,
            ReversalState::NotDone => RefundProgress::Refused,
            ReversalState::Released => RefundProgress::Released,
            ReversalState::InDoubt | ReversalState::Unknown => RefundProgress::Unknown,
        },
        detail: match reversal.state {
            ReversalState::Released => RELEASED.to_owned(),
            _ => reversal.detail.clone(),
        },
        at: reversal.begun_at,
    }
}

#[cfg(test)]
mod tests {
    use super::{ByHandReason, NoRefundWay, RefundProgress, RefundWay};
    use crate::ledger::fixture::{asker, doubtful, ledger, reserve, reversal};
    use crate::ledger::{
        Asker, Ledger, NewReversal, Purpose, Release, ReserveReversalOutcome, ReversalEnd,
    };
    use crate::operation::fixture::reading;
    use crate::timing::instant;
    use payment_model::{IdempotencyKey, Outcome, PaymentMethodName, RefundType, TransactionState};
    use staff_model::ReversalState;

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
        let shop = asker("shop:a");
        let mut refunded = doubtful("a", 100, instant(0));
        refunded.attempts[0].asker = shop.clone();
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
        let other = Asker {
            key: IdempotencyKey::new("other").unwrap(),
            ..shop.clone()
        };
        assert_eq!(reversed.shop_refund_of(&other), None);
        // Staff repeat it under its id, since its answer was lost.
        let lost = ReversalEnd::InDoubt("no answer".to_owned());
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
        reversed.reversals[0].enter(ReversalState::Released, &release.reason, release.at);
        for (ledger, id) in [(refunded, "a"), (reversed, "r")] {
            let refund = ledger.shop_refund(id).unwrap();
            assert_eq!(refund.progress, RefundProgress::Released);
            assert_eq!(refund.detail, super::RELEASED);
        }
    }
}
