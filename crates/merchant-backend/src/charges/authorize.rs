//! An attempt to pay an order: at most one live operation, one answer for each key.

use super::Charges;
use super::payment_attempt::{Attempt, Authorization, AuthorizeOrder, SOON, Stop, Undecided};
use super::retries::Retries;
use super::send_authorization::Sent;
use crate::clock::now;
use crate::db::{DbError, Reservation};
use crate::payment_service::ServiceError;
use payment_rules::idempotent_answer::{AuthorizationAnswer, AuthorizationRefusal, Numbers};
use payment_rules::idempotent_request::Standing;
use payment_rules::operation::OperationRecord;
use payment_rules::payment::BeginAttemptError;
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::Instant;

/// How long a payer waits for a code that may come by another way, before there is another one.
const ANOTHER_CODE: Duration = Duration::from_mins(1);

/// When to ask again while the background settles doubts of the order.
const DOUBTS_OPEN: Duration = Duration::from_secs(5);

impl Charges {
    /// Runs an attempt, or returns the earlier answer of its key. Run this as a task of its own: it
    /// must not end with the request that began it.
    pub(crate) async fn authorize(&self, wanted: AuthorizeOrder) -> Result<Authorization, DbError> {
        let timing = &self.settings.timing;
        let AuthorizeOrder {
            order,
            request,
            method,
            replaces,
        } = wanted;
        let deadline = Instant::now() + timing.key_wait;
        let claim = match self.keys.claim(&request, timing.lease(), deadline).await? {
            Ok(claim) => claim,
            Err(Standing::Running) => return Ok(Authorization::Undecided(Undecided::Running)),
            Err(Standing::Other) => return Ok(Authorization::Undecided(Undecided::KeyReused)),
            Err(Standing::Answered(AuthorizationAnswer::Refused(refusal))) => {
                return Ok(Authorization::Refused(refusal));
            }
            Err(Standing::Answered(AuthorizationAnswer::Operation(key))) => {
                let record = self.db.operation(&key).await?;
                let answer = record.and_then(|record| record.answer);
                return answer
                    .map(|answer| Authorization::Operation(Box::new(answer)))
                    .ok_or_else(|| DbError::missing("the answer of an attempt"));
            }
        };
        let attempt = Attempt {
            order,
            method,
            replaces,
            claim,
        };
        let Err(stop) = self.attempt_payment(&attempt, deadline).await;
        match stop {
            // The end and the answer are on disk already.
            Stop::Answer(answer @ (Authorization::Operation(_) | Authorization::Refused(_))) => {
                self.keys.ended(&attempt.claim);
                Ok(answer)
            }
            Stop::Answer(answer @ Authorization::Undecided(_)) => {
                self.free_key(&attempt).await;
                Ok(answer)
            }
            Stop::Database(error) => {
                self.free_key(&attempt).await;
                Err(error)
            }
        }
    }

    /// Repeats until there is an answer, so it ends without one only by an error.
    async fn attempt_payment(
        &self,
        attempt: &Attempt,
        deadline: Instant,
    ) -> Result<Infallible, Stop> {
        let mut retries = Retries::new(self.settings.timing.payment_timeout / 2);
        loop {
            let draft = self.draft(attempt).await?;
            let reserved = self.db.reserve(&draft.record, &attempt.claim).await;
            let (reservation, window) = match reserved {
                Ok(reserved) => reserved,
                Err(error) => {
                    self.forget_unsent(draft.record);
                    return Err(error.into());
                }
            };
            match reservation {
                Reservation::NumberTaken => {}
                // The repetition meets the process that has the key now.
                Reservation::ClaimLost => return Err(Undecided::Running.into()),
                Reservation::Refused(refused) => {
                    self.refused(attempt, refused, deadline).await?;
                }
                Reservation::Reserved => {
                    let shown = draft.record.is_shown_by_us();
                    match self
                        .send_authorization(draft, &attempt.claim, window)
                        .await?
                    {
                        Sent::Answered(record) => {
                            let answer =
                                record.answer.ok_or_else(|| DbError::missing("an answer"))?;
                            return Err(Stop::Answer(Authorization::Operation(Box::new(answer))));
                        }
                        Sent::Refused(refusal) => return Err(refusal.into()),
                        // Others hold the order, and maybe the key, by now.
                        Sent::Late => return Err(Undecided::Running.into()),
                        Sent::NumberTaken => retries.with_another_number()?,
                        // The reservation of another code by this key finds the doubt.
                        Sent::Doubtful(_) if !shown => {}
                        Sent::Locked(error @ ServiceError::Unauthorized) => {
                            let wait = error.retry_after().unwrap_or(SOON);
                            return Err(Undecided::Unavailable(wait).into());
                        }
                        Sent::Doubtful(error) | Sent::Locked(error) => retries.again(&error)?,
                    }
                }
            }
        }
    }

    /// Ends the attempt with why the order refused it, unless that is a live operation that has ended
    /// or was withdrawn meanwhile.
    async fn refused(
        &self,
        attempt: &Attempt,
        refused: BeginAttemptError,
        deadline: Instant,
    ) -> Result<(), Stop> {
        Err(match refused {
            BeginAttemptError::Live(record) => {
                return self.meet_live(attempt, *record, deadline).await;
            }
            BeginAttemptError::Paid(record) => Stop::paid(&record),
            BeginAttemptError::GivenBack(record) => self.tell_given_back(attempt, &record).await?,
            BeginAttemptError::Fenced => Undecided::Restored.into(),
            // The repetition reads the order anew.
            BeginAttemptError::OrderChanged => Undecided::Running.into(),
            BeginAttemptError::TooManyOperations => self.too_many(attempt).await?,
            BeginAttemptError::DoubtsOpen => Undecided::Unavailable(DOUBTS_OPEN).into(),
            BeginAttemptError::OwnCodeInDoubt(record) => {
                let wait = self.another_code_in(&record);
                Undecided::Unconfirmed(Numbers::of(&record), wait).into()
            }
        })
    }

    /// When the payer may ask for another code beside one that may come by another way.
    fn another_code_in(&self, doubt: &OperationRecord) -> Duration {
        let age = now().duration_since(doubt.created_at);
        ANOTHER_CODE.saturating_sub(age).max(SOON)
    }

    /// Limits attempts without end: each operation is a permanent row and a request to the service.
    async fn too_many(&self, attempt: &Attempt) -> Result<Stop, DbError> {
        let refusal = AuthorizationRefusal::TooManyOperations;
        let answer = AuthorizationAnswer::Refused(refusal.clone());
        self.db.end(&attempt.claim, Some(&answer)).await?;
        Ok(refusal.into())
    }
}
