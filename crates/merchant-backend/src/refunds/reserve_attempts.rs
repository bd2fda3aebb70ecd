use super::Refunds;
use super::refund_request::Checked;
use crate::clock::now;
use crate::db::{AuditRecord, DbError, Notes};
use crate::random::token;
use payment_model::{Cents, Currency};
use payment_rules::ledger::{
    Asker, GivenBack, Ledger, Limits, NewAttempt, NewRefund, ReserveRefundsOutcome, reserve_refunds,
};
use payment_rules::operation::OperationKey;
use staff_model::{AuditAction, AuditFacts, AuditStep, RefundRefusalItem};

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
        let mut refunds = Vec::with_capacity(checked.len());
        for (one, item) in checked.iter().zip(0..) {
            let attempt = NewAttempt {
                id: token().map_err(DbError::missing)?,
                kind: one.item.kind.clone(),
                amount: one.amount,
                asker: asker.clone(),
                item,
            };
            refunds.push(NewRefund {
                attempt,
                transaction_id: one.transaction_id.clone(),
                looked_at: one.looked_at,
            });
        }
        let change = |ledgers: &mut [Ledger], given_back: &[GivenBack]| {
            let outcome = reserve_refunds(ledgers, &refunds, limits, given_back, now());
            let audit = match outcome {
                ReserveRefundsOutcome::Reserved => {
                    let both = ledgers.iter().zip(&refunds);
                    both.map(|(ledger, refund)| asked(ledger, &refund.attempt))
                        .collect()
                }
                _ => Vec::new(),
            };
            (outcome, Notes::of_staff(audit))
        };
        let (_, outcome) = self
            .db
            .change_ledgers_for(&asker.staff, &keys, change)
            .await?;
        Ok(match outcome {
            ReserveRefundsOutcome::Reserved => {
                let ids = refunds.into_iter().map(|refund| refund.attempt.id);
                Reserved::All(ids.collect())
            }
            ReserveRefundsOutcome::Refused(refusals) => Reserved::None(refusals),
            ReserveRefundsOutcome::LookAgain => Reserved::LookAgain,
        })
    }
}

/// The audit record of a refund that staff asked for.
fn asked(ledger: &Ledger, attempt: &NewAttempt) -> AuditRecord {
    let facts = AuditFacts {
        kind: Some(attempt.kind.clone()),
        amount: Some(Cents::new(attempt.amount)),
        currency: Some(Currency::new(&*ledger.currency)),
        id: Some(attempt.id.clone()),
        ..AuditFacts::new(AuditStep::Asked)
    };
    let staff = &attempt.asker.staff;
    AuditRecord::of_facts(staff, AuditAction::Refund, &ledger.key, &facts)
}
