//! What the routes of the merchant's own program need: payers' sessions, the limits of new orders, and
//! orders. It is public, so that a change breaks the programs of merchants.
//!
//! It knows no address, since the program chooses its own, and no catalog and no price: the caller
//! gives the amount of an order.

use super::limits::Limits;
use super::payer::session::{Session, Sessions};
use super::problem::{Failure, Problem, ProblemKind};
use crate::config::{Config, MerchantStores};
use crate::db::{Db, DbError, GrantOutcome, Proof};
use crate::orders::{
    NamedOrder, NewOrder, OrderRefusal, PayLinks, PayableOrder, RegisterError, Right, payable,
    register,
};
use crate::random::readable;
use crate::shop_orders::OrderSource;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use payment_model::{
    DateObject, MerchantCode, MerchantOperationNumber, Outcome, PaymentMethodName, TransactionId,
    TransactionState,
};
use payment_rules::operation::OperationRecord;
use payment_rules::order::{OrderFacts, OrderItem, OrderState};
use serde::Serialize;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// Long, since a browser keeps its right to read the payment for a long time.
const TOO_MANY_BROWSERS_RETRY_AFTER: Duration = Duration::from_mins(10);

/// The orders of payers: the state of the merchant's own routes. [`JsonBody`](crate::JsonBody)
/// and [`Caller`](crate::Caller) read from it.
#[derive(Clone)]
pub struct Orders(Arc<OrdersParts>);

pub(crate) struct OrdersParts {
    pub(crate) config: Arc<Config>,
    pub(crate) db: Db,
    pub(crate) source: OrderSource,
    pub(crate) sessions: Sessions,
    pub(crate) limits: Arc<Limits>,
    pub(crate) pay_links: PayLinks,
}

impl Orders {
    pub(crate) fn new(parts: OrdersParts) -> Self {
        Self(Arc::new(parts))
    }

    /// The merchant's stores.
    #[must_use]
    pub fn stores(&self) -> &MerchantStores {
        &self.0.config.stores
    }

    /// The methods of the server, by their names on the wire. An order may have fewer: by its `methods`, and by the
    /// limits of its store, which the element tells the payer.
    #[must_use]
    pub fn methods(&self) -> Vec<&str> {
        let methods = self.0.config.methods(false);
        methods.map(PaymentMethodName::as_str).collect()
    }

    /// A random id, for a shop whose orders have no ids of their own.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn new_id(&self) -> Result<String, Failure> {
        Ok(readable()?)
    }

    /// A number that no other order of the database gets, also from another server on it: the first
    /// one is `first`, and each further one is one more. For labels of a shop without numbers of its
    /// own; call it after [`Orders::payer`], which counts the client's orders.
    ///
    /// # Errors
    /// The database failed.
    pub async fn next_number(&self, first: u32) -> Result<i64, Failure> {
        Ok(self.0.db.next_order_number(first).await?)
    }

    /// Counts a new order of a client, and finds the payer's session or starts one.
    ///
    /// # Errors
    /// The client, or all clients together, order too often.
    pub fn payer(&self, headers: &HeaderMap, client: IpAddr) -> Result<PayerSession, Failure> {
        let known = self.0.sessions.of(headers);
        self.0.limits.new_order(known.as_ref(), client)?;
        let (session, cookie) = self.0.sessions.keep(headers)?;
        Ok(PayerSession::new(session, &cookie))
    }

    /// Stores the facts of an order; from then on its payer can pay it.
    ///
    /// # Errors
    /// The order is wrong, or cannot be stored.
    pub async fn register(
        &self,
        payer: &PayerSession,
        order: NewOrder,
    ) -> Result<(), RegisterError> {
        let time_to_pay = self.0.config.time_to_pay;
        register(&self.0.db, self.stores(), payer.hash(), order, time_to_pay).await
    }

    /// An order with every attempt to pay it, if it belongs to the session of the request.
    ///
    /// # Errors
    /// There is no such order for this session.
    pub async fn of_session(
        &self,
        headers: &HeaderMap,
        order_id: &str,
    ) -> Result<PayersOrder, Failure> {
        let order = self.own(headers, order_id, None).await?;
        let operations = self.0.db.operations_of(&order.full_id()).await?;
        let store = self.0.config.stores.of_order(&order);
        let merchant_name = store.map(|store| store.merchant_name.clone());
        Ok(PayersOrder::new(order, merchant_name, &operations))
    }

    /// An order, if it belongs to the session of the request. An unknown order and one of another session
    /// are looked up and answered in the same way. A registered order belongs to the session that it was
    /// registered for: another one that showed the address of its page may read and cancel the payment, and
    /// nothing else.
    pub(super) async fn own(
        &self,
        headers: &HeaderMap,
        order_id: &str,
        store: Option<&str>,
    ) -> Result<OrderFacts, Failure> {
        let mut own = None;
        for order in self.0.db.orders_with_id(order_id).await? {
            let is_of_store = |key| {
                let store = self.stores().named(Some(key));
                store.is_some_and(|store| store.merchant_code == order.merchant_code)
            };
            if !store.is_none_or(is_of_store) || !self.belongs(headers, &order).await? {
                continue;
            }
            if own.replace(order).is_some() {
                let detail = "Two stores have an order with this id in this browser; name the store by its key in the field `store`.";
                let problem = Problem::bad_request(detail).with("field", "store");
                return Err(problem.into());
            }
        }
        own.ok_or_else(|| Problem::not_known().into())
    }

    async fn belongs(&self, headers: &HeaderMap, order: &OrderFacts) -> Result<bool, DbError> {
        match (order.described_at, self.0.sessions.of(headers)) {
            (None, session) => {
                Ok(session.is_some_and(|session| session.hash == order.session_hash))
            }
            (Some(_), _) => self.is_in(headers, order).await,
        }
    }

    /// True when the session of the request may read the payments of an order.
    pub(super) async fn is_in(
        &self,
        headers: &HeaderMap,
        order: &OrderFacts,
    ) -> Result<bool, DbError> {
        match self.0.sessions.of(headers) {
            Some(session) => self.0.db.session_may_access(order, &session.hash).await,
            None => Ok(false),
        }
    }

    /// An order that the page names, if its token, its key, its session or the handle of its page permits to
    /// pay it.
    pub(super) async fn order_to_pay(
        &self,
        headers: &HeaderMap,
        client: IpAddr,
        named: NamedOrder<'_>,
    ) -> Result<PayableOrder, Failure> {
        if let NamedOrder::Id { order_id, store } = named {
            let order = self.own(headers, order_id, store).await?;
            // A token or a key of the shop gives the right to pay, and that right can end. With its
            // session a browser may only continue a payment that it started.
            let right = match order.described_at {
                Some(_) => Right::Repeat(OrderRefusal::NotFound),
                None => Right::Pay,
            };
            return Ok(PayableOrder { order, right });
        }
        if let NamedOrder::PayLink(handle) = named {
            let order = self.0.pay_links.order(handle).await?;
            let order_id = order.as_ref().map(OrderFacts::full_id);
            self.0.limits.pay_link(order_id.as_ref(), client)?;
            return Ok(PayableOrder {
                order: order.ok_or_else(Problem::not_known)?,
                right: Right::Pay,
            });
        }
        if let NamedOrder::Key { .. } = named {
            // Anybody can invent ids, and the shop has to answer for each.
            let known = self.0.sessions.of(headers);
            self.0.limits.order(known.as_ref(), client)?;
        }
        payable(&self.0.source, &self.0.db, self.config(), named)
            .await
            .map_err(Failure::from)
    }

    /// An order that the page names, if the page may pay the order now, or its session may read the
    /// payments of the order.
    pub(super) async fn order_to_view(
        &self,
        headers: &HeaderMap,
        client: IpAddr,
        named: NamedOrder<'_>,
    ) -> Result<OrderFacts, Failure> {
        let PayableOrder { order, right } = self.order_to_pay(headers, client, named).await?;
        let Right::Repeat(why) = right else {
            return Ok(order);
        };
        // The right to repeat an authorization gives no right to read: only its payer has the key.
        match self.is_in(headers, &order).await? {
            true => Ok(order),
            false => Err(why.into()),
        }
    }

    /// The session of a browser that showed its right to pay the order. From now on the session may read the
    /// payment and cancel it.
    pub(super) async fn grant_session(
        &self,
        headers: &HeaderMap,
        order: &OrderFacts,
        proof: Proof,
    ) -> Result<PayerSession, Failure> {
        let (session, cookie) = self.0.sessions.keep(headers)?;
        let payer = PayerSession::new(session, &cookie);
        let granted = self.0.db.grant_session(order, payer.hash(), proof);
        match granted.await? {
            GrantOutcome::Granted => Ok(payer),
            GrantOutcome::NoRight => Err(Problem::not_known().into()),
            GrantOutcome::TooMany => {
                let detail = "Too many browsers have this payment already, and this one is not let in; go on in one of them. This request charged nothing.";
                let problem = Problem::new(ProblemKind::TooManyRequests, detail);
                Err(problem.retry_after(TOO_MANY_BROWSERS_RETRY_AFTER).into())
            }
        }
    }

    /// The links to the server's own page.
    pub(crate) fn pay_links(&self) -> &PayLinks {
        &self.0.pay_links
    }

    pub(super) fn config(&self) -> &Config {
        &self.0.config
    }
}

/// The session of a payer who may order now, from the request or new.
#[derive(Debug)]
pub struct PayerSession {
    session: Session,
    cookie: Option<HeaderValue>,
}

impl PayerSession {
    fn new(session: Session, cookie: &str) -> Self {
        let cookie = cookie.parse().ok();
        Self { session, cookie }
    }

    fn hash(&self) -> &str {
        &self.session.hash
    }

    /// Adds the session's cookie to these headers of the answer, also if the browser has it already, since
    /// its lifetime begins again.
    pub fn set_cookie(&self, headers: &mut HeaderMap) {
        if let Some(cookie) = &self.cookie {
            headers.insert(SET_COOKIE, cookie.clone());
        }
    }
}

/// An order as its payer may see it.
#[derive(Debug, Clone)]
pub struct PayersOrder {
    /// Its id.
    pub order_id: String,
    /// Its short name for people, if there is one.
    pub label: Option<String>,
    /// Its state: open or paid.
    pub state: OrderState,
    /// True if two operations of the order were ever paid at the same time.
    pub paid_twice: bool,
    /// The amount in cents.
    pub amount: u64,
    /// The currency.
    pub currency: String,
    /// The name of the store that sells; `None` if the store was removed.
    pub merchant_name: Option<String>,
    /// When it was registered.
    pub created_at: DateObject,
    /// The products of a registered order. Those of another one stay with the shop: a browser may have come by the
    /// address of its page, which tells the state and the amount.
    pub items: Vec<OrderItem>,
    /// Every attempt to pay it.
    pub operations: Vec<OrderOperation>,
}

/// An attempt to pay an order, with the names of the contract.
#[derive(Debug, Clone, Serialize)]
pub struct OrderOperation {
    /// The merchant code that it was sent with.
    pub merchant_code: MerchantCode,
    /// Its number.
    pub merchant_operation_number: MerchantOperationNumber,
    /// The service's id of the transaction, once known.
    pub transaction_id: Option<TransactionId>,
    /// How it is paid.
    pub method_name: PaymentMethodName,
    /// The state in the service's last answer.
    pub state: Option<TransactionState>,
    /// How it ended; `None` while that is unknown.
    pub outcome: Option<Outcome>,
    /// How much the server knows about the operation.
    pub phase: &'static str,
    /// True for the current operation of the order.
    pub live: bool,
    /// True when the service's answer had another amount, currency or number.
    pub mismatch: bool,
    /// When it began.
    pub created_at: DateObject,
}

impl PayersOrder {
    fn new(
        order: OrderFacts,
        merchant_name: Option<String>,
        operations: &[OperationRecord],
    ) -> Self {
        let is_registered = order.described_at.is_none();
        Self {
            created_at: DateObject::from_timestamp(order.created_at),
            order_id: order.order_id,
            label: order.label,
            state: order.state,
            paid_twice: order.paid_twice,
            amount: order.amount,
            currency: order.currency,
            merchant_name,
            items: if is_registered {
                order.items
            } else {
                Vec::new()
            },
            operations: operations.iter().map(OrderOperation::of).collect(),
        }
    }
}

impl OrderOperation {
    fn of(record: &OperationRecord) -> Self {
        Self {
            merchant_code: record.key.merchant_code.clone(),
            merchant_operation_number: record.key.number.clone(),
            transaction_id: record.transaction_id().cloned(),
            method_name: record.method.clone(),
            state: record.state().cloned(),
            outcome: record.outcome(),
            phase: record.phase.as_str(),
            live: record.live,
            mismatch: record.answer_mismatch.is_some(),
            created_at: DateObject::from_timestamp(record.created_at),
        }
    }
}
