//! Shows an operation to its payer: which one of an order, and the bodies of the answers about it.

use super::{OperationRecord, Phase};
use payment_model::{
    Amount, CancelResponse, Currency, Meta, Operation, Outcome, QueryResponse, TransactionState,
};

/// The state that the payer gets while the real one is held back or not known. It is no state of the payment
/// service: pages show every word that they do not know as still being confirmed.
pub(super) fn being_confirmed() -> TransactionState {
    TransactionState::from("POR_CONFIRMAR")
}

impl OperationRecord {
    /// The body of a status answer; `None` before the service named a transaction.
    pub fn query_response(&self) -> Option<QueryResponse> {
        Some(QueryResponse {
            success: true,
            merchant_code: self.key.merchant_code.clone(),
            operation: self.operation.clone()?,
            meta: Meta::accepted(),
        })
    }

    /// The body of a status answer for the payer. For a payment that is not announced, it has
    /// neither the paid state nor anything to pay with.
    pub fn payers_response(&self) -> Option<QueryResponse> {
        let Some(mut response) = self.query_response() else {
            return self.doubt_response();
        };
        if self.is_held() {
            let operation = &mut response.operation;
            operation.state = being_confirmed();
            for transaction in &mut operation.transactions {
                transaction.state = being_confirmed();
                transaction.state_reason = String::new();
                transaction.continue_url = None;
                transaction.expiration_date = None;
                transaction.processor_response = None;
                transaction
                    .lifecycle
                    .retain(|entry| entry.state.is_waiting());
            }
        }
        Some(response)
    }

    /// The body for an operation whose request left, before the service named a transaction.
    fn doubt_response(&self) -> Option<QueryResponse> {
        matches!(self.phase, Phase::Sending | Phase::InDoubt).then(|| QueryResponse {
            success: true,
            merchant_code: self.key.merchant_code.clone(),
            operation: Operation {
                merchant_operation_number: self.key.number.clone(),
                state: being_confirmed(),
                created_at: None,
                amount: Amount::from_cents(self.amount),
                currency: Currency::new(self.currency.clone()),
                transactions: Vec::new(),
            },
            meta: Meta::accepted(),
        })
    }

    /// The body of the answer to a cancellation.
    pub fn cancel_response(&self) -> Option<CancelResponse> {
        Some(CancelResponse {
            success: true,
            merchant_code: self.key.merchant_code.clone(),
            merchant_operation_number: Some(self.key.number.clone()),
            operation: self.operation.clone()?,
            meta: Meta::accepted(),
        })
    }
}

/// The operation that the payer of an order should see, of all its operations from the oldest. A
/// paid one comes first, so that the payer does not pay again, then a live one. A payment that was
/// given back is shown if the last operation with an outcome ended so and none is in doubt.
pub fn to_show<'a>(
    operations: impl DoubleEndedIterator<Item = &'a OperationRecord> + Clone,
) -> Option<&'a OperationRecord> {
    if let Some(paid) = operations.clone().find(|record| record.is_paid()) {
        return Some(paid);
    }
    if let Some(live) = operations.clone().find(|record| record.live) {
        // Without a transaction there is nothing to pay with yet.
        return Some(live).filter(|live| live.transaction().is_some());
    }
    let mut all = operations.clone();
    if all.any(|record| record.phase == Phase::InDoubt) {
        return None;
    }
    let last = operations.rev().find(|record| record.outcome().is_some())?;
    Some(last).filter(|last| last.outcome() == Some(Outcome::Reversed))
}

/// True when an operation has ended and was never paid.
pub fn ends_unpaid(record: &OperationRecord) -> bool {
    !matches!(
        record.outcome(),
        None | Some(Outcome::Paid | Outcome::Reversed)
    )
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{pending, record, with_state};
    use super::{OperationRecord, Phase, ends_unpaid, to_show};
    use crate::timing::instant;

    fn ended(state: &str, lifecycle_paid: bool) -> OperationRecord {
        let mut ended = with_state(
            if lifecycle_paid { "AUTORIZADO" } else { state },
            instant(1),
        );
        if lifecycle_paid {
            ended.operation = with_state(state, instant(1)).operation;
            let paid = with_state("AUTORIZADO", instant(1));
            let paid = paid.transaction().unwrap().lifecycle.clone();
            let transaction = &mut ended.operation.as_mut().unwrap().transactions[0];
            transaction.lifecycle.splice(0..0, paid);
        }
        ended.live = false;
        ended
    }

    fn at(place: usize) -> impl Fn(&[OperationRecord]) -> bool {
        move |all| {
            to_show(all.iter()).is_some_and(|shown| std::ptr::eq(shown, &raw const all[place]))
        }
    }

    #[test]
    fn a_paid_operation_comes_before_a_live_one_and_that_before_one_that_was_given_back() {
        let (paid, live) = (ended("AUTORIZADO", false), pending());
        let (reversed, expired) = (ended("CANCELADO", true), ended("EXPIRADO", false));
        assert!(at(0)(&[paid.clone(), live.clone()]));
        assert!(at(1)(&[live.clone(), paid]));
        assert!(at(1)(&[reversed.clone(), live]));
        assert!(at(1)(&[expired.clone(), reversed.clone()]));
        assert_eq!(to_show([reversed, expired].iter()), None);
        assert_eq!(to_show([].iter()), None);
    }

    #[test]
    fn what_has_no_transaction_is_not_shown_and_hides_what_came_before() {
        let sending = record();
        let mut doubt = record();
        (doubt.phase, doubt.live) = (Phase::InDoubt, false);
        let reversed = ended("CANCELADO", true);
        assert_eq!(to_show([sending].iter()), None);
        assert_eq!(to_show([reversed, doubt].iter()), None);
    }

    #[test]
    fn an_end_without_money_is_nothing_to_see() {
        for (record, ends) in [
            (pending(), false),
            (ended("AUTORIZADO", false), false),
            (ended("CANCELADO", true), false),
            (ended("CANCELADO", false), true),
            (ended("EXPIRADO", false), true),
        ] {
            assert_eq!(ends_unpaid(&record), ends);
        }
    }
}
