//! Ends a doubt about money by a second member of staff, and says which exceptions stay on the list
//! until a doubt has ended.

use super::Ledger;
use super::refund_attempts::{AttemptRecord, Release};
use super::reversals::ReversalRecord;
use crate::outgoing::{Progress, RequestEvent};
use crate::timing::Reading;
use payment_model::Timestamp;
use staff_model::{AttemptState, ExceptionKind, ReversalState};
use std::time::Duration;

/// The proof of a complete list of the service's refunds that does not have the attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListProof {
    /// When the poll began.
    pub began: Timestamp,
    /// For how long the service may take to carry out a request whose answer was lost.
    pub may_run_for: Duration,
}

/// Why an attempt's amount is not released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptReleaseError {
    /// It is not in doubt.
    NotInDoubt(AttemptState),
    /// The service may still carry it out, or the list is older than the doubt.
    TooEarly,
    /// The member of staff who asked for the refund, or for its release, may not release it.
    SamePerson,
    /// A program of the shop asked for the refund. The request is on record, and another member of staff has to
    /// release it.
    SecondPerson,
    /// The ledger has no attempt with this id.
    NotFound,
}

/// Whether a release has its second person.
enum Second {
    Given,
    Missing,
    SamePerson,
}

/// True for a member of staff, who is the first of the two people. Who holds a key of a program of the shop may have an
/// account of staff, too, and is one person, so that a program is none of the two.
fn is_person(requester: &str) -> bool {
    // No account of staff has a colon in its name.
    !requester.contains(':')
}

/// Where no person asked for the request, the first member of staff asks for the release, and another one releases.
fn second_person(asked_by: &mut Option<String>, release: &Release) -> Second {
    match asked_by {
        None => {
            *asked_by = Some(release.by.clone());
            Second::Missing
        }
        Some(first) if *first == release.by => Second::SamePerson,
        Some(_) => Second::Given,
    }
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
    ) -> Result<AttemptRecord, AttemptReleaseError> {
        let attempt = self.attempt_mut(id).ok_or(AttemptReleaseError::NotFound)?;
        // The list proves nothing about a doubt that is newer than its poll, and the service may
        // still be carrying out a request whose answer did not come in time.
        let newer = attempt.is_pending() && attempt.changed_at >= proof.began;
        let young = attempt
            .begun_at
            .is_some_and(|begun| at.min_elapsed_since(begun) < proof.may_run_for);
        if newer || young {
            return Err(AttemptReleaseError::TooEarly);
        }
        if attempt.requester.staff == release.by {
            return Err(AttemptReleaseError::SamePerson);
        }
        if attempt.after(RequestEvent::Released).is_none() {
            return Err(AttemptReleaseError::NotInDoubt(attempt.state));
        }
        if !is_person(&attempt.requester.staff) {
            match second_person(&mut attempt.release_asked_by, &release) {
                Second::Missing => return Err(AttemptReleaseError::SecondPerson),
                Second::SamePerson => return Err(AttemptReleaseError::SamePerson),
                Second::Given => {}
            }
        }
        attempt.released(release);
        Ok(attempt.clone())
    }
}

/// Why a reversal's amount is not released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReversalReleaseError {
    /// It is not in doubt.
    NotInDoubt(ReversalState),
    /// The service may still carry it out.
    TooEarly,
    /// The member of staff who asked for it may not release it.
    SamePerson,
    /// The request is on record, and another member of staff has to release it.
    SecondPerson,
    /// The ledger has no reversal with this id.
    NotFound,
}

impl Ledger {
    /// Releases the amount of a reversal in doubt, by a second person; by one, where no person asked for it and nothing is
    /// paid.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn release_reversal(
        &mut self,
        id: &str,
        release: Release,
        at: Reading,
    ) -> Result<ReversalRecord, ReversalReleaseError> {
        use ReversalReleaseError as Refusal;
        let (reported, paid) = (self.reversal_reported, self.is_paid());
        let own = self.reversals.iter_mut().find(|own| own.id == id);
        let reversal = own.ok_or(Refusal::NotFound)?;
        if reversal.staff.as_ref() == Some(&release.by) {
            return Err(Refusal::SamePerson);
        }
        if reversal.after(RequestEvent::Released).is_none() {
            return Err(Refusal::NotInDoubt(reversal.state));
        }
        let too_early = !reversal.arrives_within(at).is_zero();
        // The reversal that an answer reported may be the effect of this request.
        if reported || too_early {
            return Err(Refusal::TooEarly);
        }
        let takes_two = match &reversal.staff {
            Some(requester) => !is_person(requester),
            // The release of a payer's or the server's own cancellation announces a payment in force. Without one it gives
            // nothing away, and one person is enough.
            None => paid,
        };
        if takes_two {
            match second_person(&mut reversal.release_asked_by, &release) {
                Second::Missing => return Err(Refusal::SecondPerson),
                Second::SamePerson => return Err(Refusal::SamePerson),
                Second::Given => {}
            }
        }
        reversal.move_to(Progress::Released, release.reason.clone(), release.at);
        reversal.release = Some(release);
        Ok(reversal.clone())
    }
}

impl Ledger {
    /// True when staff may take an exception of this kind off their list. An exception about an
    /// unknown outcome stays until the outcome is known.
    pub fn can_resolve(&self, kind: ExceptionKind) -> bool {
        match kind {
            // These are resolved by the query after the doubt, the end of the return and the shop's
            // acceptance of the event.
            ExceptionKind::InDoubt | ExceptionKind::ReturnOpen | ExceptionKind::EventRefused => {
                false
            }
            ExceptionKind::ReversalUnknown => self.pending_reversal().is_none(),
            // Without a pending attempt the refund appeared after its release, which staff have to
            // see.
            ExceptionKind::RefundUnknown => !self.attempts.iter().any(AttemptRecord::is_pending),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ledger::Purpose;
    use crate::ledger::fixture::{doubtful, ledger, reversal};
    use crate::operation::fixture::reading;
    use crate::timing::instant;
    use staff_model::ExceptionKind;

    #[test]
    fn an_exception_about_an_unknown_outcome_stays_until_the_outcome_is_known() {
        let (known, refund_unknown) = (ledger(), doubtful("a", 100, instant(1)));
        let mut reversal_unknown = ledger();
        let new = reversal("v", Purpose::Reverse, instant(1));
        reversal_unknown.reserve_reversal(new, reading(instant(1)));
        for (kind, resolvable) in [
            (ExceptionKind::PaidTwice, [true, true, true]),
            (ExceptionKind::RefundUnknown, [true, false, true]),
            (ExceptionKind::ReversalUnknown, [true, true, false]),
            (ExceptionKind::InDoubt, [false, false, false]),
            (ExceptionKind::ReturnOpen, [false, false, false]),
            (ExceptionKind::EventRefused, [false, false, false]),
        ] {
            let found = [&known, &refund_unknown, &reversal_unknown];
            assert_eq!(
                found.map(|ledger| ledger.can_resolve(kind)),
                resolvable,
                "{kind:?}"
            );
        }
    }
}
