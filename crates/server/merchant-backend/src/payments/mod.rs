//! Payments of orders and everything that gives their money back: the use cases.
//!
//! A use case updates an order before its request to the payment service, which reserves, and after it, which stores
//! how the request ended. The rules are in `payment_rules`, the order's aggregate among them; this code applies them at
//! the right time, with every step on disk before the next one.
//!
//! ```text
//! admit               whether an attempt to pay may begin
//! authorize           an attempt to pay; new_operation: its request; read_code: the QR of its answer
//! live_operation      what happens to the live operation that the order has already
//! query               asks for the state of an operation; refund_list: for its refunds
//! reconcile           due operations and due refunds, in the background
//! cancel              a payer cancels, a program of the shop closes an order;  staff_cancel: staff cancel or reverse
//! send_cancellation   the request of all three
//! refund              staff refund; send_refund: its requests
//! shop_refund         a program of the shop gives money back, by the way that the payment permits
//! manual_returns      money that staff give back by other means
//! releases            a second person releases an amount whose outcome stays unknown
//! keys                one answer for each idempotency key;  errors: why money is not given back
//! checkout_token      the token by which another browser reads the state of an operation
//! ```
//!
//! It knows the database, the payment service and the rules; it knows no address and no cookie of
//! this server.

mod admit;
mod authorize;
mod cancel;
pub(crate) mod checkout_token;
mod errors;
mod keys;
mod live_operation;
mod manual_returns;
mod new_operation;
mod query;
mod read_code;
mod reconcile;
mod refund;
mod refund_list;
mod releases;
mod send_cancellation;
mod send_refund;
mod shop_refund;
mod staff_cancel;

pub(crate) use admit::{AdmissionError, AttemptLimits, TooOften};
pub(crate) use authorize::{Authorization, AuthorizeError};
pub(crate) use cancel::{CancelError, CancelOutcome, CloseOutcome};
pub(crate) use errors::{RefundError, RefundsUnknownError, StaffCancelError};
pub(crate) use keys::Keys;
pub(crate) use manual_returns::{EndReturnCommand, RecordReturnCommand};
pub(crate) use new_operation::Method;
pub(crate) use query::{Queried, QueryError};
pub(crate) use read_code::CodeReader;
pub(crate) use refund::{RefundCommand, RefundItemCommand};
pub(crate) use refund_list::{RefundList, RefundListError};
pub(crate) use releases::{ReleaseCommand, ReleaseError, Resolved};
pub(crate) use shop_refund::ShopRefundCommand;
pub(crate) use staff_cancel::StaffCancelCommand;

use crate::config::Config;
use crate::cookies::CookieKey;
use crate::db::{Db, DbError};
use crate::metrics::Metrics;
use crate::payment_service::Service;
use crate::single_flight::InFlight;
use crate::tasks::Tasks;
use crate::wakeups::Wakeups;
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::payment::{Order, Payment};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The pause before a change is tried again that the database could not make.
const RETRY_PAUSE: Duration = Duration::from_millis(500);

/// When to ask again, where the service did not say so.
const DEFAULT_RETRY_AFTER: Duration = Duration::from_secs(1);

/// Payments, with the parts that they need.
#[derive(Clone)]
pub(crate) struct Payments {
    pub(crate) db: Db,
    pub(crate) keys: Keys,
    pub(crate) service: Arc<Service>,
    pub(crate) wakeups: Wakeups,
    pub(crate) tasks: Tasks,
    pub(crate) cookie_key: CookieKey,
    pub(crate) queries: InFlight<Result<Queried, QueryError>>,
    pub(crate) refund_queries: InFlight<Result<RefundList, RefundListError>>,
    pub(crate) limits: Arc<AttemptLimits>,
    pub(crate) codes: CodeReader,
    pub(crate) metrics: Metrics,
    pub(crate) settings: Arc<Config>,
}

impl Payments {
    /// Changes the order of an operation, and wakes the requests that wait for the operation. Returns
    /// the changed payment.
    async fn update<R>(
        &self,
        key: &OperationKey,
        change: impl FnMut(&mut Order) -> R + Send,
    ) -> Result<(Payment, R), DbError> {
        let (mut order, result) = self.db.update_order(key, change).await?;
        self.wakeups.changed(key);
        let mut payments = order.payments.drain(..);
        let payment = payments.find(|payment| payment.operation.key == *key);
        let payment = payment.ok_or_else(|| DbError::missing("an operation"))?;
        Ok((payment, result))
    }

    /// Changes one payment of an order; see [`Self::update`].
    async fn update_payment<R>(
        &self,
        key: &OperationKey,
        mut change: impl FnMut(&mut Payment) -> R + Send,
    ) -> Result<(Payment, R), DbError> {
        let (payment, result) = self
            .update(key, |order| order.payment_mut(key).map(&mut change))
            .await?;
        let result = result.ok_or_else(|| DbError::missing("an operation"))?;
        Ok((payment, result))
    }

    /// Makes a change in a task of its own, again while the database is away, for one lease: after that others take over
    /// what was left behind.
    fn repeat_while_away<F>(&self, change: impl Fn(Self) -> F + Send + Sync + 'static)
    where
        F: Future<Output = Result<(), DbError>> + Send,
    {
        let payments = self.clone();
        self.tasks.spawn(async move {
            let end = Instant::now() + payments.settings.lease();
            while let Err(error) = change(payments.clone()).await
                && error.is_away()
                && Instant::now() < end
            {
                tokio::time::sleep(RETRY_PAUSE).await;
            }
        });
    }

    async fn operation(&self, key: &OperationKey) -> Result<OperationRecord, DbError> {
        let operation = self.db.operation(key).await?;
        operation.ok_or_else(|| DbError::missing("an operation"))
    }
}
