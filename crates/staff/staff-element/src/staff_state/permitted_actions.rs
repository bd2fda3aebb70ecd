//! Decides which actions are possible with an operation, and gives the reason if one is not.

use super::Intent;
use payment_model::{Cents, PaymentMethodName, TransactionState};
use staff_model::{Exception, ExceptionKind, OperationRow, Permission, Phase};

/// Why an operation cannot be cancelled or reversed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoCancel {
    NotPermitted,
    /// The money is with the merchant: a refund gives it back.
    Settled,
    /// It ended without a payment, or was given back.
    Over,
    /// The state of the operation is unknown.
    Unknown,
}

/// Cancel or reverse, or why neither.
pub(crate) fn cancel(row: &OperationRow, permitted: bool) -> Result<Intent, NoCancel> {
    let intent = match &row.state {
        Some(TransactionState::Registered | TransactionState::Pending) => Intent::Cancel,
        Some(TransactionState::Authorized) => Intent::Reverse,
        Some(TransactionState::Settled) => return Err(NoCancel::Settled),
        Some(TransactionState::Unknown(_)) => return Err(NoCancel::Unknown),
        Some(_) => return Err(NoCancel::Over),
        None if matches!(row.phase, Phase::Refused | Phase::Lost) => return Err(NoCancel::Over),
        None => return Err(NoCancel::Unknown),
    };
    if permitted {
        Ok(intent)
    } else {
        Err(NoCancel::NotPermitted)
    }
}

/// True if resolving the exception says that nothing was paid, which ends the server's watch. What has an outcome is
/// watched on.
pub(crate) fn ends_watch(exception: &Exception) -> bool {
    exception.kind == ExceptionKind::Unanswered && exception.operation.outcome.is_none()
}

/// Why an operation cannot be refunded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoRefund {
    NotPermitted,
    /// Not settled yet; or not any more.
    NotSettled(Option<TransactionState>),
    /// The service refunds no payments by this method.
    Method(PaymentMethodName),
    /// All of it is refunded, under way, or in doubt.
    NothingLeft,
}

/// Decides if an operation can be refunded. `left` is the amount that is left to refund, once it is
/// known.
pub(crate) fn refund(
    row: &OperationRow,
    left: Option<Cents>,
    permitted: bool,
) -> Result<(), NoRefund> {
    // Reasons that never change come first: staff should not wait for a QR payment to settle.
    if !row.method_name.is_refundable() {
        return Err(NoRefund::Method(row.method_name.clone()));
    }
    if row.state != Some(TransactionState::Settled) {
        return Err(NoRefund::NotSettled(row.state.clone()));
    }
    if left == Some(Cents::ZERO) {
        return Err(NoRefund::NothingLeft);
    }
    if permitted {
        Ok(())
    } else {
        Err(NoRefund::NotPermitted)
    }
}

/// True when it waits for its payer, so that it can be cancelled.
pub(crate) fn is_waiting(row: &OperationRow) -> bool {
    cancel(row, true) == Ok(Intent::Cancel)
}

/// A way by which a payment goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Reverse,
    Refund,
    ByHand,
}

impl Way {
    /// The permission that it takes.
    pub(crate) fn permission(self) -> Permission {
        match self {
            Self::Reverse => Permission::Cancel,
            Self::Refund | Self::ByHand => Permission::Refund,
        }
    }
}

/// The ways by which money of an operation can go back now, the best one first. `left` is what can
/// still be given back.
pub(crate) fn ways(row: &OperationRow, left: Cents) -> Vec<Way> {
    let can_reverse = cancel(row, true) == Ok(Intent::Reverse);
    let can_refund = refund(row, Some(left), true).is_ok();
    let by_hand = is_returned_by_hand(row) && left > Cents::ZERO;
    let mut ways = Vec::new();
    // A reversal gives the whole payment back, so that it comes last once a part has gone back.
    let whole = left == row.amount;
    for (way, possible) in [
        (Way::Reverse, can_reverse && whole),
        (Way::Refund, can_refund),
        (Way::ByHand, by_hand),
        (Way::Reverse, can_reverse && !whole),
    ] {
        if possible {
            ways.push(way);
        }
    }
    ways
}

/// True when money can be given back only outside of the service.
pub(crate) fn is_returned_by_hand(row: &OperationRow) -> bool {
    !row.method_name.is_refundable() && row.state.as_ref().is_some_and(TransactionState::is_paid)
}

/// The text that a person types to confirm that they give a payment back: the last digits of the
/// operation's number.
pub(crate) fn confirmation(row: &OperationRow) -> String {
    let number: Vec<char> = row.merchant_operation_number.chars().collect();
    number[number.len().saturating_sub(4)..].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{NoCancel, NoRefund, Way, cancel, confirmation, is_returned_by_hand, refund, ways};
    use crate::staff_state::Intent;
    use crate::staff_state::test_data::row;
    use payment_model::{Cents, PaymentMethodName, TransactionState};
    use staff_model::Phase;

    #[test]
    fn only_settled_payments_of_three_methods_are_refunded() {
        let refundable = ["CARD", "WALLET", "INSTALLMENT"];
        let methods = PaymentMethodName::KNOWN
            .iter()
            .cloned()
            .chain(["NEW".into()]);
        for method in methods {
            let states = TransactionState::KNOWN
                .iter()
                .cloned()
                .chain(["NEW".into()]);
            for state in states.map(Some).chain([None]) {
                let mut row = row("1");
                (row.method_name, row.state) = (method.clone(), state.clone());
                let expected = if !refundable.contains(&method.as_str()) {
                    Err(NoRefund::Method(method.clone()))
                } else if state == Some(TransactionState::Settled) {
                    Ok(())
                } else {
                    Err(NoRefund::NotSettled(state))
                };
                assert_eq!(refund(&row, Some(Cents::new(1)), true), expected);
            }
        }
        assert_eq!(
            refund(&row("1"), Some(Cents::ZERO), true),
            Err(NoRefund::NothingLeft)
        );
        assert_eq!(
            refund(&row("1"), Some(Cents::new(1)), false),
            Err(NoRefund::NotPermitted)
        );
    }

    #[test]
    fn what_waits_is_cancelled_and_what_is_paid_is_reversed() {
        let check = |state: &str, expected| {
            let mut row = row("1");
            row.state = Some(state.into());
            assert_eq!(cancel(&row, true), expected, "{state}");
        };
        check("REGISTRADO", Ok(Intent::Cancel));
        check("PENDIENTE", Ok(Intent::Cancel));
        check("AUTORIZADO", Ok(Intent::Reverse));
        check("LIQUIDADO", Err(NoCancel::Settled));
        check("NUEVO", Err(NoCancel::Unknown));
        for over in ["INVALIDO", "DENEGADO", "CANCELADO", "EXPIRADO", "EXTORNADO"] {
            check(over, Err(NoCancel::Over));
        }
        let mut row = row("1");
        row.state = None;
        row.phase = Phase::InDoubt;
        assert_eq!(cancel(&row, true), Err(NoCancel::Unknown));
        row.phase = Phase::Lost;
        assert_eq!(cancel(&row, true), Err(NoCancel::Over));
        row.state = Some(TransactionState::Pending);
        assert_eq!(cancel(&row, false), Err(NoCancel::NotPermitted));
    }

    #[test]
    fn money_goes_back_by_the_best_way_there_is() {
        let check = |method: &str, state: &str, left: u64, expected: &[Way]| {
            let mut row = row("1");
            (row.method_name, row.state) = (method.into(), Some(state.into()));
            assert_eq!(
                ways(&row, Cents::new(left)),
                expected,
                "{method} {state} {left}"
            );
        };
        check("INSTALLMENT", "AUTORIZADO", 10_000, &[Way::Reverse]);
        check("INSTALLMENT", "LIQUIDADO", 10_000, &[Way::Refund]);
        check("INSTALLMENT", "LIQUIDADO", 1, &[Way::Refund]);
        check("INSTALLMENT", "LIQUIDADO", 0, &[]);
        check("QR", "AUTORIZADO", 10_000, &[Way::Reverse, Way::ByHand]);
        check("QR", "AUTORIZADO", 9_999, &[Way::ByHand, Way::Reverse]);
        check("QR", "AUTORIZADO", 0, &[Way::Reverse]);
        check("QR", "LIQUIDADO", 10_000, &[Way::ByHand]);
        for state in ["PENDIENTE", "EXPIRADO", "EXTORNADO", "NUEVO"] {
            check("QR", state, 10_000, &[]);
        }
    }

    #[test]
    fn money_of_other_methods_goes_back_by_hand() {
        let mut row = row("482193017756");
        assert!(!is_returned_by_hand(&row));
        row.method_name = PaymentMethodName::Qr;
        assert!(is_returned_by_hand(&row));
        row.state = Some(TransactionState::Pending);
        assert!(!is_returned_by_hand(&row));
        assert_eq!(confirmation(&row), "7756");
        row.merchant_operation_number = "7".to_owned();
        assert_eq!(confirmation(&row), "7");
    }
}
