//! How operations of the server change their state.

use crate::support::page::Page;
use payment_model::TransactionState;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Move {
    Pay,
    Decline,
    Expire,
    Invalidate,
    Cancel,
    Settle,
    Reverse,
    Puzzle,
    Wait,
}

/// Moves an operation within the specification or beyond it: late payments, reversals, unknown
/// states.
pub(crate) fn moves(page: &mut Page, which: usize, to: Move) {
    use TransactionState as S;
    let Some(charge) = page.server.charges.get(which) else {
        return;
    };
    let open = charge.state.is_waiting() || matches!(charge.state, S::Unknown(_));
    let unpaid = matches!(charge.state, S::Expired | S::Cancelled | S::Declined);
    let state = match to {
        Move::Pay if (open || unpaid) && !charge.was_paid() => S::Authorized,
        Move::Decline if open => S::Declined,
        Move::Expire if open => S::Expired,
        Move::Invalidate if open => S::Invalid,
        Move::Cancel if open => S::Cancelled,
        Move::Settle if charge.state == S::Authorized => S::Settled,
        Move::Reverse if charge.state == S::Authorized => S::Cancelled,
        Move::Reverse if charge.state == S::Settled => S::Reversed,
        Move::Puzzle if open => S::from("NUEVO"),
        Move::Wait if open => S::Pending,
        _ => return,
    };
    page.server_says(which, state);
}
