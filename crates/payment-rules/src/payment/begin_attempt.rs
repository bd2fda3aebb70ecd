//! Decides whether an order may have another attempt to pay: at most one code is payable at a time, and
//! none beside a payment, or beside a doubt that the attempt itself left.

use super::{Order, Payment};
use crate::ledger::{Ledger, LedgerEntries};
use crate::operation::{OperationRecord, Phase};
use crate::order::{MOST_DOUBTS, MOST_OPERATIONS, OrderFacts};

/// Why an order takes no new attempt to pay now.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BeginAttemptError {
    #[error("the order is paid")]
    Paid(Box<OperationRecord>),
    /// The payer can pay this operation, or it must be withdrawn first.
    #[error("the order has a live operation")]
    Live(Box<OperationRecord>),
    /// The order is older than the last restore, and may have been paid since the backup.
    #[error("the order is older than the last restore")]
    Fenced,
    /// The attempt was drafted from facts that the shop has replaced since.
    #[error("the order costs something else by now")]
    OrderChanged,
    /// A payment of the order was given back while the payer asked for another code. The payer has to
    /// see that first.
    #[error("a payment of the order was given back")]
    GivenBack(Box<OperationRecord>),
    /// An earlier request of the same attempt may have sent the payer a code, which can be paid.
    #[error("the attempt may have a code already")]
    OwnCodeInDoubt(Box<OperationRecord>),
    /// Whether earlier operations exist at the payment service is being found out. Another one would
    /// only add a doubt.
    #[error("earlier operations of the order are in doubt")]
    DoubtsOpen,
    #[error("the order has as many operations as an order may have")]
    TooManyOperations,
}

impl Order {
    /// Adds the drafted operation as the order's only live one. It takes the place of an operation
    /// with the same number, whose request never left.
    ///
    /// # Errors
    /// The first reason against it; the order is unchanged.
    pub fn begin_attempt(&mut self, draft: &OperationRecord) -> Result<(), BeginAttemptError> {
        self.may_begin_attempt(draft)?;
        self.payments
            .retain(|payment| payment.operation.key != draft.key);
        let ledger = Ledger::new(draft, LedgerEntries::default());
        self.payments.push(Payment::new(draft.clone(), ledger));
        Ok(())
    }

    fn may_begin_attempt(&self, draft: &OperationRecord) -> Result<(), BeginAttemptError> {
        use BeginAttemptError as Error;
        if let Some(paid) = self.first_changed(OperationRecord::is_paid) {
            return Err(Error::Paid(paid));
        }
        if let Some(live) = self.first_changed(|operation| operation.live) {
            return Err(Error::Live(live));
        }
        if self.is_fenced() {
            return Err(Error::Fenced);
        }
        if !is_drafted_from(draft, &self.facts) {
            return Err(Error::OrderChanged);
        }
        if let Some(given_back) = self.first_changed(OperationRecord::is_reversal_to_show) {
            return Err(Error::GivenBack(given_back));
        }
        let in_doubt = |operation: &&OperationRecord| operation.phase == Phase::InDoubt;
        let doubts: Vec<_> = self.operations().filter(in_doubt).collect();
        let is_own = |doubt: &&&OperationRecord| {
            !doubt.is_shown_by_us() && doubt.attempt_hash == draft.attempt_hash
        };
        if let Some(own) = doubts.iter().find(is_own) {
            return Err(Error::OwnCodeInDoubt(Box::new((*own).clone())));
        }
        let is_being_settled = |doubt: &&&OperationRecord| doubt.is_being_settled(draft.created_at);
        if doubts.iter().filter(is_being_settled).count() >= MOST_DOUBTS {
            return Err(Error::DoubtsOpen);
        }
        // A draft may use the number of an operation again whose request never left.
        let others = self
            .operations()
            .filter(|other| other.key.number != draft.key.number);
        if others.count() < MOST_OPERATIONS {
            return Ok(());
        }
        // Each doubt may turn out to be no operation at all.
        Err(if doubts.is_empty() {
            Error::TooManyOperations
        } else {
            Error::DoubtsOpen
        })
    }

    /// Of the operations with a property the one that has not changed for the longest time.
    fn first_changed(
        &self,
        has: impl Fn(&OperationRecord) -> bool,
    ) -> Option<Box<OperationRecord>> {
        let found = self.operations().filter(|operation| has(operation));
        let first = found.min_by_key(|operation| operation.changed_at)?;
        Some(Box::new(first.clone()))
    }

    /// True for an order that its shop made or described before the last restore: an operation that is
    /// lost may have paid it.
    fn is_fenced(&self) -> bool {
        let is_older = |at| self.fence.is_some_and(|fence| at < fence);
        is_older(self.facts.created_at) || self.facts.told_at.is_some_and(is_older)
    }
}

/// True while an order has the amount and the currency of a draft, and, if a shop described the order,
/// the store.
fn is_drafted_from(draft: &OperationRecord, facts: &OrderFacts) -> bool {
    let same_store = draft.key.merchant_code.as_str() == facts.merchant_code;
    (draft.amount, &draft.currency) == (facts.amount, &facts.currency)
        && (facts.told_at.is_none() || same_store)
}

#[cfg(test)]
mod tests {
    use super::BeginAttemptError;
    use crate::operation::fixture::{record, with_state};
    use crate::operation::{OperationKey, OperationRecord, Phase};
    use crate::order::{MOST_OPERATIONS, OrderFacts};
    use crate::payment::fixture::order;
    use crate::reading::instant;
    use payment_model::{PaymentMethodName, Timestamp};

    fn draft() -> OperationRecord {
        OperationRecord {
            key: OperationKey::new("shop", "new"),
            ..record()
        }
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
                Error::Paid(it)
                | Error::Live(it)
                | Error::GivenBack(it)
                | Error::OwnCodeInDoubt(it),
            ) => it.key.number.as_str().to_owned(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_new_order_and_one_whose_operations_ended_unpaid_take_an_attempt() {
        assert_eq!(order([]).begin_attempt(&draft()), Ok(()));
        let unpaid = [
            ended(Phase::Refused),
            ended(Phase::Lost),
            with_state("EXPIRADO", instant(1)),
        ];
        assert_eq!(order(unpaid).begin_attempt(&draft()), Ok(()));
    }

    #[test]
    fn a_paid_operation_is_named_before_a_live_one_and_the_first_of_several() {
        let mut both = order([
            record(),
            left(with_state("LIQUIDADO", instant(1)), 9),
            left(with_state("LIQUIDADO", instant(1)), 5),
        ]);
        let refused = both.begin_attempt(&draft());
        assert!(matches!(refused, Err(BeginAttemptError::Paid(_))));
        assert_eq!(number(refused), "3");
        let live = order([ended(Phase::Lost), record()]).begin_attempt(&draft());
        assert!(matches!(live, Err(BeginAttemptError::Live(_))));
        assert_eq!(number(live), "2");
    }

    #[test]
    fn an_order_from_before_a_restore_waits_and_a_newer_one_does_not() {
        let at = |created_at: i64, told_at: Option<i64>, fence: Timestamp| {
            let mut order = order([]);
            order.facts.created_at = instant(created_at);
            order.facts.told_at = told_at.map(instant);
            order.fence = Some(fence);
            order.begin_attempt(&draft())
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
            order.begin_attempt(&draft())
        };
        let refused = Err(BeginAttemptError::OrderChanged);
        assert_eq!(changed(|facts| facts.amount = 1), refused);
        assert_eq!(changed(|facts| facts.currency = "USD".to_owned()), refused);
        let elsewhere = |facts: &mut OrderFacts| facts.merchant_code = "other".to_owned();
        // The program's own orders of before the first second store name none.
        assert_eq!(changed(elsewhere), Ok(()));
        let described_elsewhere = |facts: &mut OrderFacts| {
            facts.merchant_code = "other".to_owned();
            facts.told_at = Some(instant(1));
        };
        assert_eq!(changed(described_elsewhere), refused);
    }

    #[test]
    fn a_payment_that_was_given_back_is_shown_first() {
        let mut given_back = left(with_state("LIQUIDADO", instant(1)), 1);
        let reversed = crate::operation::fixture::transaction("EXTORNADO", &["EXTORNADO"]);
        crate::operation::fixture::take(&mut given_back, &reversed, instant(2));
        given_back.blocked_since = None;
        assert_eq!(order([given_back.clone()]).begin_attempt(&draft()), Ok(()));
        given_back.blocked_since = Some(instant(3));
        let refused = order([given_back]).begin_attempt(&draft());
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
        let refused = order([cash()]).begin_attempt(&own);
        assert!(matches!(refused, Err(BeginAttemptError::OwnCodeInDoubt(_))));
        // The attempt of another key, and a code that only this server shows.
        assert_eq!(order([cash()]).begin_attempt(&draft()), Ok(()));
        let qr = doubt(PaymentMethodName::Qr, "own");
        assert_eq!(order([qr]).begin_attempt(&own), Ok(()));
    }

    #[test]
    fn one_doubt_leaves_room_for_an_attempt_and_two_do_not() {
        let doubts = |many: usize| {
            let doubts = std::iter::repeat_with(|| doubt(PaymentMethodName::Qr, "other"));
            order(doubts.take(many)).begin_attempt(&draft())
        };
        assert_eq!(doubts(1), Ok(()));
        assert_eq!(doubts(2), Err(BeginAttemptError::DoubtsOpen));
    }

    #[test]
    fn an_order_has_at_most_so_many_operations() {
        let many = |many: usize| {
            let lost = std::iter::repeat_with(|| ended(Phase::Lost));
            lost.take(many).collect::<Vec<_>>()
        };
        assert_eq!(
            order(many(MOST_OPERATIONS - 1)).begin_attempt(&draft()),
            Ok(())
        );
        let full = order(many(MOST_OPERATIONS)).begin_attempt(&draft());
        assert_eq!(full, Err(BeginAttemptError::TooManyOperations));
        // The number of one of them is used again.
        let again = OperationRecord {
            key: OperationKey::new("shop", "1"),
            ..draft()
        };
        assert_eq!(order(many(MOST_OPERATIONS)).begin_attempt(&again), Ok(()));
        let mut one_in_doubt = many(MOST_OPERATIONS - 1);
        one_in_doubt.push(doubt(PaymentMethodName::Qr, "other"));
        let refused = order(one_in_doubt).begin_attempt(&draft());
        assert_eq!(refused, Err(BeginAttemptError::DoubtsOpen));
    }
}
