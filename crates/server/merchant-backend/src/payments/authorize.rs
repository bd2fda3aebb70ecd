//! An attempt to pay an order: at most one live operation, and one final answer for each idempotency
//! key.
//!
//! The operation is on disk before its request leaves, and the service's answer is on disk before the
//! browser gets it. The live operation reserves the order until the service refuses the operation, the
//! operation ends unpaid, or its request is known never to have left. An operation in doubt does not
//! reserve the order: its payer has no code, and the background settles it. Where the code comes by another way, its payer
//! waits for it.

use super::new_operation::SendOutcome;
use super::new_operation::{Attempt, AuthorizeCommand};
use super::{DEFAULT_RETRY_AFTER, Payments};
use crate::clock::now;
use crate::db::{BeginAttemptOutcome, DbError};
use crate::payment_service::ServiceError;
use payment_model::{AuthorizeResponse, NotOffered, PaymentMethodName};
use payment_rules::idempotency::{
    AuthorizationAnswer, AuthorizationRefusal, Claim, KeyState, Numbers,
};
use payment_rules::operation::OperationRecord;
use payment_rules::payment::BeginAttemptError;
use std::time::Duration;
use tokio::time::Instant;

/// How long a payer waits for a code that may come by another way, before there is another one.
const ANOTHER_CODE_AFTER: Duration = Duration::from_mins(1);

/// When to ask again while the background settles doubts of the order.
const RETRY_AFTER_DOUBTS: Duration = Duration::from_secs(5);

/// After how many taken numbers an attempt ends: so many random numbers cannot have been used before, so
/// that the service means something else by that status.
const MAX_TAKEN_NUMBERS: u32 = 3;

/// The result of an attempt.
pub(crate) enum Authorization {
    /// The operation to pay, as the service first answered.
    Operation(Box<AuthorizeResponse>),
    /// The final answer of this key.
    Refused(AuthorizationRefusal),
    /// The order cannot be paid by the method. The key is not spent, and nothing was made.
    NotOffered(NotOffered),
    /// The key is not spent: a repetition runs again.
    Retryable(AuthorizeError),
}

/// Why an attempt has no final answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AuthorizeError {
    /// The key was used for another order, method or redirect URL.
    KeyReused,
    /// The same attempt, or another one of its order, still runs.
    Running,
    /// The order is paid, by this operation.
    OrderPaid(Numbers),
    /// The order has this live operation of another method, and its payer did not say to leave it.
    Live(Numbers, PaymentMethodName),
    /// A code or a payment of the order is still unconfirmed; to be asked again after so long.
    Unconfirmed(Numbers, Duration),
    /// The order is older than the backup from which the server was restored.
    Restored,
    /// The service gave no usable answer; to be asked again after so long.
    Unavailable(Duration),
}

impl Payments {
    /// Runs an attempt, or returns the earlier answer of its key. Run this as a task of its own: it
    /// must not end with the request that began it.
    pub(crate) async fn authorize(
        &self,
        command: AuthorizeCommand,
    ) -> Result<Authorization, DbError> {
        let deadline = Instant::now() + self.settings.timing.key_wait;
        let mut claim = None;
        let result = self.run_attempt(&command, &mut claim, deadline).await;
        if let Some(claim) = claim {
            match &result {
                // The final answer is on disk.
                Ok(Authorization::Operation(_) | Authorization::Refused(_)) => {
                    self.keys.ended(&claim);
                }
                Ok(Authorization::NotOffered(_) | Authorization::Retryable(_)) | Err(_) => {
                    self.free_key(&claim).await;
                }
            }
        }
        result
    }

    /// Sends operations until one is answered, or until the payer has to decide or wait. Leaves the claim that it
    /// got.
    async fn run_attempt(
        &self,
        command: &AuthorizeCommand,
        held: &mut Option<Claim>,
        deadline: Instant,
    ) -> Result<Authorization, DbError> {
        let settings = &self.settings;
        let mut retries = Retries::new(settings.payment_timeout / 2);
        loop {
            if held.is_none()
                && let Some(state) = self.keys.state_at_end(&command.request, deadline).await?
            {
                return self.answer_of(state).await;
            }
            let draft = self.draft(command).await?;
            let begun = self.db.begin_attempt(
                &draft.record,
                &command.limits,
                &command.request,
                held,
                settings.lease(),
            );
            let (outcome, window) = match begun.await {
                Ok(begun) => begun,
                Err(error) => {
                    self.void_unsent(draft.record);
                    return Err(error);
                }
            };
            if let BeginAttemptOutcome::Refused(BeginAttemptError::NotOffered(why)) = outcome {
                return Ok(Authorization::NotOffered(why));
            }
            let Some(claim) = held.clone() else {
                // Another process has the key, whose state the next round reads, or the number was taken.
                continue;
            };
            let end = match outcome {
                BeginAttemptOutcome::NumberTaken => None,
                // The repetition meets the process that has the key now.
                BeginAttemptOutcome::KeyTaken => Some(AuthorizeError::Running.into()),
                BeginAttemptOutcome::Refused(refused) => {
                    let claim = &claim;
                    let attempt = Attempt { command, claim };
                    self.resolve_refusal(&attempt, refused, deadline).await?
                }
                BeginAttemptOutcome::Begun => {
                    let shown_by_us = draft.record.is_shown_by_us();
                    let sent = self.send_authorization(draft, &claim, window);
                    match sent.await? {
                        SendOutcome::Answered(record) => return shown(*record),
                        SendOutcome::Refused(refusal) => Some(Authorization::Refused(refusal)),
                        // Others hold the order, and maybe the key, by now.
                        SendOutcome::TooLate => Some(AuthorizeError::Running.into()),
                        SendOutcome::NumberTaken => retries.with_another_number(),
                        // The next operation of this key meets the doubt, and the payer waits.
                        SendOutcome::Unknown(_) if !shown_by_us => None,
                        SendOutcome::NothingDone(error @ ServiceError::Unauthorized) => {
                            let wait = error.retry_after().unwrap_or(DEFAULT_RETRY_AFTER);
                            Some(AuthorizeError::Unavailable(wait).into())
                        }
                        SendOutcome::Unknown(error) | SendOutcome::NothingDone(error) => {
                            retries.again(&error)
                        }
                    }
                }
            };
            if let Some(end) = end {
                return Ok(end);
            }
        }
    }

    /// The answer to a request whose key does not run.
    async fn answer_of(
        &self,
        state: KeyState<AuthorizationAnswer>,
    ) -> Result<Authorization, DbError> {
        Ok(match state {
            KeyState::Running => AuthorizeError::Running.into(),
            KeyState::Other => AuthorizeError::KeyReused.into(),
            KeyState::Answered(AuthorizationAnswer::Refused(refusal)) => {
                Authorization::Refused(refusal)
            }
            KeyState::Answered(AuthorizationAnswer::Operation(key)) => {
                shown(self.operation(&key).await?)?
            }
        })
    }

    /// Ends the attempt with why the order refused it; `None` when the reason was a live operation that
    /// has ended or was withdrawn meanwhile.
    async fn resolve_refusal(
        &self,
        attempt: &Attempt<'_>,
        refused: BeginAttemptError,
        deadline: Instant,
    ) -> Result<Option<Authorization>, DbError> {
        Ok(Some(match refused {
            BeginAttemptError::Live(record) => {
                return self.resolve_live(attempt, *record, deadline).await;
            }
            BeginAttemptError::Paid(record) => order_paid(&record),
            BeginAttemptError::GivenBack(record) => self.show_reversal(attempt, &record).await?,
            BeginAttemptError::NotOffered(why) => Authorization::NotOffered(why),
            BeginAttemptError::Fenced => AuthorizeError::Restored.into(),
            // The repetition reads the order anew.
            BeginAttemptError::OrderChanged => AuthorizeError::Running.into(),
            BeginAttemptError::TooManyOperations => {
                let refusal = AuthorizationRefusal::TooManyOperations;
                self.refuse_for_good(attempt, refusal).await?
            }
            BeginAttemptError::Closed => {
                let refusal = AuthorizationRefusal::OrderClosed;
                self.refuse_for_good(attempt, refusal).await?
            }
            BeginAttemptError::DoubtsOpen => AuthorizeError::Unavailable(RETRY_AFTER_DOUBTS).into(),
            BeginAttemptError::OwnCodeInDoubt(doubt) => {
                let age = now().duration_since(doubt.created_at);
                let wait = ANOTHER_CODE_AFTER
                    .saturating_sub(age)
                    .max(DEFAULT_RETRY_AFTER);
                AuthorizeError::Unconfirmed(Numbers::of(&doubt), wait).into()
            }
        }))
    }

    /// Makes a refusal the final answer of the key.
    async fn refuse_for_good(
        &self,
        attempt: &Attempt<'_>,
        refusal: AuthorizationRefusal,
    ) -> Result<Authorization, DbError> {
        let answer = AuthorizationAnswer::Refused(refusal.clone());
        self.db.end(attempt.claim, Some(&answer)).await?;
        Ok(Authorization::Refused(refusal))
    }

    /// Answers with a payment of the order that was given back while its payer waited for a code. The
    /// payer is told so before there is a new code, and again when the same attempt is repeated.
    pub(super) async fn show_reversal(
        &self,
        attempt: &Attempt<'_>,
        reversed: &OperationRecord,
    ) -> Result<Authorization, DbError> {
        let key = &reversed.key;
        let (_, refusal) = self
            .db
            .update_order(key, |order| order.reversal_was_shown(key, attempt.claim))
            .await?;
        let refusal = refusal.ok_or_else(|| DbError::missing("an operation"))?;
        Ok(Authorization::Refused(refusal))
    }
}

/// The stored answer of an authorized operation.
fn shown(record: OperationRecord) -> Result<Authorization, DbError> {
    let answer = record.answer;
    let answer = answer.ok_or_else(|| DbError::missing("the answer of an attempt"))?;
    Ok(Authorization::Operation(Box::new(answer)))
}

/// The order has a payment in force, which may not be announced yet.
pub(super) fn order_paid(record: &OperationRecord) -> Authorization {
    let numbers = Numbers::of(record);
    if record.is_held() || record.may_be_paid_again() || record.may_be_paid_after_all() {
        return AuthorizeError::Unconfirmed(numbers, DEFAULT_RETRY_AFTER).into();
    }
    AuthorizeError::OrderPaid(numbers).into()
}

impl From<AuthorizeError> for Authorization {
    fn from(error: AuthorizeError) -> Self {
        Self::Retryable(error)
    }
}

/// Counts the failures of one attempt. After a quick failure a second request with a fresh number
/// follows, so that a hiccup costs the payer nothing; after that the browser repeats its request.
struct Retries {
    failures: u32,
    taken_numbers: u32,
    begun: Instant,
    /// After this time the browser repeats the request, also after the first failure.
    at_most: Duration,
}

impl Retries {
    fn new(at_most: Duration) -> Self {
        Self {
            failures: 0,
            taken_numbers: 0,
            begun: Instant::now(),
            at_most,
        }
    }

    /// How the attempt ends after this failure; `None` for another request.
    fn again(&mut self, error: &ServiceError) -> Option<Authorization> {
        self.failures += 1;
        let wait = error.retry_after();
        if self.failures < 2 && wait.is_none() && self.begun.elapsed() < self.at_most {
            return None;
        }
        let wait = wait.unwrap_or(DEFAULT_RETRY_AFTER);
        Some(AuthorizeError::Unavailable(wait).into())
    }

    fn with_another_number(&mut self) -> Option<Authorization> {
        self.taken_numbers += 1;
        if self.taken_numbers < MAX_TAKEN_NUMBERS {
            return None;
        }
        Some(AuthorizeError::Unavailable(DEFAULT_RETRY_AFTER).into())
    }
}

/// What an attempt releases at its end. While the database is away, a task repeats each release for one
/// lease; after that others may claim the key, and the operations of a stopped sender are put in doubt.
impl Payments {
    /// Frees the key, so that a repetition runs again; otherwise retries would wait until the lease
    /// ends.
    async fn free_key(&self, claim: &Claim) {
        let free = async |payments: &Self, claim: &Claim| {
            payments.keys.end(claim, None::<&AuthorizationAnswer>).await
        };
        let Err(error) = free(self, claim).await else {
            return;
        };
        tracing::error!(%error, "an attempt could not be freed");
        let claim = claim.clone();
        self.repeat_while_away(move |payments| {
            let claim = claim.clone();
            async move { free(&payments, &claim).await }
        });
    }

    /// Ends an operation that was never sent. It may be on disk all the same: a commit that reported an
    /// error may have been carried out.
    fn void_unsent(&self, draft: OperationRecord) {
        self.repeat_while_away(move |payments| {
            let draft = draft.clone();
            async move { payments.void(&draft).await }
        });
    }

    async fn void(&self, draft: &OperationRecord) -> Result<(), DbError> {
        let stored = self.db.operation(&draft.key).await?;
        if stored.is_some_and(|stored| stored.is_attempt_of(draft)) {
            self.update_payment(&draft.key, |payment| {
                payment.operation.void_unsent(draft, now());
            })
            .await?;
        }
        Ok(())
    }
}
