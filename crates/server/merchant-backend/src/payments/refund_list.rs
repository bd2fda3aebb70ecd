//! Asks the service for its list of an operation's refunds, once for all callers who need the same
//! answer, and merges it into the ledger.

use super::Payments;
use super::errors::RefundsUnknownError;
use crate::clock::now;
use crate::db::{DbError, Turn};
use crate::payment_service::{ServiceError, Urgency, note_failure};
use crate::single_flight::{Fetch, Fetched, Freshness, InFlight, fetch_shared};
use payment_model::{Meta, Refund, RefundQueryResponse, Timestamp};
use payment_rules::ledger::{Ledger, is_complete};
use payment_rules::operation::OperationKey;
use std::time::Duration;

/// When to ask again, where the service did not say so.
const REFUND_LIST_RETRY_AFTER: Duration = Duration::from_secs(2);

/// The service's list, merged into the ledger.
#[derive(Debug, Clone)]
pub(crate) struct RefundList {
    pub(crate) ledger: Ledger,
    /// True when the list has all refunds of the operation.
    pub(crate) is_complete: bool,
    /// When the query began.
    pub(crate) began: Timestamp,
    count: String,
    meta: Meta,
}

/// Why the service's list is not known.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum RefundListError {
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error("the list is another merchant's")]
    Foreign,
    #[error("the query was given up")]
    GivenUp,
    #[error(transparent)]
    Database(#[from] DbError),
}

impl RefundList {
    /// The service's answer, merged with the stored refunds: on a screen a refund never goes
    /// backwards.
    pub(crate) fn response(self) -> RefundQueryResponse {
        let refunds = self.ledger.refunds.into_iter();
        let refunds: Vec<Refund> = refunds.map(|record| record.refund).collect();
        RefundQueryResponse {
            success: true,
            merchant_code: self.ledger.key.merchant_code,
            operations_count: if self.is_complete {
                refunds.len().to_string()
            } else {
                self.count
            },
            operations: refunds,
            meta: self.meta,
        }
    }
}

impl RefundListError {
    /// The error as the reason to refuse a request of staff; an error of the database stays one.
    pub(crate) fn into_unknown(self, key: &OperationKey) -> Result<RefundsUnknownError, DbError> {
        let error = match self {
            Self::Database(error) => return Err(error),
            Self::Service(ServiceError::Unauthorized) => {
                return Ok(RefundsUnknownError::TokenRejected);
            }
            Self::Service(error) => Some(error),
            Self::Foreign | Self::GivenUp => None,
        };
        let wait = error.and_then(|error| error.retry_after());
        let wait = wait.unwrap_or(REFUND_LIST_RETRY_AFTER);
        Ok(RefundsUnknownError::NotListed(key.clone(), wait))
    }
}

type Answer = Result<RefundList, RefundListError>;

impl Payments {
    /// Asks for the refunds of an operation; never twice within the interval.
    pub(crate) async fn query_refunds(&self, key: &OperationKey, freshness: Freshness) -> Answer {
        if let Freshness::Recent { most: age, .. } = freshness
            && let Some(stored) = self.stored_list(key, age).await?
        {
            return Ok(stored);
        }
        let fetch = FetchRefunds(self.clone());
        match fetch_shared(&fetch, &self.tasks, key, freshness, false).await {
            Fetched::Answered(answer) => answer,
            Fetched::Stored | Fetched::GivenUp => Err(RefundListError::GivenUp),
        }
    }

    /// A fresh list that has all refunds: only such a list proves that one is missing.
    pub(super) async fn complete_refunds<E>(&self, key: &OperationKey) -> Result<RefundList, E>
    where
        E: From<RefundsUnknownError> + From<DbError>,
    {
        match self.query_refunds(key, Freshness::New).await {
            Ok(list) if list.is_complete => Ok(list),
            Ok(_) => Err(RefundsUnknownError::Incomplete(key.clone()).into()),
            Err(error) => Err(error.into_unknown(key)?.into()),
        }
    }

    /// The last complete list, if it is younger than this.
    async fn stored_list(
        &self,
        key: &OperationKey,
        max_age: Duration,
    ) -> Result<Option<RefundList>, DbError> {
        let found = self.db.ledger(key).await?;
        let ledger = found.ok_or_else(|| DbError::missing("an operation with refunds"))?;
        let Some(began) = ledger.watch.complete_at else {
            return Ok(None);
        };
        let age = now().checked_duration_since(began);
        Ok(age.is_some_and(|age| age < max_age).then(|| RefundList {
            is_complete: true,
            began,
            count: ledger.refunds.len().to_string(),
            meta: Meta::accepted(),
            ledger,
        }))
    }

    async fn wait_for_refund_turn(&self, key: &OperationKey) -> Result<(), DbError> {
        let interval = self.settings.timing.query_interval;
        loop {
            match self.db.take_refund_query_turn(key, now(), interval).await? {
                Turn::Taken => return Ok(()),
                Turn::Wait(wait) => tokio::time::sleep(wait).await,
            }
        }
    }

    async fn refund_query_failed(&self, key: &OperationKey) -> Result<(), DbError> {
        self.update_payment(key, |payment| payment.ledger.list_query_failed(now()))
            .await?;
        Ok(())
    }
}

/// Fetches the list of an operation's refunds.
#[derive(Clone)]
struct FetchRefunds(Payments);

impl Fetch for FetchRefunds {
    type Answer = Answer;

    fn in_flight(&self) -> &InFlight<Answer> {
        &self.0.refund_queries
    }

    async fn turn(&self, key: &OperationKey, urgency: Urgency) -> Result<(), Answer> {
        self.0.service.refund_query_turn(key, urgency).await;
        let turn = self.0.wait_for_refund_turn(key).await;
        turn.map_err(|error| Err(error.into()))
    }

    async fn stored(&self, key: &OperationKey) -> Option<Answer> {
        let age = self.0.settings.timing.query_interval;
        self.0.stored_list(key, age).await.ok().flatten().map(Ok)
    }

    fn raise_priority(&self, key: &OperationKey, urgency: Urgency) {
        self.0.service.raise_refund_query_priority(key, urgency);
    }

    async fn fetch(&self, key: &OperationKey) -> Answer {
        let payments = &self.0;
        let began = now();
        let list = match payments.service.query_refunds(key).await {
            Ok(list) if list.merchant_code == key.merchant_code => list,
            Ok(_) => {
                payments.refund_query_failed(key).await?;
                return Err(RefundListError::Foreign);
            }
            Err(error) => {
                note_failure(key, &error);
                payments.refund_query_failed(key).await?;
                return Err(error.into());
            }
        };
        let is_complete = is_complete(key, &list);
        if !is_complete {
            let number = key.number.as_str();
            tracing::warn!(
                merchant_operation_number = number,
                "the payment service's list of refunds is not complete"
            );
        }
        let units = payments.settings.amount_units;
        let merge = |payment: &mut payment_rules::payment::Payment| {
            let ledger = &mut payment.ledger;
            ledger.merge_refunds(&list.operations, units, now());
            if is_complete {
                ledger.complete_list_came(began, now());
            } else {
                ledger.list_query_failed(now());
            }
        };
        let (payment, ()) = payments.update_payment(key, merge).await?;
        Ok(RefundList {
            ledger: payment.ledger,
            is_complete,
            began,
            count: list.operations_count,
            meta: list.meta,
        })
    }
}
