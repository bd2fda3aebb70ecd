use super::attempt::{AttemptRecord, Release};
use super::ledger::Ledger;
use staff_model::AttemptState;

/// Why an attempt's amount is not given free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReleaseRefusal {
    /// It is not in doubt, or not any more.
    NotInDoubt(AttemptState),
    /// Whoever asked for the refund does not decide that it never happened.
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
