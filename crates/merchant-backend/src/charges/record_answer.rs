//! Stores the service's accepted answers about operations.

use super::Charges;
use crate::clock::now;
use crate::db::DbError;
use payment_model::{MerchantCode, Operation, Timestamp};
use payment_rules::ledger::Ledger;
use payment_rules::operation::{Asked, OperationKey, OperationRecord, Phase, Taken};
use payment_rules::payment::{OperationAnswer, take_answer};

impl Charges {
    /// Stores an answer about an operation, plans the next look, and wakes the waiting requests. The
    /// turn of a query tells which notifications came before it.
    pub(super) async fn record_answer(
        &self,
        key: &OperationKey,
        (merchant_code, operation): (&MerchantCode, &Operation),
        asked: &Asked,
        turn: Option<Option<Timestamp>>,
    ) -> Result<(Taken, OperationRecord), DbError> {
        let units = self.settings.amount_units;
        let answer = OperationAnswer {
            merchant_code,
            operation,
            units,
        };
        let change = |record: &mut OperationRecord, ledger: Option<&mut Ledger>| {
            let before = Before::of(record);
            let taken = take_answer(record, ledger, answer, asked, now());
            if let (Some(turn), true) = (turn, taken.is_believed()) {
                record.answer_hint(turn);
            }
            record.plan_after_answer(taken, now());
            (taken, before)
        };
        let (record, (taken, before)) = self.db.change_payment(key, change).await?;
        log(&record, taken, &before);
        self.wakeups.changed(key);
        Ok((taken, record))
    }
}

/// What the log compares an operation with after an answer.
struct Before {
    was_doubtful: bool,
    outcome: Option<payment_model::Outcome>,
    was_contradicted: bool,
}

impl Before {
    fn of(record: &OperationRecord) -> Self {
        Self {
            was_doubtful: record.phase == Phase::InDoubt,
            outcome: record.outcome(),
            was_contradicted: record.contradiction.is_some(),
        }
    }
}

fn log(record: &OperationRecord, taken: Taken, before: &Before) {
    let number = record.key.number.as_str();
    match taken {
        Taken::Mismatch => tracing::error!(
            alert = true,
            merchant_operation_number = number,
            "an answer of the payment service is not the order's; it is not believed"
        ),
        Taken::NoTransaction => tracing::warn!(
            merchant_operation_number = number,
            "an answer of the payment service has no transaction"
        ),
        Taken::Contradicts if !before.was_contradicted => tracing::error!(
            alert = true,
            merchant_operation_number = number,
            "an answer of the payment service contradicts an earlier one; staff have to ask the service what is true"
        ),
        _ if before.outcome != record.outcome() || before.was_doubtful => {
            let state = record.state().map(|state| state.as_str());
            tracing::info!(
                merchant_operation_number = number,
                state,
                "the state changed"
            );
        }
        Taken::Believed | Taken::Overtaken | Taken::Contradicts => {}
    }
}
