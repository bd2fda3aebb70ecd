//! The requests that give money back, as the store lists them beside the documents: by their ids, for the limits of an
//! account, and by their state.

use super::Payment;
use crate::ledger::{AttemptRecord, Purpose, ReturnRecord, ReversalRecord};
use payment_model::{IdempotencyKey, Outcome, RefundState, Timestamp};
use staff_model::{AttemptState, ReturnState, ReversalState};

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// A refund by the payment service.
    Refund,
    /// A return by hand.
    Return,
    /// A cancellation or a reversal of the operation.
    Reversal,
}

impl RequestKind {
    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Refund => "refund",
            Self::Return => "return",
            Self::Reversal => "reversal",
        }
    }
}

/// How a request counts towards the limits of the account that asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// It gave nothing back, or no account asked for it.
    No,
    /// It gave its amount back, or may have.
    Yes,
    /// It may have given its amount back, and the account may ask for it again without counting twice.
    UnlessRepeated,
}

/// A request of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRow {
    /// Its random id.
    pub id: String,
    /// What it asks for.
    pub kind: RequestKind,
    /// The account that asked for it; `None` for a payer and for the server itself.
    pub staff: Option<String>,
    /// The idempotency key of the account's request.
    pub key: Option<IdempotencyKey>,
    /// When it was asked for; of a reversal, when it last left.
    pub at: Timestamp,
    /// When it left; `None` before that, and for a return by hand.
    pub begun_at: Option<Timestamp>,
    /// In cents.
    pub amount: u64,
    /// The word of its state.
    pub state: &'static str,
    /// How it counts towards the limits of the account.
    pub counted: Counted,
}

impl Payment {
    /// All requests that give its money back.
    pub fn requests(&self) -> Vec<RequestRow> {
        let ledger = &self.ledger;
        let refunds = ledger.attempts.iter().map(|own| self.refund(own));
        let returns = ledger.returns.iter().map(returned);
        let reversals = ledger.reversals.iter().map(|own| self.reversal(own));
        refunds.chain(returns).chain(reversals).collect()
    }

    fn refund(&self, attempt: &AttemptRecord) -> RequestRow {
        let is_rejected = self.ledger.refunds.iter().any(|record| {
            record.refund.state == RefundState::Rejected
                && Some(&record.refund.refund_id) == attempt.refund_id.as_ref()
        });
        let gives_back = match attempt.state {
            AttemptState::Sending | AttemptState::InDoubt => true,
            AttemptState::Registered => !is_rejected,
            AttemptState::Refused | AttemptState::Released | AttemptState::Unknown => false,
        };
        RequestRow {
            id: attempt.id.clone(),
            kind: RequestKind::Refund,
            staff: Some(attempt.requester.staff.clone()),
            key: Some(attempt.requester.key.clone()),
            at: attempt.requested_at,
            begun_at: attempt.begun_at,
            amount: attempt.amount,
            state: attempt.state.as_str(),
            counted: if gives_back {
                Counted::Yes
            } else {
                Counted::No
            },
        }
    }

    fn reversal(&self, own: &ReversalRecord) -> RequestRow {
        let is_reversed = self.operation.outcome() == Some(Outcome::Reversed);
        let counted = match own.state {
            _ if own.staff.is_none() => Counted::No,
            ReversalState::Done if is_reversed => Counted::Yes,
            ReversalState::Sending | ReversalState::InDoubt if own.purpose == Purpose::Reverse => {
                Counted::UnlessRepeated
            }
            _ => Counted::No,
        };
        RequestRow {
            id: own.id.clone(),
            kind: RequestKind::Reversal,
            staff: own.staff.clone(),
            key: own.key.clone(),
            at: own.begun_at,
            begun_at: Some(own.begun_at),
            amount: own.amount,
            state: own.state.as_str(),
            counted,
        }
    }

    /// True when this payment has reserved money that it had not reserved before, for a request that is still to be carried
    /// out. What the service or staff tell is no such request: it is recorded whatever is left.
    pub fn reserves_more_than(&self, before: Option<&Self>) -> bool {
        let reserving = |payment: &Self| {
            let ledger = &payment.ledger;
            let attempts = ledger.attempts.iter();
            let attempts = attempts.filter(|own| own.state == AttemptState::Sending);
            let returns = ledger.returns.iter();
            let returns = returns.filter(|own| own.state == ReturnState::Open && !own.already_made);
            let reversals = ledger.reversals.iter();
            let reversals = reversals.filter(|own| own.state == ReversalState::Sending);
            let ids = attempts
                .map(|own| &own.id)
                .chain(returns.map(|own| &own.id));
            ids.chain(reversals.map(|own| &own.id))
                .cloned()
                .collect::<Vec<_>>()
        };
        let known = before.map(reserving).unwrap_or_default();
        reserving(self).iter().any(|id| !known.contains(id))
    }

    /// Everything that was given back, is reserved or may have been given back, in cents, with a cancellation on its way.
    pub fn gone(&self) -> u64 {
        let pending = self.ledger.pending_reversal();
        let reversal = pending.map_or(0, |pending| pending.amount);
        self.ledger.balance().gone().saturating_add(reversal)
    }

    /// True when nothing about it is under way, so that its payer may be forgotten: unfinished work needs the payer, or the
    /// service would report the payer again.
    pub fn is_finished(&self) -> bool {
        let ledger = &self.ledger;
        let is_listed = |attempt: &AttemptRecord| {
            let refunds = ledger.refunds.iter();
            let mut ids = refunds.map(|record| &record.refund.refund_id);
            ids.any(|id| Some(id) == attempt.refund_id.as_ref())
        };
        let attempts = ledger.attempts.iter().all(|own| match own.state {
            AttemptState::Sending | AttemptState::InDoubt => false,
            AttemptState::Registered => is_listed(own),
            AttemptState::Refused | AttemptState::Released | AttemptState::Unknown => true,
        });
        let refunds = ledger.refunds.iter().all(|record| {
            matches!(
                record.refund.state,
                RefundState::Resolved | RefundState::Rejected
            )
        });
        let returns = ledger
            .returns
            .iter()
            .all(|own| own.state != ReturnState::Open);
        let is_answered = !self.operation.awaits_answer() && !self.operation.live;
        is_answered && attempts && refunds && returns && ledger.pending_reversal().is_none()
    }
}

fn returned(own: &ReturnRecord) -> RequestRow {
    let given_up = own.state == ReturnState::GivenUp;
    RequestRow {
        id: own.id.clone(),
        kind: RequestKind::Return,
        staff: Some(own.requester.staff.clone()),
        key: Some(own.requester.key.clone()),
        at: own.at,
        begun_at: None,
        amount: own.amount,
        state: own.state.as_str(),
        counted: if given_up { Counted::No } else { Counted::Yes },
    }
}

#[cfg(test)]
mod tests {
    use super::{Counted, Payment};
    use crate::ledger::fixture::{echo, reserve, returned, reversal};
    use crate::ledger::{Ledger, LedgerEntries, NewReversal, Purpose};
    use crate::operation::fixture::{reading, with_state};
    use crate::service_answers::AmountUnits::Cents;
    use crate::timing::instant;

    fn paid() -> Payment {
        let operation = with_state("LIQUIDADO", instant(1));
        let operation = crate::operation::OperationRecord {
            live: false,
            ..operation
        };
        let ledger = Ledger::new(&operation, LedgerEntries::default());
        Payment::new(operation, ledger)
    }

    fn counted(payment: &Payment) -> Vec<Counted> {
        payment.requests().iter().map(|row| row.counted).collect()
    }

    #[test]
    fn a_refund_counts_until_the_service_rejects_it() {
        let mut payment = paid();
        assert!(payment.is_finished());
        reserve(&mut payment.ledger, "a", 100, instant(1));
        assert_eq!(counted(&payment), [Counted::Yes]);
        assert!(!payment.is_finished());
        let listed = |state| [echo("r", "a", state, "100")];
        payment
            .ledger
            .merge_refunds(&listed("REGISTERED"), Cents, instant(2));
        assert_eq!(
            (counted(&payment), payment.is_finished()),
            (vec![Counted::Yes], false)
        );
        payment
            .ledger
            .merge_refunds(&listed("REJECTED"), Cents, instant(3));
        assert_eq!(
            (counted(&payment), payment.is_finished()),
            (vec![Counted::No], true)
        );
    }

    #[test]
    fn a_reversal_counts_once_however_often_it_is_asked_for() {
        let mut payment = paid();
        let new = NewReversal {
            staff: Some("ana".to_owned()),
            ..reversal("v", Purpose::Reverse, instant(1))
        };
        payment.ledger.reserve_reversal(new, reading(instant(1)));
        assert_eq!(counted(&payment), [Counted::UnlessRepeated]);
        assert!(!payment.is_finished());
        let staff = payment.ledger.reversals[0].staff.take();
        assert_eq!(counted(&payment), [Counted::No], "nobody's limit");
        payment.ledger.reversals[0].staff = staff;
        payment.ledger.reversals[0].purpose = Purpose::Cancel;
        assert_eq!(counted(&payment), [Counted::No], "nothing was paid");
    }

    #[test]
    fn only_a_request_that_is_still_to_be_carried_out_reserves() {
        let before = paid();
        let changed = |change: fn(&mut Ledger)| {
            let mut payment = before.clone();
            change(&mut payment.ledger);
            payment.reserves_more_than(Some(&before))
        };
        assert!(!changed(|_| {}));
        assert!(changed(|ledger| reserve(ledger, "a", 1, instant(1))));
        assert!(changed(|ledger| drop(
            ledger.give_back(returned("m", 1, false), instant(1))
        )));
        assert!(!changed(|ledger| drop(
            ledger.give_back(returned("m", 1, true), instant(1))
        )));
        assert!(!changed(|ledger| {
            ledger.merge_refunds(&[echo("r", "a", "RESOLVED", "100")], Cents, instant(2));
        }));
        let mut sending = before.clone();
        reserve(&mut sending.ledger, "a", 1, instant(1));
        assert!(!sending.reserves_more_than(Some(&sending.clone())));
        assert_eq!(sending.gone(), 1);
    }
}
