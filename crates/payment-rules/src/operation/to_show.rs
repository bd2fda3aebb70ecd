//! Which operation of an order its payer should see.

use super::{OperationRecord, Phase};
use payment_model::Outcome;

/// The operation that the payer of an order should see, of all its operations in their order: the
/// paid one, so that nobody pays again; else the live one; else the one whose payment was given
/// back, if that is how the last one ended and nothing is under way.
pub fn to_show(operations: &[OperationRecord]) -> Option<&OperationRecord> {
    if let Some(paid) = operations.iter().find(|record| record.is_paid()) {
        return Some(paid);
    }
    if let Some(live) = operations.iter().find(|record| record.live) {
        // Without a transaction there is nothing to pay with yet.
        return Some(live).filter(|live| live.transaction().is_some());
    }
    if operations
        .iter()
        .any(|record| record.phase == Phase::InDoubt)
    {
        return None;
    }
    let last = operations
        .iter()
        .rev()
        .find(|record| record.outcome().is_some())?;
    Some(last).filter(|last| last.outcome() == Some(Outcome::Reversed))
}

/// True when an operation has ended and no payment of it ever was in force.
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
    use crate::reading::instant;

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
        move |all| to_show(all).is_some_and(|shown| std::ptr::eq(shown, &raw const all[place]))
    }

    #[test]
    fn a_paid_operation_comes_before_a_live_one_and_that_before_one_that_was_given_back() {
        let (paid, live) = (ended("AUTORIZADO", false), pending());
        let (reversed, expired) = (ended("CANCELADO", true), ended("EXPIRADO", false));
        assert!(at(0)(&[paid.clone(), live.clone()]));
        assert!(at(1)(&[live.clone(), paid]));
        assert!(at(1)(&[reversed.clone(), live]));
        assert!(at(1)(&[expired.clone(), reversed.clone()]));
        assert_eq!(to_show(&[reversed, expired]), None);
        assert_eq!(to_show(&[]), None);
    }

    #[test]
    fn what_has_no_transaction_is_not_shown_and_hides_what_came_before() {
        let sending = record();
        let mut doubt = record();
        (doubt.phase, doubt.live) = (Phase::InDoubt, false);
        let reversed = ended("CANCELADO", true);
        assert_eq!(to_show(&[sending]), None);
        assert_eq!(to_show(&[reversed, doubt]), None);
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
