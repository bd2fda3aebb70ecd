use super::Refunds;
use super::refund_request::Checked;
use crate::clock::now;
use crate::db::{AuditRecord, DbError, Notes};
use crate::random::token;
use payment_model::{Cents, Currency, RefundRefusal};
use payment_rules::ledger::{Asker, GivenBack, Ledger, Limits, NewAttempt};
use payment_rules::operation::OperationKey;
use staff_model::{AuditAction, AuditFacts, AuditStep, RefundRefusalItem, RefundRefusalReason};

/// The result of the reservation of all items.
pub(super) enum Reserved {
    /// All are on disk, under these ids.
    All(Vec<String>),
    /// Some break a rule, and none is on disk.
    None(Vec<RefundRefusalItem>),
    /// A doubt came up after the look.
    LookAgain,
}

impl Refunds {
    /// Puts attempts on disk, all or none, in the transaction that checks the rules once more, so
    /// that a second request sees the reservations of the first.
    pub(super) async fn reserve(
        &self,
        asker: &Asker,
        limits: Limits,
        checked: &[Checked<'_>],
    ) -> Result<Reserved, DbError> {
        let keys: Vec<OperationKey> = checked.iter().map(|one| one.item.key.clone()).collect();
        let mut wanted = Vec::with_capacity(checked.len());
        for (one, item) in checked.iter().zip(0..) {
            let attempt = NewAttempt {
                id: token().map_err(DbError::missing)?,
                kind: one.item.kind.clone(),
                amount: one.amount,
                asker: asker.clone(),
                item,
            };
            wanted.push((attempt, one.transaction_id.clone(), one.looked_at));
        }
        let change = |ledgers: &mut [Ledger], given_back: &[GivenBack]| {
            let both = || ledgers.iter().zip(&wanted);
            let unknown =
                |ledger: &Ledger, looked_at| ledger.is_disputed() || ledger.doubts_since(looked_at);
            if both().any(|(ledger, (_, _, looked_at))| unknown(ledger, *looked_at)) {
                return (Reserved::LookAgain, Notes::default());
            }
            let mut besides: u64 = 0;
            let refusals: Vec<_> = both()
                .zip(given_back)
                .filter_map(|((ledger, (attempt, transaction_id, _)), given_back)| {
                    let left = limits.left(*given_back, besides);
                    besides = besides.saturating_add(attempt.amount);
                    let refusal = if ledger.pending_reversal().is_some() {
                        (RefundRefusalReason::BeingReversed, None)
                    } else if ledger.transaction_id.as_ref() == Some(transaction_id) {
                        match ledger.check(&attempt.kind, attempt.amount) {
                            Err(refusal) => refusal_of(refusal),
                            Ok(()) if attempt.amount > left => {
                                (RefundRefusalReason::OverLimit, Some(left))
                            }
                            Ok(()) => return None,
                        }
                    } else {
                        (RefundRefusalReason::NotFound, None)
                    };
                    Some(RefundRefusalItem {
                        index: attempt.item,
                        merchant_operation_number: ledger.key.number.as_str().to_owned(),
                        reason: refusal.0,
                        left: refusal.1.map(Cents::new),
                    })
                })
                .collect();
            if !refusals.is_empty() {
                return (Reserved::None(refusals), Notes::default());
            }
            let mut notes = Notes::default();
            let mut ids = Vec::with_capacity(wanted.len());
            for (ledger, (attempt, ..)) in ledgers.iter_mut().zip(&wanted) {
                let facts = AuditFacts {
                    kind: Some(attempt.kind.clone()),
                    amount: Some(Cents::new(attempt.amount)),
                    currency: Some(Currency::new(&*ledger.currency)),
                    id: Some(attempt.id.clone()),
                    ..AuditFacts::new(AuditStep::Asked)
                };
                let staff = &attempt.asker.staff;
                let refund = AuditAction::Refund;
                let record = AuditRecord::of_facts(staff, refund, &ledger.key, &facts);
                notes.audit.push(record);
                ids.push(attempt.id.clone());
                ledger.reserve(attempt.clone(), now());
                ledger.plan(now());
            }
            (Reserved::All(ids), notes)
        };
        let (_, reserved) = self
            .db
            .change_ledgers_for(&asker.staff, &keys, change)
            .await?;
        Ok(reserved)
    }
}

fn refusal_of(refusal: RefundRefusal) -> (RefundRefusalReason, Option<u64>) {
    use RefundRefusalReason as Reason;
    match refusal {
        RefundRefusal::NotSettled => (Reason::NotSettled, None),
        RefundRefusal::MethodNotRefundable => (Reason::MethodNotRefundable, None),
        RefundRefusal::NothingAskedFor => (Reason::Amount, None),
        RefundRefusal::MoreThanIsLeft { left } => (Reason::MoreThanIsLeft, Some(left)),
        RefundRefusal::NotTheWhole => (Reason::NotTheWhole, None),
        RefundRefusal::UnknownType => (Reason::Type, None),
    }
}
