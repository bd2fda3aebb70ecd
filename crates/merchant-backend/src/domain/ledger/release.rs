use super::refund_attempt_record::{AttemptRecord, Release};
use super::reversal_record::ReversalRecord;
use super::state::Ledger;
use staff_model::{AttemptState, ReversalState};

/// Why an attempt's amount is not given free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReleaseRefusal {
    /// It is not in doubt, or not any more.
    NotInDoubt(AttemptState),
    /// The member of staff who asked for the refund does not decide that it never happened.
    SamePerson,
    NotFound,
}

impl Ledger {
    /// Gives the amount of a doubtful attempt free, in the name of a second person.
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

/// Why a reversal's amount is not given free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReversalReleaseRefusal {
    /// It is not in doubt, or not any more.
    NotInDoubt(ReversalState),
    /// The service may still carry it out.
    TooEarly,
    /// The one who asked for it does not decide that it never happened.
    SamePerson,
    NotFound,
}

impl Ledger {
    /// Gives the amount of a reversal in doubt free, in the name of a second person.
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
        // Of one that seems to have left later, the clock tells nothing: it was set back.
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
