//! Answers that are believed and contradict what earlier ones said. The stored state stays, and
//! staff, and the shop where money is concerned, learn that the service says something else.

use super::OperationRecord;
use super::asked::Asked;
use super::transition::Taken;
use crate::planted::{Mistake, planted};
use payment_model::{Outcome, Timestamp, Transaction};

/// The first of the answers that contradict the stored state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    pub at: Timestamp,
    /// In a sentence for staff.
    pub detail: String,
}

impl OperationRecord {
    pub(super) fn contradicted_at(&self) -> Option<Timestamp> {
        self.contradiction.as_ref().map(|one| one.at)
    }

    /// True while the service's answers disagree about this payment: nothing that rests on its
    /// state may give money back.
    pub fn is_disputed(&self) -> bool {
        self.reversal_seen_at.is_some() || self.contradiction.is_some()
    }

    /// True while only one answer said that a payment that was given back is in force.
    pub(super) fn is_to_be_asked_again(&self) -> bool {
        self.contradiction.is_some() && self.paid_again_at.is_none()
    }

    /// Compares the stored state with an answer that does not replace it.
    pub(super) fn compare(
        &mut self,
        stored: &Transaction,
        answered: &Transaction,
        asked: &Asked,
        now: Timestamp,
    ) -> Taken {
        // A late answer says what was true before the stored state was known.
        if !asked.knew_state(self) {
            return Taken::Overtaken;
        }
        let (was, is) = (stored.outcome(), answered.outcome());
        if was == is {
            self.contradiction = None;
            return Taken::Believed;
        }
        let unknown = is.is_none() && !answered.state.is_waiting();
        let contradicts = match was {
            // A cancellation may be a reversal, which a second answer has to confirm.
            Some(Outcome::Paid) => is != Some(Outcome::Cancelled) && !unknown,
            Some(Outcome::Reversed) => is == Some(Outcome::Paid),
            _ => false,
        };
        if !contradicts || planted(Mistake::ContradictionIsSwallowed) {
            return Taken::Overtaken;
        }
        if was == Some(Outcome::Reversed)
            && self.contradiction.is_some()
            && asked.asks_again_about_contradiction(self)
        {
            self.paid_again_at.get_or_insert(now);
        }
        self.contradiction.get_or_insert_with(|| Contradiction {
            at: now,
            detail: format!(
                "the payment service answered {} after {}",
                answered.state, stored.state
            ),
        });
        Taken::Contradicts
    }
}
