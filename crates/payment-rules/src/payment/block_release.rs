//! Releases an order that its live operation blocks: one member of staff asks for it, and another
//! one does it.

use super::Order;
use crate::audit::AuditRecord;
use crate::operation::OperationKey;
use payment_model::Timestamp;
use staff_model::AuditAction;

/// A request to release the order of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockReleaseRecord {
    /// Since when the operation blocks its order; a later block needs a request of its own.
    pub blocked_since: Timestamp,
    pub asked_by: String,
    pub asked_at: Timestamp,
    pub reason: String,
    /// Who released the order, and when.
    pub released: Option<(String, Timestamp)>,
}

/// The result of a request to release an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockReleaseOutcome {
    /// The request is stored and waits for a second person.
    Asked,
    /// A second person released the order; the background goes on watching the old code.
    Released,
    /// The person who asked may not release the order as well.
    SamePerson,
    /// The operation blocks no order, or not for long enough.
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
}

#[cfg(test)]
mod tests {
    use super::BlockReleaseOutcome as Outcome;
    use crate::operation::fixture::pending;
    use crate::payment::Order;
    use crate::payment::fixture::{key, order};
    use crate::reading::instant;
    use staff_model::AuditAction;

    const LATER: i64 = 3_600_000;

    /// An order that its operation has blocked since an instant.
    fn blocked(since: i64) -> Order {
        let mut blocking = pending();
        blocking.block(instant(since));
        order([blocking])
    }

    fn ask(order: &mut Order, staff: &str) -> Outcome {
        order.release_block(&key(1), staff, "why", instant(LATER))
    }

    fn acts(order: &Order) -> Vec<AuditAction> {
        let audit = order.effects.audit.iter();
        audit.map(|record| record.action.clone()).collect()
    }

    #[test]
    fn one_person_asks_and_another_one_releases() {
        let mut order = blocked(0);
        assert_eq!(ask(&mut order, "ana"), Outcome::Asked);
        assert!(order.payments[0].operation.live);
        assert_eq!(ask(&mut order, "ana"), Outcome::SamePerson);
        assert_eq!(ask(&mut order, "bea"), Outcome::Released);
        assert!(!order.payments[0].operation.live);
        let released = order.payments[0].block_release.as_ref().unwrap();
        assert_eq!(released.asked_by, "ana");
        assert_eq!(released.released, Some(("bea".to_owned(), instant(LATER))));
        let expected = [AuditAction::AskReleaseOrder, AuditAction::ReleaseOrder];
        assert_eq!(acts(&order), expected);
        assert_eq!(ask(&mut order, "ana"), Outcome::NotBlocked);
    }

    #[test]
    fn a_later_block_needs_a_request_of_its_own() {
        let mut order = blocked(0);
        ask(&mut order, "ana");
        order.payments[0].operation.blocked_since = Some(instant(1));
        assert_eq!(ask(&mut order, "bea"), Outcome::Asked);
    }

    #[test]
    fn a_block_that_is_young_or_of_another_order_is_not_released() {
        let mut young = blocked(LATER);
        assert_eq!(ask(&mut young, "ana"), Outcome::NotBlocked);
        let mut other = blocked(0);
        let outcome = other.release_block(&key(2), "ana", "why", instant(LATER));
        assert_eq!(outcome, Outcome::NotBlocked);
        assert_eq!(acts(&other), []);
    }
}
