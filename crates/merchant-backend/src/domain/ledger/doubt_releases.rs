use super::refund_attempt_record::{AttemptRecord, Release};
use super::reversal_record::ReversalRecord;
use super::state::Ledger;
use staff_model::{AttemptState, ReversalState};

/// Why an attempt's amount is not released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReleaseRefusal {
    /// It is not in doubt, or not in doubt any more.
    NotInDoubt(AttemptState),
    /// The member of staff who asked for the refund may not release it.
    SamePerson,
    NotFound,
}

impl Ledger {
    /// Releases the amount of an attempt in doubt, by a second person.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(crate) fn release(
        &mut self,
        id: &str,
        release: Release,
    ) -> Result<AttemptRecord, ReleaseRefusal> {
        let attempt = self.attempt_mut(id).ok_or(ReleaseRefusal::NotFound)?;
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
pub(crate) enum ReversalReleaseRefusal {
    /// It is not in doubt, or not in doubt any more.
    NotInDoubt(ReversalState),
    /// The service may still carry it out.
    TooEarly,
    /// The member of staff who asked for it may not release it.
    SamePerson,
    NotFound,
}

impl Ledger {
    /// Releases the amount of a reversal in doubt, by a second person.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(crate) fn release_reversal(
        &mut self,
        id: &str,
        release: Release,
    ) -> Result<ReversalRecord, ReversalReleaseRefusal> {
        use ReversalReleaseRefusal as Refusal;
        let own = self.reversals.iter_mut().find(|own| own.id == id);
        let reversal = own.ok_or(Refusal::NotFound)?;
        if reversal.staff.as_ref() == Some(&release.by) {
            return Err(Refusal::SamePerson);
        }
        if reversal.state != ReversalState::InDoubt {
            return Err(Refusal::NotInDoubt(reversal.state));
        }
        // If it seems to have left later than now, the clock was set back and proves nothing.
        let told = reversal.begun_at <= release.at;
        if told
            && reversal
                .arrives_until
                .is_some_and(|until| until > release.at)
        {
            return Err(Refusal::TooEarly);
        }
        reversal.enter(ReversalState::Released, release.reason.clone(), release.at);
        reversal.release = Some(release);
        Ok(reversal.clone())
    }
}
