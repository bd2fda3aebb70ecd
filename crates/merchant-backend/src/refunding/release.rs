use super::change::change_one;
use super::look_up::look_up;
use crate::backend::Backend;
use crate::clock::{millis, now};
use crate::operation::OperationKey;
use crate::payment::Freshness;
use crate::problem::{Problem, ProblemKind};
use crate::refund::{Ledger, Release, ReleaseRefusal};
use crate::store::{Deed, Notes, StoreError};
use staff_model::{AttemptState, RefundAttempt};

/// Who wants to give an attempt's amount free, and why.
pub(crate) struct ReleaseWanted {
    pub(crate) key: OperationKey,
    pub(crate) attempt_id: String,
    pub(crate) staff: String,
    pub(crate) reason: String,
}

/// Releases an attempt that the service still does not show.
pub(crate) async fn release(
    backend: &Backend,
    wanted: ReleaseWanted,
) -> Result<Result<RefundAttempt, Problem>, StoreError> {
    let key = wanted.key.clone();
    let looked = match look_up(backend, &key, Freshness::New).await {
        Ok(looked) => looked.proves(),
        Err(error) => Err(error.into_problem(&key)?),
    };
    let began = match looked {
        Ok(looked) => looked.began,
        Err(problem) => return Ok(Err(problem)),
    };
    let young = millis(backend.config.pace.release_after);
    let (sender, receiver) = std::sync::mpsc::channel();
    let change = move |ledger: &mut Ledger| {
        let id = wanted.attempt_id.as_str();
        let newer = ledger
            .attempt(id)
            .is_some_and(|attempt| attempt.is_pending() && attempt.changed_at >= began);
        let detail = format!("released attempt {id}: {}", wanted.reason);
        let release = Release {
            by: wanted.staff.clone(),
            at: now(),
            reason: wanted.reason,
        };
        // The service may still be at work on a request whose answer did not come in time.
        let young = ledger
            .attempt(id)
            .and_then(|attempt| attempt.begun_at)
            .is_some_and(|begun| now().saturating_sub(begun) < young);
        // A doubt that came up after the look began was not looked up.
        let refusal = ReleaseRefusal::NotInDoubt(AttemptState::Sending);
        let released = if newer || young {
            Err(refusal)
        } else {
            ledger.release(id, release)
        };
        let audit = released.iter().map(|_| Deed {
            staff: wanted.staff.clone(),
            action: "release",
            key: Some(ledger.key.clone()),
            detail: detail.clone(),
        });
        let notes = Notes {
            ends: Vec::new(),
            audit: audit.collect(),
        };
        let _ = sender.send(released);
        notes
    };
    change_one(backend, &key, change).await?;
    let released = receiver
        .try_recv()
        .map_err(|_| StoreError::missing("the outcome of a release"))?;
    Ok(released.map(|attempt| attempt.shown()).map_err(problem))
}

fn problem(refusal: ReleaseRefusal) -> Problem {
    match refusal {
        ReleaseRefusal::NotFound => Problem::not_found(),
        ReleaseRefusal::SamePerson => Problem::new(
            ProblemKind::SecondPerson,
            "Somebody else than who asked for the refund must release it.",
        ),
        ReleaseRefusal::NotInDoubt(state) => {
            let detail = match state {
                AttemptState::Registered => {
                    "The payment service has this refund; it is not in doubt."
                }
                AttemptState::Sending => "This refund is still on its way; try again.",
                _ => "This refund is not in doubt.",
            };
            Problem::new(ProblemKind::NotInDoubt, detail).with("state", state.as_str())
        }
    }
}
