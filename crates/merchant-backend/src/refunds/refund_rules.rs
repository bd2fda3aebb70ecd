//! The rules that are checked before any request to the service.

use super::Refunds;
use super::refund_request::{ItemWanted, RefundWanted};
use super::refusal::{NotGivenBack, Stop};
use payment_model::{Cents, RefundType};
use payment_rules::ledger::GivenBack;
use payment_rules::operation::OperationRecord;
use staff_model::{RefundRefusalItem, RefundRefusalReason};

impl Refunds {
    /// The rules that need no answer of the service; returns the operations.
    pub(super) async fn plain_rules(
        &self,
        wanted: &RefundWanted,
    ) -> Result<Vec<OperationRecord>, Stop> {
        let mut refusals = Vec::new();
        // What other requests give back counts where it cannot change any more: with the
        // reservation.
        let mut besides: u64 = 0;
        let mut records = Vec::with_capacity(wanted.items.len());
        for (index, item) in wanted.items.iter().enumerate() {
            let record = self.db.operation(&item.key).await?;
            let earlier = wanted.items.iter().take(index);
            let twice = earlier.clone().any(|other| other.key == item.key);
            let left = wanted.limits.left(GivenBack::default(), besides);
            besides = besides.saturating_add(item.amount.unwrap_or_default());
            let reason = plain_reason(item, record.as_ref(), twice, left);
            let reason = match reason {
                None if self.db.is_fenced(&item.key).await? => Some(RefundRefusalReason::Restored),
                reason => reason,
            };
            match (reason, record) {
                (None, Some(record)) => records.push(record),
                (reason, _) => refusals.push(RefundRefusalItem {
                    index: u32::try_from(index).unwrap_or(u32::MAX),
                    merchant_operation_number: item.key.number.as_str().to_owned(),
                    reason: reason.unwrap_or(RefundRefusalReason::NotFound),
                    left: (reason == Some(RefundRefusalReason::OverLimit))
                        .then(|| Cents::new(left)),
                }),
            }
        }
        if refusals.is_empty() {
            Ok(records)
        } else {
            Err(NotGivenBack::Rules(refusals).into())
        }
    }
}

fn plain_reason(
    item: &ItemWanted,
    record: Option<&OperationRecord>,
    twice: bool,
    left: u64,
) -> Option<RefundRefusalReason> {
    use RefundRefusalReason as Reason;
    let Some(record) = record else {
        return Some(Reason::NotFound);
    };
    let named = item.transaction_id.as_ref();
    if named.is_some_and(|id| record.transaction_id() != Some(id)) {
        return Some(Reason::NotFound);
    }
    match item.amount {
        _ if twice => Some(Reason::Twice),
        None | Some(0) => Some(Reason::Amount),
        Some(_) if matches!(item.kind, RefundType::Unknown(_)) => Some(Reason::Type),
        Some(_) if !record.method.is_refundable() => Some(Reason::MethodNotRefundable),
        Some(_) if record.transaction().is_none() => Some(Reason::NotSettled),
        Some(amount) if amount > left => Some(Reason::OverLimit),
        Some(_) => None,
    }
}
