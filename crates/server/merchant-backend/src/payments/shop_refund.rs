//! A program of the shop gives the money of an order back. The server chooses the way: a refund where
//! the payment service has one, a reversal where the whole of an unsettled payment is asked for and
//! nothing of it went back. Everything else is for staff.
//!
//! A request belongs to its store and its idempotency key, so that a key of the store that replaces
//! another one repeats a request without giving the money back twice. A repetition continues what the
//! first run reserved: it does not choose again, since the rest of an order is smaller by then.

use super::Payments;
use super::errors::StaffCancelError;
use super::errors::{RefundError, RefundsUnknownError};
use super::keys::HeldClaim;
use super::query::QueryError;
use super::refund::{RefundCommand, RefundItemCommand};
use super::staff_cancel::StaffCancelCommand;
use crate::clock::now;
use crate::payment_service::ServiceError;
use crate::single_flight::Freshness;
use payment_model::{Fields, TransactionState};
use payment_rules::idempotency::IdempotentRequest;
use payment_rules::ledger::{Limits, NoRefundWay, RefundWay, Requester, ShopRefund};
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::order::FullOrderId;
use payment_rules::payment::{Order, OrderOutcome, Payment};
use payment_rules::staff::AuditRecord;
use staff_model::{AuditAction, Intent};

/// A request of a program of the shop.
pub(crate) struct ShopRefundCommand {
    /// The programs of the store together, and the idempotency key.
    pub(crate) requester: Requester,
    pub(crate) fingerprint: String,
    pub(crate) order: FullOrderId,
    /// The payment; needed only if several payments of the order are in force.
    pub(crate) number: Option<String>,
    /// In cents; `None` for everything that is left.
    pub(crate) amount: Option<u64>,
    /// The limits of the API key.
    pub(crate) limits: Limits,
}

impl Payments {
    /// Gives money back, or continues what an earlier request with the key began; returns the id of
    /// the refund, whose outcome may be unknown. The request and its result are on record, a refusal by its word.
    /// Run this as a task of its own.
    pub(crate) async fn refund_for_shop(
        &self,
        command: &ShopRefundCommand,
        program: &str,
        word: fn(&RefundError) -> &'static str,
    ) -> Result<String, RefundError> {
        let order_id = &command.order.order_id;
        let record = |outcome: &str| AuditRecord {
            staff: program.to_owned(),
            action: AuditAction::Refund,
            key: None,
            detail: format!("order {order_id}: {outcome}"),
        };
        self.db.audit(&record("asked for a refund")).await?;
        let done = self.refund_once(command).await;
        let outcome = match &done {
            Ok(refund_id) => format!("refund {refund_id}"),
            Err(error) => format!("not given back: {}", word(error)),
        };
        self.db.audit(&record(&outcome)).await?;
        done
    }

    async fn refund_once(&self, command: &ShopRefundCommand) -> Result<String, RefundError> {
        let request = IdempotentRequest::of_staff(&command.requester, &command.fingerprint);
        let run = async |claim: HeldClaim| self.run_shop_refund(command, claim).await;
        self.run_once(&request, run).await
    }

    async fn run_shop_refund(
        &self,
        command: &ShopRefundCommand,
        claim: HeldClaim,
    ) -> Result<String, RefundError> {
        let order = self.order_to_refund(command).await?;
        let (key, way) = match begun(&order, command) {
            Some((key, refund)) => (key, refund.way),
            None => {
                for payment in &order.payments {
                    self.refresh(&payment.operation).await?;
                }
                let order = self.order_to_refund(command).await?;
                let payment = payment_in_force(&order, command.number.as_deref())?;
                let reverses_cash = self.settings.reverses_cash;
                let way = payment.ledger.refund_way(command.amount, reverses_cash)?;
                (payment.operation.key.clone(), way)
            }
        };
        let refused = match way {
            RefundWay::Refund { kind, amount } => {
                let item = RefundItemCommand {
                    key: key.clone(),
                    transaction_id: None,
                    kind,
                    amount: Some(amount),
                    fields: Fields::new(),
                };
                let refund = RefundCommand {
                    requester: command.requester.clone(),
                    fingerprint: command.fingerprint.clone(),
                    merchant_code: key.merchant_code.clone(),
                    items: vec![item],
                    limits: command.limits,
                };
                self.run_refund(&refund, &claim).await?;
                None
            }
            RefundWay::Reversal => {
                let reversal = StaffCancelCommand {
                    intent: Intent::Reverse,
                    staff: command.requester.staff.clone(),
                    claim: Some(claim),
                    limits: command.limits,
                };
                let record = self.operation(&key).await?;
                self.cancel_for_staff(record, reversal).await?.err()
            }
        };
        let order = self.order_to_refund(command).await?;
        match (begun(&order, command), refused) {
            // What was reserved says by itself whether the money went back.
            (Some((_, refund)), _) => Ok(refund.id),
            // Another request at the same time has reversed the payment, or may have.
            (None, None) => Err(NoRefundWay::NotPaid.into()),
            (None, Some(StaffCancelError::Unconfirmed(_))) => Err(NoRefundWay::Unconfirmed.into()),
            (None, Some(error)) => Err(RefundError::Reversal(error)),
        }
    }

    async fn order_to_refund(&self, command: &ShopRefundCommand) -> Result<Order, RefundError> {
        let order = self.db.order_with_payments(&command.order).await?;
        order.ok_or(RefundError::NotFound)
    }

    /// Asks for the state of an operation that may have been paid or settled since: the way depends on
    /// it.
    async fn refresh(&self, record: &OperationRecord) -> Result<(), RefundError> {
        let may_change = record
            .state()
            .is_some_and(|state| state.is_waiting() || *state == TransactionState::Authorized);
        if !may_change {
            return Ok(());
        }
        match self.query(record.clone(), Freshness::New).await {
            Ok(_) => Ok(()),
            Err(QueryError::Database(error)) => Err(error.into()),
            Err(QueryError::Service(ServiceError::Unauthorized)) => {
                Err(RefundsUnknownError::TokenRejected.into())
            }
            Err(_) => Err(RefundsUnknownError::SettlementUnknown.into()),
        }
    }
}

/// What an earlier run of the request reserved.
fn begun(order: &Order, command: &ShopRefundCommand) -> Option<(OperationKey, ShopRefund)> {
    order.payments.iter().find_map(|payment| {
        let refund = payment.ledger.shop_refund_of(&command.requester)?;
        Some((payment.operation.key.clone(), refund))
    })
}

/// The payment in force, or the named one of several.
fn payment_in_force<'a>(
    order: &'a Order,
    number: Option<&str>,
) -> Result<&'a Payment, NoRefundWay> {
    let is_named = |payment: &&Payment| {
        number.is_none_or(|number| payment.operation.key.number.as_str() == number)
    };
    let paid = |payment: &&Payment| payment.operation.is_paid();
    let mut payments = order.payments.iter().filter(is_named).filter(paid);
    match (payments.next(), payments.next()) {
        (None, _) if may_be_paid(order, number) => Err(NoRefundWay::Unconfirmed),
        (None, _) => Err(NoRefundWay::NotPaid),
        (Some(payment), None) => Ok(payment),
        (Some(_), Some(_)) => Err(NoRefundWay::SeveralPayments),
    }
}

/// True while the server does not know whether the order is paid; with a number, whether that operation is.
fn may_be_paid(order: &Order, number: Option<&str>) -> bool {
    let named = number.and_then(|number| {
        let mut payments = order.payments.iter();
        payments.find(|payment| payment.operation.key.number.as_str() == number)
    });
    match named {
        Some(payment) => payment.is_unconfirmed(now()),
        // Also a payment that a restore has lost.
        None => order.summary(now()).outcome == OrderOutcome::Unconfirmed,
    }
}
