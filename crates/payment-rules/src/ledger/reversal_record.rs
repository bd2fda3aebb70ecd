use super::refund_attempt_record::Release;
use crate::planted::{Mistake, planted};
use crate::reading::Reading;
use payment_model::{Cents, Timestamp};
use staff_model::{Reversal, ReversalState};
use std::time::Duration;

/// The purpose of a cancellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To end a waiting operation; a payment that is known stays.
    Cancel,
    /// To give the payment back.
    Reverse,
    /// To learn from the answer what the service has.
    SettleDoubt,
}

impl Purpose {
    const ALL: [Self; 3] = [Self::Cancel, Self::Reverse, Self::SettleDoubt];

    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cancel => "cancel",
            Self::Reverse => "reverse",
            Self::SettleDoubt => "settle_doubt",
        }
    }

    /// Reads the word of the store.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|purpose| purpose.as_str() == word)
    }
}

/// Why an unpaid operation was cancelled, as its payer's other pages learn it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndCause {
    /// Another operation of the order took its place, or paid the order.
    Replaced,
    /// The payer cancelled it.
    Payer,
    /// A member of staff did.
    Staff,
}

impl EndCause {
    const ALL: [Self; 3] = [Self::Replaced, Self::Payer, Self::Staff];

    /// The word in the store and in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Replaced => "replaced",
            Self::Payer => "payer",
            Self::Staff => "staff",
        }
    }

    /// Reads the word of the store.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.as_str() == word)
    }
}

/// A request to cancel or reverse, as the store has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReversalRecord {
    pub id: String,
    /// In cents: all of the operation.
    pub amount: u64,
    pub purpose: Purpose,
    /// The last member of staff who asked for it, if one did.
    pub staff: Option<String>,
    /// Why it was sent, if no member of staff asked for it; see [`Self::end_cause`].
    pub cause: Option<EndCause>,
    /// When its last request left. A request of unknown outcome may be repeated: the service
    /// gives a payment back once, however often it is asked.
    pub begun_at: Timestamp,
    pub changed_at: Timestamp,
    pub state: ReversalState,
    /// Until when the last request may be carried out, should its answer be lost.
    pub lost_until: Timestamp,
    /// Until when a request whose answer was lost may still be carried out.
    pub arrives_until: Option<Timestamp>,
    /// With which status the service refused.
    pub service_status: Option<u16>,
    /// The reason for its state, in a sentence in English.
    pub detail: String,
    pub release: Option<Release>,
}

/// A request to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReversal {
    pub id: String,
    pub purpose: Purpose,
    pub staff: Option<String>,
    /// Why it is sent, if no member of staff asks for it.
    pub cause: Option<EndCause>,
    /// What the account of staff may still give back, in cents; everything for the server and a payer.
    pub allowed: u64,
    /// When it was asked for. A request that left after this instant is shared instead of sent again.
    pub asked_at: Timestamp,
    /// For how long the service may take to carry it out, should its answer be lost.
    pub lost_for: Duration,
}

/// How a request ended, if not by a state of the operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReversalEnd {
    /// The service did not carry it out; with its status, if it answered.
    NotDone(String, Option<u16>),
    /// The outcome is unknown.
    InDoubt(String),
}

impl ReversalRecord {
    /// True when it reserves the whole amount of its operation.
    pub fn is_pending(&self) -> bool {
        matches!(self.state, ReversalState::Sending | ReversalState::InDoubt)
    }

    /// Why the operation ended, if this request ended it.
    pub fn end_cause(&self) -> Option<EndCause> {
        let by_staff = self.staff.is_some().then_some(EndCause::Staff);
        by_staff
            .or(self.cause)
            .filter(|_| self.state == ReversalState::Done)
    }

    /// How long the service may still take to carry out its last request, or an earlier one whose
    /// answer was lost.
    pub(super) fn arrives_within(&self, at: Reading) -> Duration {
        let until = self.arrives_until.unwrap_or_default();
        let wait = until.duration_since(self.begun_at);
        let passed = if planted(Mistake::JumpCountsAsTime) {
            at.now.duration_since(self.begun_at)
        } else {
            at.proven_since(self.begun_at)
        };
        wait.saturating_sub(passed)
    }

    /// The request as staff see it.
    pub fn shown(&self) -> Reversal {
        Reversal {
            reversal_id: self.id.clone(),
            state: self.state,
            amount: Cents::new(self.amount),
            staff: self.staff.clone(),
            at: self.begun_at,
            detail: self.detail.clone(),
            released_by: self.release.as_ref().map(|release| release.by.clone()),
        }
    }

    pub(super) fn lose(&mut self, detail: impl Into<String>, now: Timestamp) {
        self.service_status = None;
        self.arrives_until = self.arrives_until.max(Some(self.lost_until));
        self.enter(ReversalState::InDoubt, detail, now);
    }

    pub(super) fn enter(
        &mut self,
        state: ReversalState,
        detail: impl Into<String>,
        now: Timestamp,
    ) {
        self.state = state;
        self.detail = detail.into();
        self.changed_at = now;
    }
}

#[cfg(test)]
mod tests {
    use super::{EndCause, Purpose};

    #[test]
    fn a_purpose_is_read_from_its_word() {
        for (purpose, word) in [
            (Purpose::Cancel, "cancel"),
            (Purpose::Reverse, "reverse"),
            (Purpose::SettleDoubt, "settle_doubt"),
        ] {
            assert_eq!(purpose.as_str(), word);
            assert_eq!(Purpose::from_word(word), Some(purpose));
        }
        assert_eq!(Purpose::from_word("Cancel"), None);
    }

    #[test]
    fn a_cause_is_read_from_its_word() {
        for cause in EndCause::ALL {
            assert_eq!(EndCause::from_word(cause.as_str()), Some(cause));
        }
        assert_eq!(EndCause::from_word(""), None);
    }
}
