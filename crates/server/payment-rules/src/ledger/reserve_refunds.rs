//! Decides whether a request of staff may refund all its items, and reserves all of them or none.

use super::Ledger;
use super::balance::{GivenBack, Limits};
use super::refund_attempts::NewAttempt;
use crate::operation::OperationKey;
use payment_model::{Cents, RefundRefusal, Timestamp, TransactionId};
use staff_model::{AttemptState, RefundRefusalItem, RefundRefusalReason};

/// One refund of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRefund {
    /// The operation to refund.
    pub key: OperationKey,
    /// The attempt that the refund becomes.
    pub attempt: NewAttempt,
    /// The transaction that the service named when it was asked for this request.
    pub transaction_id: TransactionId,
    /// When the query of the service's list began on which this request is based.
    pub list_began_at: Timestamp,
}

/// The result of the reservation of all items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReserveRefundsOutcome {
    /// All amounts are reserved, and the requests may be sent.
    Reserved,
    /// These items break a rule, and none is reserved.
    Refused(Vec<RefundRefusalItem>),
    /// The list is older than a doubt, or the payment is disputed. None is reserved, and the list
    /// has to be queried again.
    ListIsStale,
    /// Another run of the same request has reserved an item of it. None is reserved now.
    ReservedByOtherRun,
}

/// Reserves all refunds if every one of them is allowed. `ledgers` has the ledger of each refund,
/// in the same order. `given_back` is what the account of the request has given back of each.
pub fn reserve_refunds(
    ledgers: &mut [&mut Ledger],
    refunds: &[NewRefund],
    limits: Limits,
    given_back: &[GivenBack],
    now: Timestamp,
) -> ReserveRefundsOutcome {
    // A process that was halted for longer than its lease may run beside the one that took over.
    let is_reserved = |(ledger, refund): (&&mut Ledger, &NewRefund)| {
        let new = &refund.attempt;
        ledger.attempts.iter().any(|attempt| {
            let same_item = attempt.requester == new.requester && attempt.item == new.item;
            same_item && attempt.state != AttemptState::Refused
        })
    };
    if ledgers.iter().zip(refunds).any(is_reserved) {
        return ReserveRefundsOutcome::ReservedByOtherRun;
    }
    let fenced = ledgers.iter().zip(refunds);
    let fenced = fenced.filter(|(ledger, _)| ledger.awaits_comparison);
    let fenced: Vec<_> = fenced
        .map(|(ledger, refund)| RefundRefusalItem {
            index: refund.attempt.item,
            merchant_operation_number: ledger.key.number.as_str().to_owned(),
            reason: RefundRefusalReason::Restored,
            left: None,
        })
        .collect();
    if !fenced.is_empty() {
        return ReserveRefundsOutcome::Refused(fenced);
    }
    let is_unclear = |(ledger, refund): (&&mut Ledger, &NewRefund)| {
        ledger.is_disputed() || ledger.has_doubt_since(refund.list_began_at)
    };
    if ledgers.iter().zip(refunds).any(is_unclear) {
        return ReserveRefundsOutcome::ListIsStale;
    }
    let mut already_requested: u64 = 0;
    let mut refusals = Vec::new();
    for ((ledger, refund), given_back) in ledgers.iter().zip(refunds).zip(given_back) {
        let limit = limits.left(*given_back, already_requested);
        already_requested = already_requested.saturating_add(refund.attempt.amount);
        if let Some((reason, left)) = refusal(ledger, refund, limit) {
            refusals.push(RefundRefusalItem {
                index: refund.attempt.item,
                merchant_operation_number: ledger.key.number.as_str().to_owned(),
                reason,
                left: left.map(Cents::new),
            });
        }
    }
    if !refusals.is_empty() {
        return ReserveRefundsOutcome::Refused(refusals);
    }
    for (ledger, refund) in ledgers.iter_mut().zip(refunds) {
        ledger.reserve(refund.attempt.clone(), now);
        ledger.plan(now);
    }
    ReserveRefundsOutcome::Reserved
}

/// The first rule that a refund breaks, with the cents that are left if the rule is about the
/// amount. `limit` is what the account may still give back, in cents.
fn refusal(
    ledger: &Ledger,
    refund: &NewRefund,
    limit: u64,
) -> Option<(RefundRefusalReason, Option<u64>)> {
    use RefundRefusalReason as Reason;
    let attempt = &refund.attempt;
    if ledger.pending_reversal().is_some() {
        return Some((Reason::BeingReversed, None));
    }
    if ledger.transaction_id.as_ref() != Some(&refund.transaction_id) {
        return Some((Reason::NotFound, None));
    }
    Some(match ledger.check(&attempt.kind, attempt.amount) {
        Ok(()) if attempt.amount > limit => (Reason::OverLimit, Some(limit)),
        Ok(()) => return None,
        Err(RefundRefusal::NotSettled) => (Reason::NotSettled, None),
        Err(RefundRefusal::MethodNotRefundable) => (Reason::MethodNotRefundable, None),
        Err(RefundRefusal::NothingAskedFor) => (Reason::Amount, None),
        Err(RefundRefusal::MoreThanIsLeft { left }) => (Reason::MoreThanIsLeft, Some(left)),
        Err(RefundRefusal::NotTheWhole) => (Reason::NotTheWhole, None),
        Err(RefundRefusal::UnknownType) => (Reason::Type, None),
    })
}

#[cfg(test)]
mod tests {
    use super::{NewRefund, ReserveRefundsOutcome, reserve_refunds};
    use crate::ledger::fixture::{doubtful, ledger, requester};
    use crate::ledger::{GivenBack, Ledger, Limits, NewAttempt};
    use crate::operation::OperationKey;
    use crate::timing::instant;
    use payment_model::{Cents, PaymentMethodName, RefundType, TransactionId, TransactionState};
    use staff_model::{AttemptState, RefundRefusalReason as Reason};

    /// A settled operation of 10.00 PEN with this number.
    fn operation(number: &str) -> Ledger {
        Ledger {
            key: OperationKey::new("shop", number),
            ..ledger()
        }
    }

    fn refund(item: u32, amount: u64) -> NewRefund {
        NewRefund {
            key: OperationKey::new("shop", item.to_string()),
            attempt: NewAttempt {
                id: format!("attempt-{item}"),
                kind: RefundType::Partial,
                amount,
                requester: requester("ana"),
                item,
            },
            transaction_id: TransactionId::new("t"),
            list_began_at: instant(10),
        }
    }

    fn reserve(
        ledgers: &mut [Ledger],
        refunds: &[NewRefund],
        limits: Limits,
    ) -> ReserveRefundsOutcome {
        let given_back = vec![GivenBack::default(); ledgers.len()];
        let mut ledgers: Vec<&mut Ledger> = ledgers.iter_mut().collect();
        reserve_refunds(&mut ledgers, refunds, limits, &given_back, instant(20))
    }

    /// The refused items with their reasons, and the cents that are left.
    fn refused(outcome: ReserveRefundsOutcome) -> Vec<(u32, Reason, Option<Cents>)> {
        match outcome {
            ReserveRefundsOutcome::Refused(items) => {
                let parts = items.into_iter().map(|it| (it.index, it.reason, it.left));
                parts.collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn allowed_refunds_are_all_reserved() {
        let mut both = [operation("1"), operation("2")];
        let outcome = reserve(
            &mut both,
            &[refund(0, 300), refund(1, 1000)],
            Limits::default(),
        );
        assert_eq!(outcome, ReserveRefundsOutcome::Reserved);
        assert_eq!((both[0].left(), both[1].left()), (700, 0));
    }

    #[test]
    fn one_item_that_breaks_a_rule_keeps_the_others_from_being_reserved() {
        let mut both = [operation("1"), operation("2")];
        let outcome = reserve(
            &mut both,
            &[refund(0, 300), refund(1, 1001)],
            Limits::default(),
        );
        let left = Some(Cents::new(1000));
        assert_eq!(refused(outcome), [(1, Reason::MoreThanIsLeft, left)]);
        assert_eq!(both, [operation("1"), operation("2")]);
    }

    #[test]
    fn each_rule_has_its_own_reason() {
        let of = |change: fn(&mut Ledger, &mut NewRefund)| {
            let (mut ledgers, mut refund) = ([operation("1")], refund(0, 300));
            change(&mut ledgers[0], &mut refund);
            refused(reserve(&mut ledgers, &[refund], Limits::default()))[0].1
        };
        let unsettled = of(|ledger, _| ledger.state = Some(TransactionState::Authorized));
        assert_eq!(unsettled, Reason::NotSettled);
        let of_qr = of(|ledger, _| ledger.method = PaymentMethodName::Qr);
        assert_eq!(of_qr, Reason::MethodNotRefundable);
        let nothing = of(|_, refund| refund.attempt.amount = 0);
        assert_eq!(nothing, Reason::Amount);
        let a_part = of(|_, refund| refund.attempt.kind = RefundType::Total);
        assert_eq!(a_part, Reason::NotTheWhole);
        let unknown = of(|_, refund| refund.attempt.kind = RefundType::from("OTHER"));
        assert_eq!(unknown, Reason::Type);
        let of_another = of(|_, refund| refund.transaction_id = TransactionId::new("other"));
        assert_eq!(of_another, Reason::NotFound);
    }

    #[test]
    fn the_limit_of_an_account_counts_the_items_before() {
        let mut all = [operation("1"), operation("2"), operation("3")];
        let refunds = [refund(0, 300), refund(1, 300), refund(2, 100)];
        let limits = Limits {
            at_once: Some(500),
            a_day: None,
        };
        let over = refused(reserve(&mut all, &refunds, limits));
        let left = |cents| Some(Cents::new(cents));
        let expected = [
            (1, Reason::OverLimit, left(200)),
            (2, Reason::OverLimit, left(0)),
        ];
        assert_eq!(over, expected);
        let mut two = [operation("1"), operation("2")];
        let exactly = [refund(0, 300), refund(1, 200)];
        let outcome = reserve(&mut two, &exactly, limits);
        assert_eq!(outcome, ReserveRefundsOutcome::Reserved);
    }

    #[test]
    fn a_doubt_that_came_up_since_the_look_asks_for_another_look() {
        let of_other_request = |changed_at| {
            let mut ledger = doubtful("earlier", 100, instant(changed_at));
            ledger.attempts[0].requester = requester("bea");
            ledger
        };
        let mut since = [of_other_request(10)];
        let outcome = reserve(&mut since, &[refund(0, 300)], Limits::default());
        assert_eq!(outcome, ReserveRefundsOutcome::ListIsStale);
        let mut before = [of_other_request(9)];
        let outcome = reserve(&mut before, &[refund(0, 300)], Limits::default());
        assert_eq!(outcome, ReserveRefundsOutcome::Reserved);
        let mut disputed = [operation("1")];
        disputed[0].contradicted = true;
        let outcome = reserve(&mut disputed, &[refund(0, 300)], Limits::default());
        assert_eq!(outcome, ReserveRefundsOutcome::ListIsStale);
    }

    #[test]
    fn two_runs_of_one_request_reserve_an_item_once() {
        let mut both = [operation("1"), operation("2")];
        let refunds = [refund(0, 300), refund(1, 300)];
        let first = reserve(&mut both, &refunds, Limits::default());
        assert_eq!(first, ReserveRefundsOutcome::Reserved);
        let second = reserve(&mut both, &refunds, Limits::default());
        assert_eq!(second, ReserveRefundsOutcome::ReservedByOtherRun);
        assert_eq!((both[0].left(), both[1].left()), (700, 700));
        // A refused attempt gave its amount back, so that the request may run again.
        for ledger in &mut both {
            ledger.attempts[0].state = AttemptState::Refused;
        }
        let again = reserve(&mut both, &refunds, Limits::default());
        assert_eq!(again, ReserveRefundsOutcome::Reserved);
        // Another key is another request.
        let mut other = refund(0, 300);
        other.attempt.requester = requester("bea");
        let other = reserve(&mut both[..1], &[other], Limits::default());
        assert_eq!(other, ReserveRefundsOutcome::Reserved);
    }
}
