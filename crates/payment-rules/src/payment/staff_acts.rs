//! What members of staff change of a payment's money, each act with its audit record.

use super::{Order, Orders};
use crate::audit::AuditRecord;
use crate::ledger::{
    AttemptRecord, GivenBack, Ledger, Limits, ListProof, NewRefund, NewReturn, Release,
    ReleaseRefusal, ReserveRefundsOutcome, ReturnEnd, ReturnEndRefusal, ReturnRecord,
    ReturnRefusal, ReturnStep, ReversalRecord, ReversalReleaseRefusal, reserve_refunds,
};
use crate::operation::OperationKey;
use crate::reading::Reading;
use payment_model::{Cents, Currency, Timestamp};
use staff_model::{AuditAction, AuditFacts, AuditStep};

/// How a manual return ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnEndKind {
    Made,
    GivenUp,
}

impl Orders {
    /// Reserves the refunds of one request, all or none. `given_back` is what the account has given
    /// back of each operation, in the order of the refunds.
    pub fn reserve_refunds(
        &mut self,
        refunds: &[NewRefund],
        limits: Limits,
        given_back: &[GivenBack],
        now: Timestamp,
    ) -> ReserveRefundsOutcome {
        let mut ledgers = self.ledgers_mut(refunds.iter().map(|refund| &refund.key));
        let outcome = reserve_refunds(&mut ledgers, refunds, limits, given_back, now);
        if outcome == ReserveRefundsOutcome::Reserved {
            for refund in refunds {
                self.audit_refund(refund);
            }
        }
        outcome
    }

    fn audit_refund(&mut self, refund: &NewRefund) {
        let Some(order) = self.order_mut(&refund.key) else {
            return;
        };
        let ledger = order.payment(&refund.key).map(|payment| &payment.ledger);
        let attempt = &refund.attempt;
        let facts = AuditFacts {
            kind: Some(attempt.kind.clone()),
            amount: Some(Cents::new(attempt.amount)),
            currency: ledger.map(|ledger| Currency::new(&*ledger.currency)),
            id: Some(attempt.id.clone()),
            ..AuditFacts::new(AuditStep::Asked)
        };
        let staff = &attempt.asker.staff;
        let record = AuditRecord::of_facts(staff, AuditAction::Refund, &refund.key, &facts);
        order.effects.audit.push(record);
    }
}

impl Order {
    /// Reserves a return by hand, or records one that was made.
    ///
    /// # Errors
    /// The rule that it breaks; [`ReturnRefusal::NotPaid`] also for an operation of another order.
    pub fn record_return(
        &mut self,
        key: &OperationKey,
        new: NewReturn,
        now: Timestamp,
    ) -> Result<ReturnRecord, ReturnRefusal> {
        let staff = new.asker.staff.clone();
        let payment = self.payment_mut(key).ok_or(ReturnRefusal::NotPaid)?;
        let record = payment.ledger.give_back(new, now)?;
        payment.ledger.plan(now);
        let facts = AuditFacts {
            amount: Some(Cents::new(record.amount)),
            currency: Some(Currency::new(&*payment.ledger.currency)),
            id: Some(record.id.clone()),
            reason: Some(record.reason.clone()),
            ..AuditFacts::new(if record.already_made {
                AuditStep::Done
            } else {
                AuditStep::Asked
            })
        };
        let act = AuditRecord::of_facts(&staff, AuditAction::Return, key, &facts);
        self.effects.audit.push(act);
        Ok(record)
    }

    /// Ends a return, or stores the request for its end where that takes two people.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn end_return(
        &mut self,
        key: &OperationKey,
        id: &str,
        kind: ReturnEndKind,
        end: ReturnEnd,
    ) -> Result<ReturnStep, ReturnEndRefusal> {
        let (staff, reason, now) = (end.by.clone(), end.reason.clone(), end.at);
        let ledger = self.ledger_mut(key).ok_or(ReturnEndRefusal::NotFound)?;
        let step = match kind {
            ReturnEndKind::Made => ledger.return_was_made(id, end),
            ReturnEndKind::GivenUp => ledger.give_return_up(id, end),
        }?;
        ledger.plan(now);
        let act = match (&step, kind) {
            (ReturnStep::Ended(_), ReturnEndKind::Made) => (AuditAction::ReturnDone, "was made"),
            (ReturnStep::Ended(_), ReturnEndKind::GivenUp) => {
                (AuditAction::ReturnGivenUp, "was given up")
            }
            (ReturnStep::Asked(_), _) => (AuditAction::AskReturnGivenUp, "is to be given up"),
            (ReturnStep::Repeated(_), _) => return Ok(step),
        };
        let detail = format!("return {id} {}: {reason}", act.1);
        self.audit(key, staff, act.0, detail);
        Ok(step)
    }

    /// Releases the amount of a refund attempt in doubt.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn release_refund_attempt(
        &mut self,
        key: &OperationKey,
        id: &str,
        release: Release,
        proof: ListProof,
        at: Reading,
    ) -> Result<AttemptRecord, ReleaseRefusal> {
        let (staff, reason) = (release.by.clone(), release.reason.clone());
        let ledger = self.ledger_mut(key).ok_or(ReleaseRefusal::NotFound)?;
        let released = ledger.release(id, release, proof, at)?;
        ledger.plan(at.now);
        let detail = format!("released attempt {id}: {reason}");
        self.audit(key, staff, AuditAction::ReleaseAttempt, detail);
        Ok(released)
    }

    /// Releases the amount of a reversal in doubt, or stores the request for it where that takes two
    /// people.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn release_reversal(
        &mut self,
        key: &OperationKey,
        id: &str,
        release: Release,
        at: Reading,
    ) -> Result<ReversalRecord, ReversalReleaseRefusal> {
        use ReversalReleaseRefusal as Refusal;
        let (staff, reason) = (release.by.clone(), release.reason.clone());
        let ledger = self.ledger_mut(key).ok_or(Refusal::NotFound)?;
        let released = ledger.release_reversal(id, release, at);
        ledger.plan(at.now);
        let act = match released {
            Ok(_) => "released",
            Err(Refusal::SecondPerson) => "asked to release",
            Err(_) => return released,
        };
        let detail = format!("{act} reversal {id}: {reason}");
        self.audit(key, staff, AuditAction::ReleaseReversal, detail);
        released
    }

    fn ledger_mut(&mut self, key: &OperationKey) -> Option<&mut Ledger> {
        Some(&mut self.payment_mut(key)?.ledger)
    }

    fn audit(&mut self, key: &OperationKey, staff: String, action: AuditAction, detail: String) {
        self.effects.audit.push(AuditRecord {
            staff,
            action,
            key: Some(key.clone()),
            detail,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::ReturnEndKind;
    use crate::ledger::fixture::{asker, doubtful, proof, returned, reversal};
    use crate::ledger::{
        GivenBack, Limits, NewAttempt, NewRefund, Purpose, Release, ReleaseRefusal,
        ReserveRefundsOutcome, ReturnEnd, ReturnEndRefusal, ReturnRefusal, ReversalEnd,
        ReversalReleaseRefusal,
    };
    use crate::operation::OperationRecord;
    use crate::operation::fixture::{pending, reading, with_state};
    use crate::payment::fixture::{key, order};
    use crate::payment::{Order, Orders};
    use crate::reading::instant;
    use payment_model::{PaymentMethodName, RefundType, TransactionId};
    use staff_model::AuditAction;

    fn settled() -> OperationRecord {
        OperationRecord {
            method: PaymentMethodName::Installment,
            ..with_state("LIQUIDADO", instant(0))
        }
    }

    fn release(by: &str) -> Release {
        Release {
            by: by.to_owned(),
            at: instant(500),
            reason: "why".to_owned(),
        }
    }

    /// The acts on record, each with the end of its details.
    fn acts(order: &Order) -> Vec<(AuditAction, &str)> {
        let audit = order.effects.audit.iter();
        audit
            .map(|record| (record.action.clone(), record.detail.as_str()))
            .collect()
    }

    fn refund(number: usize, item: u32, amount: u64) -> NewRefund {
        NewRefund {
            key: key(number),
            attempt: NewAttempt {
                id: format!("attempt-{item}"),
                kind: RefundType::Partial,
                amount,
                asker: asker("ana"),
                item,
            },
            transaction_id: TransactionId::new("t"),
            looked_at: instant(10),
        }
    }

    #[test]
    fn refunds_of_several_operations_are_reserved_and_recorded_together() {
        let mut orders = Orders(vec![order([settled(), settled()])]);
        let refunds = [refund(2, 0, 300), refund(1, 1, 200)];
        let given_back = [GivenBack::default(); 2];
        let limits = Limits::default();
        let outcome = orders.reserve_refunds(&refunds, limits, &given_back, instant(20));
        assert_eq!(outcome, ReserveRefundsOutcome::Reserved);
        let [order] = &orders.0[..] else { panic!() };
        assert_eq!(order.ledger(&key(1)).unwrap().left(), 38_500);
        assert_eq!(order.ledger(&key(2)).unwrap().left(), 38_400);
        let recorded: Vec<_> = order.effects.audit.iter().map(|one| &one.key).collect();
        assert_eq!(recorded, [&Some(key(2)), &Some(key(1))]);
        let details = &order.effects.audit[0].detail;
        assert!(
            details.contains("attempt-0") && details.contains("300"),
            "{details}"
        );
    }

    #[test]
    fn a_refused_refund_leaves_no_record() {
        let mut orders = Orders(vec![order([settled()])]);
        let too_much = [refund(1, 0, 38_701)];
        let given_back = [GivenBack::default()];
        let outcome =
            orders.reserve_refunds(&too_much, Limits::default(), &given_back, instant(20));
        assert!(matches!(outcome, ReserveRefundsOutcome::Refused(_)));
        assert_eq!(orders.0[0].effects.audit, []);
    }

    #[test]
    fn a_return_is_recorded_with_its_act() {
        let mut paid = order([with_state("AUTORIZADO", instant(0))]);
        let recorded = paid.record_return(&key(1), returned("ret", 300, false), instant(1));
        assert_eq!(recorded.unwrap().amount, 300);
        assert_eq!(paid.ledger(&key(1)).unwrap().left(), 38_400);
        assert_eq!(acts(&paid)[0].0, AuditAction::Return);
        assert!(acts(&paid)[0].1.contains("ret"));
        let mut open = order([pending()]);
        let refused = open.record_return(&key(1), returned("ret", 300, false), instant(1));
        assert_eq!(refused, Err(ReturnRefusal::NotPaid));
        let elsewhere = open.record_return(&key(2), returned("ret", 300, false), instant(1));
        assert_eq!(elsewhere, Err(ReturnRefusal::NotPaid));
        assert_eq!(acts(&open), []);
    }

    #[test]
    fn each_end_of_a_return_has_its_act() {
        let end = |by: &str| ReturnEnd {
            by: by.to_owned(),
            at: instant(2),
            reason: "why".to_owned(),
        };
        let ended = |kind, by: &[&str]| {
            let mut order = order([with_state("AUTORIZADO", instant(0))]);
            let new = returned("ret", 300, false);
            order.record_return(&key(1), new, instant(1)).unwrap();
            order.effects.audit.clear();
            for by in by {
                order.end_return(&key(1), "ret", kind, end(by)).unwrap();
            }
            let acts = order.effects.audit.into_iter();
            acts.map(|one| (one.action, one.detail)).collect::<Vec<_>>()
        };
        let made = (
            AuditAction::ReturnDone,
            "return ret was made: why".to_owned(),
        );
        // A repetition is no act.
        assert_eq!(ended(ReturnEndKind::Made, &["ana", "ana"]), [made]);
        let detail = "return ret was given up: why".to_owned();
        let given_up = (AuditAction::ReturnGivenUp, detail);
        let by_one = ended(ReturnEndKind::GivenUp, &["ana"]);
        assert_eq!(by_one, std::slice::from_ref(&given_up));
        let detail = "return ret is to be given up: why".to_owned();
        let asked = (AuditAction::AskReturnGivenUp, detail);
        let both = ended(ReturnEndKind::GivenUp, &["bea", "ana"]);
        assert_eq!(both, [asked, given_up]);
        let mut none = order([pending()]);
        let missing = none.end_return(&key(1), "ret", ReturnEndKind::Made, end("ana"));
        assert_eq!(missing, Err(ReturnEndRefusal::NotFound));
    }

    #[test]
    fn a_released_refund_attempt_has_its_act_and_a_refused_release_none() {
        let mut order = order([settled()]);
        order.payments[0].ledger = doubtful("attempt", 100, instant(1));
        let at = reading(instant(500));
        let same = order.release_refund_attempt(&key(1), "attempt", release("ana"), proof(), at);
        assert_eq!(same, Err(ReleaseRefusal::SamePerson));
        assert_eq!(acts(&order), []);
        let other = order.release_refund_attempt(&key(1), "attempt", release("bea"), proof(), at);
        assert!(other.is_ok());
        let act = (AuditAction::ReleaseAttempt, "released attempt attempt: why");
        assert_eq!(acts(&order), [act]);
        let missing = order.release_refund_attempt(&key(2), "attempt", release("bea"), proof(), at);
        assert_eq!(missing, Err(ReleaseRefusal::NotFound));
    }

    #[test]
    fn a_reversal_beside_a_payment_is_released_by_two() {
        let mut order = order([pending()]);
        let cancel = reversal("cancel", Purpose::Cancel, instant(0));
        let ledger = &mut order.payments[0].ledger;
        ledger.reserve_reversal(cancel, reading(instant(0)));
        let doubt = ReversalEnd::InDoubt("silence".to_owned());
        ledger.end_reversal("cancel", doubt, reading(instant(1)));
        ledger.outcome = Some(payment_model::Outcome::Paid);
        let at = reading(instant(500));
        let asked = order.release_reversal(&key(1), "cancel", release("ana"), at);
        assert_eq!(asked, Err(ReversalReleaseRefusal::SecondPerson));
        let again = order.release_reversal(&key(1), "cancel", release("ana"), at);
        assert_eq!(again, Err(ReversalReleaseRefusal::SamePerson));
        assert!(
            order
                .release_reversal(&key(1), "cancel", release("bea"), at)
                .is_ok()
        );
        let released = |act| (AuditAction::ReleaseReversal, act);
        let expected = [
            released("asked to release reversal cancel: why"),
            released("released reversal cancel: why"),
        ];
        assert_eq!(acts(&order), expected);
    }
}
