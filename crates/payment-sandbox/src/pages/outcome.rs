use super::words::{Notice, Words};
use payment_model::{Outcome, TransactionState};

/// The text about an operation that cannot be paid any more; `None` while it can.
pub(super) fn outcome<'a>(
    words: &'a Words,
    state: &TransactionState,
) -> Option<(&'static str, &'a Notice)> {
    if *state == TransactionState::Pending {
        return None;
    }
    Some(match Outcome::of_state(state) {
        Some(Outcome::Paid) => ("good", &words.paid),
        Some(Outcome::Declined) => ("bad", &words.declined),
        Some(Outcome::Expired) => ("quiet", &words.expired),
        Some(Outcome::Cancelled) => ("quiet", &words.cancelled),
        Some(Outcome::Reversed) => ("quiet", &words.reversed),
        Some(Outcome::Invalid) => ("bad", &words.invalid),
        None => ("quiet", &words.not_ready),
    })
}
