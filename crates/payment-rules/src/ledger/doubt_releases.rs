use super::refund_attempt_record::{AttemptRecord, Release};
use super::reversal_record::ReversalRecord;
use super::state::Ledger;
use crate::planted::{Mistake, planted};
use crate::reading::Reading;
use payment_model::Timestamp;
use staff_model::{AttemptState, ReversalState};
use std::time::Duration;

/// A poll of the service's refunds whose list is complete and does not have the attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListProof {
    /// When the poll began.
    pub began: Timestamp,
    /// For how long the service may take to carry out a request whose answer was lost.
    pub lost_for: Duration,
}

/// Why an attempt's amount is not released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReleaseRefusal {
    /// It is not in doubt, or not in doubt any more.
    NotInDoubt(AttemptState),
    /// The member of staff who asked for the refund may not release it.
    SamePerson,
    NotFound,
}

impl Ledger {
    /// Releases the amount of an attempt in doubt, by a second person, after a poll of the service's
    /// complete list.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn release(
        &mut self,
        id: &str,
        release: Release,
        proof: ListProof,
        at: Reading,
    ) -> Result<AttemptRecord, ReleaseRefusal> {
        let attempt = self.attempt_mut(id).ok_or(ReleaseRefusal::NotFound)?;
        // The list says nothing about a doubt that came up after its poll began, and the service may still
        // work on a request whose answer did not come in time.
        let newer = attempt.is_pending() && attempt.changed_at >= proof.began;
        let young = attempt
            .begun_at
            .is_some_and(|begun| at.proven_since(begun) < proof.lost_for);
        if newer || young {
            return Err(ReleaseRefusal::NotInDoubt(AttemptState::Sending));
        }
        if attempt.asker.staff == release.by {
            return Err(ReleaseRefusal::SamePerson);
        }
        if attempt.state != AttemptState::InDoubt {
            return Err(ReleaseRefusal::NotInDoubt(attempt.state));
        }
        attempt.released(release);
        Ok(attempt.clone())
    }
}

/// Why a reversal's amount is not released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReversalReleaseRefusal {
    /// It is not in doubt, or not in doubt any more.
    NotInDoubt(ReversalState),
    /// The service may still carry it out.
    TooEarly,
    /// The member of staff who asked for it may not release it.
    SamePerson,
    /// The request is on record, and another member of staff has to release it.
    SecondPerson,
    NotFound,
}

impl Ledger {
    /// Releases the amount of a reversal in doubt, by a second person.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn release_reversal(
        &mut self,
        id: &str,
        release: Release,
        at: Reading,
    ) -> Result<ReversalRecord, ReversalReleaseRefusal> {
        use ReversalReleaseRefusal as Refusal;
        let (reported, paid) = (self.reversal_reported, self.is_paid());
        let own = self.reversals.iter_mut().find(|own| own.id == id);
        let reversal = own.ok_or(Refusal::NotFound)?;
        if reversal.staff.as_ref() == Some(&release.by) {
            return Err(Refusal::SamePerson);
        }
        if reversal.state != ReversalState::InDoubt {
            return Err(Refusal::NotInDoubt(reversal.state));
        }
        let set_back = planted(Mistake::ReleaseTrustsTheClock) && reversal.begun_at > at.now;
        // An answer that reports a reversal may be that of this request.
        if reported || (!set_back && !reversal.arrives_within(at).is_zero()) {
            return Err(Refusal::TooEarly);
        }
        // A release beside a payment announces it, which takes two people also where no member of
        // staff asked for the cancellation.
        if reversal.staff.is_none() && paid {
            reversal.staff = Some(release.by);
            return Err(Refusal::SecondPerson);
        }
        reversal.enter(ReversalState::Released, release.reason.clone(), release.at);
        reversal.release = Some(release);
        Ok(reversal.clone())
    }
}
