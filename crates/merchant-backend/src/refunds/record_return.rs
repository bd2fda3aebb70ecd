use super::Refunds;
use super::staff_key::Kept;
use crate::clock::now;
use crate::db::{DbError, Deed, Notes};
use crate::domain::ledger::{Asker, Ledger, NewReturn, ReturnRefusal};
use crate::domain::operation::OperationKey;
use crate::http::problem::{Problem, ProblemKind};
use crate::random::token;
use serde_json::json;

/// Money that a member of staff gives back, or gave back, where the service cannot.
pub(crate) struct ReturnWanted {
    pub(crate) key: OperationKey,
    pub(crate) amount: u64,
    pub(crate) reason: String,
    pub(crate) asker: Asker,
    pub(crate) fingerprint: String,
    pub(crate) limit: Option<u64>,
    /// The money has left: it is recorded, and is an exception.
    pub(crate) already_made: bool,
}

impl Refunds {
    /// Reserves or records a return, or answers with what the key was answered before.
    pub(crate) async fn record_return(&self, wanted: &ReturnWanted) -> Result<Kept, DbError> {
        let work = self.run_return(wanted);
        self.with_key(&wanted.asker, &wanted.fingerprint, work)
            .await
    }

    async fn run_return(&self, wanted: &ReturnWanted) -> Result<Kept, DbError> {
        // A server that stopped before it answered may have recorded it.
        if let Some(key) = self.db.returned_by(&wanted.asker).await? {
            let ledger = self.db.ledger(&key).await?;
            let returns = ledger.map(|ledger| ledger.returns).unwrap_or_default();
            let recorded = returns.iter().find(|record| record.asker == wanted.asker);
            if let Some(record) = recorded {
                return Ok(Kept::Answer(201, json!(record.shown())));
            }
        }
        let limit = wanted.limit.filter(|limit| wanted.amount > *limit);
        if let Some(limit) = limit.filter(|_| !wanted.already_made) {
            let detail = format!("This account may give back at most {limit} cents at once.");
            let problem = Problem::new(ProblemKind::ReturnRefused, detail);
            return Ok(Kept::Problem(
                problem.with("reason", "over_limit").with("field", "amount"),
            ));
        }
        if self.db.operation(&wanted.key).await?.is_none() {
            return Ok(Kept::Problem(Problem::not_found()));
        }
        let new = NewReturn {
            id: token().map_err(DbError::missing)?,
            amount: wanted.amount,
            reason: wanted.reason.clone(),
            asker: wanted.asker.clone(),
            already_made: wanted.already_made,
        };
        let change = |ledger: &mut Ledger| {
            let deed = if new.already_made {
                "recorded, as made already,"
            } else {
                "reserved"
            };
            let detail = format!(
                "{deed} a return of {} cents, {}: {}",
                new.amount, new.id, new.reason
            );
            let staff = new.asker.staff.clone();
            let recorded = ledger.give_back(new.clone(), now());
            let audit = recorded.iter().map(|_| Deed {
                staff: staff.clone(),
                action: "return",
                key: Some(ledger.key.clone()),
                detail: detail.clone(),
            });
            let notes = Notes {
                ends: Vec::new(),
                audit: audit.collect(),
            };
            (recorded, notes)
        };
        let (_, recorded) = self.change_one(&wanted.key, change).await?;
        Ok(match recorded {
            Ok(record) => Kept::Answer(201, json!(record.shown())),
            Err(refusal) => Kept::Problem(problem(refusal)),
        })
    }
}

fn problem(refusal: ReturnRefusal) -> Problem {
    let (reason, detail) = match refusal {
        ReturnRefusal::NotPaid => (
            "not_paid",
            "This operation is not paid, so there is nothing to give back.".to_owned(),
        ),
        ReturnRefusal::Refundable => (
            "refundable",
            "The payment service refunds this operation once it is settled; use a refund, or reverse it before.".to_owned(),
        ),
        ReturnRefusal::BeingReversed => (
            "being_reversed",
            "The payment may be on its way back by a reversal, so nothing else may be given back now.".to_owned(),
        ),
        ReturnRefusal::NothingAskedFor => (
            "amount",
            "The field `amount` must be more than zero.".to_owned(),
        ),
        ReturnRefusal::MoreThanIsLeft { left } => (
            "more_than_is_left",
            format!("The field `amount` is more than the {left} cents that were paid and not given back."),
        ),
    };
    let problem = Problem::new(ProblemKind::ReturnRefused, detail).with("reason", reason);
    match refusal {
        ReturnRefusal::MoreThanIsLeft { left } => problem.with("left", left),
        _ => problem,
    }
}
