//! The answer to a refund request of staff.

use super::Refunds;
use super::refund_request::RefundWanted;
use crate::db::DbError;
use payment_model::{Meta, Refund};
use payment_rules::ledger::{AttemptRecord, Ledger};
use payment_rules::operation::OperationKey;
use staff_model::{AttemptState, RefundResult, StaffRefundResponse};

impl Refunds {
    /// The attempts under the key, the last one of each item, in the order of the items.
    pub(super) async fn attempts_of(
        &self,
        wanted: &RefundWanted,
    ) -> Result<Vec<(OperationKey, AttemptRecord)>, DbError> {
        Ok(attempts_in(&self.ledgers_of(wanted).await?, wanted))
    }

    async fn ledgers_of(&self, wanted: &RefundWanted) -> Result<Vec<Ledger>, DbError> {
        let mut ledgers = Vec::new();
        for key in self.db.attempted_by(&wanted.asker).await? {
            ledgers.extend(self.db.ledger(&key).await?);
        }
        Ok(ledgers)
    }

    /// The answer, from the present state of the attempts.
    pub(super) async fn conclude(
        &self,
        wanted: &RefundWanted,
        meta: Meta,
    ) -> Result<StaffRefundResponse, DbError> {
        let ledgers = self.ledgers_of(wanted).await?;
        let attempts = attempts_in(&ledgers, wanted);
        if attempts.len() != wanted.items.len() {
            return Err(DbError::missing("an attempt to refund"));
        }
        let refund_of = |key: &OperationKey, attempt: &AttemptRecord| -> Option<Refund> {
            let ledger = ledgers.iter().find(|ledger| ledger.key == *key)?;
            ledger
                .refund_of(attempt)
                .map(|record| record.refund.clone())
        };
        let all = attempts
            .iter()
            .all(|(_, attempt)| attempt.state == AttemptState::Registered);
        Ok(StaffRefundResponse {
            success: if all { "true" } else { "false" }.to_owned(),
            action: "refund".to_owned(),
            merchant_code: wanted.merchant_code.clone(),
            operations: attempts
                .iter()
                .filter_map(|(key, attempt)| refund_of(key, attempt))
                .collect(),
            meta,
            results: attempts
                .iter()
                .map(|(key, attempt)| RefundResult {
                    merchant_operation_number: key.number.as_str().to_owned(),
                    attempt: attempt.shown(),
                })
                .collect(),
        })
    }
}

fn attempts_in(ledgers: &[Ledger], wanted: &RefundWanted) -> Vec<(OperationKey, AttemptRecord)> {
    let attempts = wanted.items.iter().zip(0..).filter_map(|(item, index)| {
        let ledger = ledgers.iter().find(|ledger| ledger.key == item.key)?;
        let mut own = ledger.attempts.iter().rev();
        let own = own.find(|attempt| attempt.asker == wanted.asker && attempt.item == index)?;
        Some((item.key.clone(), own.clone()))
    });
    attempts.collect()
}
