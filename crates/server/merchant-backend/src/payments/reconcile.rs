//! Reconciles in the background what is due by its plan, and what a notification says is old.
//!
//! An operation in doubt may exist at the service although no answer came. A query needs a transaction
//! id, which the server has only if one was named to it: by an answer that was not accepted, a
//! notification, the payer's browser. Nothing that they say is believed: an id is only a way to ask, and
//! only an answer of the service about our own operation, with its amount and currency, counts. A
//! cancellation needs no id, and its answer has the whole operation. The server sends one only if the
//! payer cannot have received a code or a link of the operation. A cash code or a transfer may have
//! reached the payer by mail, and a cancellation could give a payment back: such an operation stays in
//! doubt, on the staff's list, until a hint names its transaction.

use super::Payments;
use super::cancel::CancelOutcome;
use super::refund_list::RefundListError;
use super::send_cancellation::{Cancellation, CancellationOutcome};
use crate::ambient;
use crate::clock::{now, reading};
use crate::db::{DbError, HintSource};
use crate::payment_service::{ServiceError, Urgency, note_failure};
use crate::single_flight::Freshness;
use crate::wakeups::Topic;
use payment_model::{Operation, QueryResponse, TransactionId};
use payment_rules::fingerprint;
use payment_rules::ledger::{EndCause, Purpose};
use payment_rules::operation::{
    DOUBT_SETTLED_FOR, OperationKey, OperationRecord, Phase, QueryFailure, QuestionContext,
    REQUEST_MAY_ARRIVE_FOR, can_be_asked,
};
use payment_rules::order::OrderState;
use payment_rules::payment::OperationAnswer;

/// What the questions by hints brought.
#[derive(Debug, Clone, PartialEq, Eq)]
enum HintedQuery {
    /// No id is left to ask by.
    NoHint,
    /// An answer is stored.
    Known,
    /// The service does not know the transaction yet, or gave no usable answer, so that it has to be asked
    /// again.
    Open(QueryFailure),
}

impl Payments {
    /// Reconciles a due operation in the background.
    pub(crate) async fn reconcile_operation(&self, record: OperationRecord) -> Result<(), DbError> {
        match record.phase {
            Phase::InDoubt => {
                // A cancellation may have to be sent.
                let Some(backoff) = self.service.cancellation_backoff() else {
                    return self.settle_doubt(record).await;
                };
                self.replan(&record, |operation| {
                    operation.plan_after_backoff(backoff, now());
                })
                .await
            }
            Phase::Known => match self.why_superfluous(&record).await? {
                Some(cause) => self.withdraw_superfluous(record, cause).await,
                None => {
                    // A failed query plans the next one itself.
                    let _ = self.query(record, Freshness::Planned).await;
                    Ok(())
                }
            },
            Phase::Lost | Phase::Refused => match self.query_by_hints(&record).await? {
                HintedQuery::Known => Ok(()),
                HintedQuery::Open(failure) => {
                    self.replan(&record, |operation| {
                        operation.hinted_query_failed(&failure, now());
                    })
                    .await
                }
                HintedQuery::NoHint => {
                    self.replan(&record, |operation| operation.plan(now()))
                        .await
                }
            },
            Phase::Sending => Ok(()),
        }
    }

    /// Reconciles the due refunds of an operation in the background. A failed query plans the next one
    /// itself.
    pub(crate) async fn reconcile_refunds(&self, key: &OperationKey) -> Result<(), DbError> {
        let Some(ledger) = self.db.ledger(key).await? else {
            return Ok(());
        };
        if ledger.awaits_a_state() {
            let record = self.operation(key).await?;
            let answered = self.query(record, Freshness::Planned).await.is_ok();
            self.update_payment(key, |payment| {
                payment.ledger.state_was_queried(answered, now());
            })
            .await?;
        }
        if !ledger.awaits_a_list(now()) {
            return Ok(());
        }
        match self.query_refunds(key, Freshness::Planned).await {
            Err(RefundListError::Database(error)) => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Cancels a code that is not needed any more. After a failure the pause grows, and the server
    /// waits while the service wants no cancellations.
    async fn withdraw_superfluous(
        &self,
        record: OperationRecord,
        cause: EndCause,
    ) -> Result<(), DbError> {
        let backoff = self.service.cancellation_backoff();
        if backoff.is_none()
            && !matches!(
                self.cancel_unpaid(record.clone(), cause).await?,
                CancelOutcome::Unconfirmed(_)
            )
        {
            return Ok(());
        }
        let backoff = backoff.unwrap_or_default();
        self.replan(&record, |operation| {
            operation.plan_withdrawal(now(), backoff);
        })
        .await
    }

    /// Why the code of an operation is not to be paid any more: it reached no payer, another one has paid
    /// the order, or the shop closed the order. A code that was left for another one is included while it
    /// waits.
    async fn why_superfluous(&self, record: &OperationRecord) -> Result<Option<EndCause>, DbError> {
        if record.reached_nobody() {
            return Ok(Some(EndCause::Replaced));
        }
        if !record.live && !record.state().is_some_and(|state| state.is_waiting()) {
            return Ok(None);
        }
        let Some(order) = self.db.order(&record.full_order_id()).await? else {
            return Ok(None);
        };
        if order.state == OrderState::Paid {
            return Ok(Some(EndCause::Replaced));
        }
        let order_id = order.full_id();
        let closed = self.db.is_closed(&order_id);
        Ok(closed.await?.then_some(EndCause::Staff))
    }

    /// Settles a doubt if that is possible now; the background repeats it for a day.
    async fn settle_doubt(&self, record: OperationRecord) -> Result<(), DbError> {
        let key = &record.key;
        match self.query_by_hints(&record).await? {
            HintedQuery::Known => return Ok(()),
            // The question comes before any cancellation, and is asked until it is answered.
            HintedQuery::Open(failure) => {
                return self
                    .replan(&record, |operation| {
                        operation.hinted_query_failed(&failure, now());
                    })
                    .await;
            }
            HintedQuery::NoHint => {}
        }
        // After `DOUBT_SETTLED_FOR` only staff may cancel, even if a hint made the operation due again.
        let is_old = now().duration_since(record.created_at) >= DOUBT_SETTLED_FOR;
        if is_old || !record.is_shown_by_us() {
            return self
                .replan(&record, |operation| operation.plan(now()))
                .await;
        }
        let cancellation = Cancellation::new(Purpose::SettleDoubt, now());
        match self.send_cancellation(key, cancellation).await? {
            CancellationOutcome::Known(_) => Ok(()),
            // Its code may have reached the payer between the backup and the restore, so that only
            // staff may cancel it, also later.
            CancellationOutcome::Fenced => {
                self.replan(&record, OperationRecord::leave_to_staff).await
            }
            CancellationOutcome::MoneyPending(_) | CancellationOutcome::OverLimit(_) => {
                self.replan(&record, |operation| operation.postpone(now()))
                    .await
            }
            CancellationOutcome::Failed(error) => {
                let status = match error {
                    ServiceError::Refused { status, .. } => Some(status),
                    _ => None,
                };
                self.update_payment(key, |payment| {
                    // An earlier cancellation, whose answer was lost, may still arrive.
                    let may_arrive = payment.ledger.pending_reversal().is_some();
                    payment
                        .operation
                        .settlement_failed(status, may_arrive, reading());
                })
                .await?;
                Ok(())
            }
        }
    }
}

impl Payments {
    /// Takes a notification about the operation of a callback token, which is only a hint: the payment service is asked.
    pub(crate) async fn notified(&self, token: &str, named: Option<TransactionId>) {
        let found = self.db.operation_by_callback(&fingerprint(token)).await;
        let Ok(Some(key)) = found else { return };
        let record = match self.db.operation(&key).await {
            Ok(Some(record)) => record,
            Ok(None) => return,
            // A node of a later version may read the payment; the hint makes it ask the service.
            Err(_) => return drop(self.db.note_hint(&key, now()).await),
        };
        match named {
            _ if record.transaction().is_some() => self.take_hint(record).await,
            // If the database fails, the next notification of the service, or staff, gives the id again.
            Some(id) => {
                let source = HintSource::Notification;
                drop(self.take_transaction_hint(&key, &id, source).await);
            }
            None => {}
        }
    }

    /// Makes the stored state old, for every server of the database, and asks in a task of its own.
    async fn take_hint(&self, record: OperationRecord) {
        // Only the first notification since the last query is stored; the rest are no-ops.
        if !record.awaits_query() {
            // Without the database's answer this server asks all the same.
            let _ = self.db.note_hint(&record.key, now()).await;
        }
        let payments = self.clone();
        self.tasks.spawn(ambient::task(async move {
            payments.query(record, Freshness::Hinted).await
        }));
    }

    /// Keeps a transaction id that may be that of an operation without a known one, and has the background ask.
    pub(crate) async fn take_transaction_hint(
        &self,
        key: &OperationKey,
        id: &TransactionId,
        source: HintSource,
    ) -> Result<(), DbError> {
        let noted = async || self.db.note_transaction_hint(key, id, source, now()).await;
        if can_be_asked(id) && noted().await? {
            self.wakeups.wake(&Topic::Background);
        }
        Ok(())
    }

    /// Asks by each id until an answer counts.
    async fn query_by_hints(&self, record: &OperationRecord) -> Result<HintedQuery, DbError> {
        let key = &record.key;
        let (mut silent, mut unknown) = (None, None);
        for id in self.db.transaction_hints(key).await? {
            self.service.turn(key, Urgency::Background).await;
            self.wait_for_turn(key).await?;
            let cancellation = self.db.pending_cancellation(key).await?;
            let asked = QuestionContext::query(record, cancellation, reading());
            match self.service.query(key, &id).await {
                Ok(response) => {
                    if let Some(operation) = self.own_operation(record, &response, &id) {
                        let answer = OperationAnswer {
                            merchant_code: &response.merchant_code,
                            operation: &operation,
                            units: self.settings.amount_units,
                        };
                        self.store_answer(key, answer, &asked, None).await?;
                        return Ok(HintedQuery::Known);
                    }
                    self.db.refute_transaction_hint(key, &id).await?;
                }
                Err(error @ ServiceError::Refused { .. }) => {
                    note_failure(key, &error);
                    // A service may answer queries before it knows of a transaction.
                    if reading().min_elapsed_since(record.created_at) > REQUEST_MAY_ARRIVE_FOR {
                        self.db.refute_transaction_hint(key, &id).await?;
                    } else {
                        unknown = Some(error.of_query());
                    }
                }
                Err(error) => {
                    note_failure(key, &error);
                    silent = Some(error.of_query());
                }
            }
        }
        // Where a cancellation can settle the doubt, a refused question is answer enough.
        let can_settle = record.phase == Phase::InDoubt && record.is_shown_by_us();
        let open = silent.or_else(|| unknown.filter(|_| !can_settle));
        Ok(open.map_or(HintedQuery::NoHint, HintedQuery::Open))
    }

    /// The operation of an answer, with the one transaction that was asked for, if it is ours.
    fn own_operation(
        &self,
        record: &OperationRecord,
        response: &QueryResponse,
        id: &TransactionId,
    ) -> Option<Operation> {
        let mut operation = response.operation.clone();
        operation
            .transactions
            .retain(|one| one.transaction_id == *id);
        let units = self.settings.amount_units;
        record
            .is_ours(&response.merchant_code, &operation, units)
            .then_some(operation)
    }
}
