//! Payment links that a member of staff makes.

use crate::payment::{Order, OrderOutcome};
use payment_model::Timestamp;
use staff_model::LinkState;

/// The beginning of the id of an order that a member of staff made, by which the shop's programs tell it from their own.
pub const LINK_ORDER_PREFIX: &str = "link-";

/// The longest name of a customer, in characters.
pub const MAX_CUSTOMER_NAME_CHARACTERS: usize = 60;

/// How far a link is.
pub fn link_state(order: &Order, was_opened: bool, now: Timestamp) -> LinkState {
    let summary = order.summary(now);
    if summary.outcome == OrderOutcome::Paid {
        LinkState::Paid
    } else if summary.payment_may_come {
        // Also after its end: whoever has a code can pay it.
        LinkState::Waiting
    } else if order.closed_at.is_some() || order.facts.has_ended(now) {
        LinkState::Over
    } else if was_opened || !order.payments.is_empty() {
        LinkState::Waiting
    } else {
        LinkState::NotOpened
    }
}

/// The operation of a link that staff look at first: the one that is paid, or else the newest.
pub fn main_operation(order: &Order) -> Option<&str> {
    let paid = order.operations().find(|operation| operation.is_paid());
    let operation = paid.or_else(|| order.operations().last())?;
    Some(operation.key.number.as_str())
}

#[cfg(test)]
mod tests {
    use super::{link_state, main_operation};
    use crate::operation::OperationRecord;
    use crate::operation::fixture::{pending, with_state};
    use crate::payment::Order;
    use crate::payment::fixture::{key, order};
    use crate::timing::instant;
    use staff_model::LinkState as Is;

    const END_MS: i64 = 1000;

    fn link(operations: impl IntoIterator<Item = OperationRecord>) -> Order {
        let mut order = order(operations);
        order.facts.pay_until = Some(instant(END_MS));
        let before = Order::new(order.facts.clone(), Vec::new());
        order.conclude(&before, instant(1)).unwrap();
        order
    }

    fn state(word: &str) -> OperationRecord {
        with_state(word, instant(0))
    }

    #[test]
    fn a_link_is_over_only_when_no_payment_can_come() {
        let at = |order: &Order, opened: bool, ms: i64| link_state(order, opened, instant(ms));
        let untouched = link([]);
        assert_eq!(at(&untouched, false, 5), Is::NotOpened);
        assert_eq!(at(&untouched, true, 5), Is::Waiting);
        assert_eq!(at(&untouched, true, END_MS), Is::Over);
        // A page without scripts says nothing before the payer chooses a method.
        assert_eq!(at(&link([state("EXPIRADO")]), false, 5), Is::Waiting);
        assert_eq!(at(&link([pending()]), true, END_MS), Is::Waiting);
        let mut ended = link([pending()]);
        ended.closed_at = Some(instant(2));
        assert_eq!(at(&ended, true, 5), Is::Waiting);
        let mut ended = link([state("CANCELADO")]);
        ended.closed_at = Some(instant(2));
        assert_eq!(at(&ended, true, 5), Is::Over);
        assert_eq!(at(&link([state("AUTORIZADO")]), false, END_MS), Is::Paid);
        // A payment that was given back can be made again until the end.
        assert_eq!(at(&link([state("EXTORNADO")]), true, 5), Is::Waiting);
        assert_eq!(at(&link([state("EXTORNADO")]), true, END_MS), Is::Over);
    }

    #[test]
    fn the_paid_operation_is_looked_at_before_the_newest() {
        let number = |order: &Order| main_operation(order).map(str::to_owned);
        assert_eq!(number(&link([])), None);
        let one = link([state("EXPIRADO"), pending()]);
        assert_eq!(number(&one).as_deref(), Some(key(2).number.as_str()));
        let paid = link([state("AUTORIZADO"), pending()]);
        assert_eq!(number(&paid).as_deref(), Some(key(1).number.as_str()));
    }
}
