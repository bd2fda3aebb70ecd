//! What members of staff change of an order: refunds, returns by hand, releases of doubts and of a
//! blocked order. Each act leaves an audit record.

use super::{Order, Orders};
use crate::ledger::{
    AttemptRecord, AttemptReleaseError, GivenBack, Ledger, Limits, ListProof, NewRefund, NewReturn,
    Release, ReserveRefundsOutcome, ReturnEnd, ReturnEndError, ReturnError, ReturnRecord,
    ReturnStep, ReversalRecord, ReversalReleaseError, reserve_refunds,
};
use crate::operation::OperationKey;
use crate::staff::AuditRecord;
use crate::timing::Reading;
use payment_model::{Cents, Currency, Timestamp};
use serde::{Deserialize, Serialize};
use staff_model::{AuditAction, AuditFacts, AuditStep, RefundRefusalItem, RefundRefusalReason};

/// How a manual return ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnEndKind {
    /// The money was given back.
    Made,
    /// The money was not given back, and its amount is free again.
    GivenUp,
}

impl Orders {
    /// Reserves all refunds of one request, or none, and begins the only one, which can leave at once. `given_back`
    /// is what the account has given back of each operation, in the order of the refunds.
    pub fn reserve_refunds(
        &mut self,
        refunds: &[NewRefund],
        limits: Limits,
        given_back: &[GivenBack],
        now: Timestamp,
    ) -> ReserveRefundsOutcome {
        let unusable = self.unusable(refunds);
        if !unusable.is_empty() {
            return ReserveRefundsOutcome::Refused(unusable);
        }
        let mut ledgers = self.ledgers_mut(refunds.iter().map(|refund| &refund.key));
        let outcome = reserve_refunds(&mut ledgers, refunds, limits, given_back, now);
        if let ([only], [ledger]) = (refunds, &mut *ledgers)
            && outcome == ReserveRefundsOutcome::Reserved
        {
            ledger.begin(&only.attempt.id, now);
            ledger.plan(now);
        }
        if outcome == ReserveRefundsOutcome::Reserved {
            for refund in refunds {
                self.audit_refund(refund);
            }
        }
        outcome
    }

    /// The refunds that have no ledger of their own. Without them each refund has the ledger in its place.
    fn unusable(&self, refunds: &[NewRefund]) -> Vec<RefundRefusalItem> {
        let reason = |at: usize, refund: &NewRefund| {
            let mut earlier = refunds.iter().take(at);
            if earlier.any(|other| other.key == refund.key) {
                return Some(RefundRefusalReason::Twice);
            }
            let is_there = |order: &Order| order.payment(&refund.key).is_some();
            (!self.0.iter().any(is_there)).then_some(RefundRefusalReason::NotFound)
        };
        let refused = refunds.iter().enumerate().filter_map(|(at, refund)| {
            Some(RefundRefusalItem {
                index: refund.attempt.item,
                merchant_operation_number: refund.key.number.as_str().to_owned(),
                reason: reason(at, refund)?,
                left: None,
            })
        });
        refused.collect()
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
        let staff = &attempt.requester.staff;
        let record = AuditRecord::of_facts(staff, AuditAction::Refund, &refund.key, &facts);
        order.effects.audit.push(record);
    }
}

impl Order {
    /// Reserves a return by hand, or records one that was made.
    ///
    /// # Errors
    /// The rule that it breaks; [`ReturnError::NotPaid`] also for an operation of another order.
    pub fn record_return(
        &mut self,
        key: &OperationKey,
        new: NewReturn,
        now: Timestamp,
    ) -> Result<ReturnRecord, ReturnError> {
        let staff = new.requester.staff.clone();
        let payment = self.payment_mut(key).ok_or(ReturnError::NotPaid)?;
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

    /// Ends a return, or stores the request to end it if that takes two people.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn end_return(
        &mut self,
        key: &OperationKey,
        id: &str,
        kind: ReturnEndKind,
        end: ReturnEnd,
    ) -> Result<ReturnStep, ReturnEndError> {
        let (staff, reason, now) = (end.by.clone(), end.reason.clone(), end.at);
        let ledger = self.ledger_mut(key).ok_or(ReturnEndError::NotFound)?;
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
    ) -> Result<AttemptRecord, AttemptReleaseError> {
        let (staff, reason) = (release.by.clone(), release.reason.clone());
        let ledger = self.ledger_mut(key).ok_or(AttemptReleaseError::NotFound)?;
        let released = ledger.release(id, release, proof, at);
        ledger.plan(at.now);
        let act = match released {
            Ok(_) => "released",
            Err(AttemptReleaseError::SecondPerson) => "asked to release",
            Err(_) => return released,
        };
        let detail = format!("{act} attempt {id}: {reason}");
        self.audit(key, staff, AuditAction::ReleaseAttempt, detail);
        released
    }

    /// Releases the amount of a reversal in doubt, or stores the request to release it if that
    /// takes two people.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn release_reversal(
        &mut self,
        key: &OperationKey,
        id: &str,
        release: Release,
        at: Reading,
    ) -> Result<ReversalRecord, ReversalReleaseError> {
        use ReversalReleaseError as Refusal;
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

/// A request to release the order of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockReleaseRecord {
    /// Since when the operation blocks its order. A later block needs a new request.
    pub blocked_since: Timestamp,
    /// The member of staff who asked first.
    pub asked_by: String,
    /// When that was.
    pub asked_at: Timestamp,
    /// The reason of the first request.
    pub reason: String,
    /// Who released the order, and when.
    pub released: Option<(String, Timestamp)>,
}

/// The result of a request to release an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockReleaseOutcome {
    /// The request is stored and waits for a second person.
    Asked,
    /// A second person released the order. The background still polls the old operation.
    Released,
    /// The person who asked may not release the order as well.
    SamePerson,
    /// The operation does not block its order, or not for long enough.
    NotBlocked,
}

impl Order {
    /// Releases the order if another person asked for it before; otherwise stores the request.
    pub fn release_block(
        &mut self,
        key: &OperationKey,
        staff: &str,
        reason: &str,
        now: Timestamp,
    ) -> BlockReleaseOutcome {
        let blocking = self
            .payment_mut(key)
            .and_then(|payment| Some((payment.operation.long_blocked_since(now)?, payment)));
        let Some((blocked_since, payment)) = blocking else {
            return BlockReleaseOutcome::NotBlocked;
        };
        let asked = payment.block_release.as_mut();
        let (outcome, action) = match asked.filter(|asked| asked.blocked_since == blocked_since) {
            Some(asked) if asked.asked_by == staff => return BlockReleaseOutcome::SamePerson,
            Some(asked) => {
                asked.released = Some((staff.to_owned(), now));
                payment.operation.release_block();
                (BlockReleaseOutcome::Released, AuditAction::ReleaseOrder)
            }
            None => {
                payment.block_release = Some(BlockReleaseRecord {
                    blocked_since,
                    asked_by: staff.to_owned(),
                    asked_at: now,
                    reason: reason.to_owned(),
                    released: None,
                });
                (BlockReleaseOutcome::Asked, AuditAction::AskReleaseOrder)
            }
        };
        self.effects.audit.push(AuditRecord {
            staff: staff.to_owned(),
            action,
            key: Some(key.clone()),
            detail: reason.to_owned(),
        });
        outcome
    }

    /// Ends the watch of an operation about which the service gives no usable answer, with the record of
    /// an exception that was resolved; see `end_watch` of the operation.
    pub fn end_watch(&mut self, key: &OperationKey, resolved: AuditRecord, now: Timestamp) -> bool {
        let payment = self.payment_mut(key);
        let has_ended = payment.is_some_and(|payment| payment.operation.end_watch(now));
        if has_ended {
            self.effects.audit.push(resolved);
        }
        has_ended
    }
}

#[cfg(test)]
mod tests;
