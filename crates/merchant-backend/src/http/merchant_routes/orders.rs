use super::payer_session::PayerSession;
use super::payers_order::PayersOrder;
use crate::config::{Config, MerchantStores};
use crate::db::{Db, DbError};
use crate::http::failure::Failure;
use crate::http::limits::Limits;
use crate::http::payer::session::Sessions;
use crate::http::problem::{Problem, ProblemKind};
use crate::orders::{
    NamedOrder, NewOrder, OrderRefusal, PayableOrder, RegisterError, Right, payable, register, save,
};
use crate::random::readable;
use crate::shop_orders::OrderSource;
use axum::http::HeaderMap;
use payment_rules::order::{OrderFacts, ShopOrder};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// When a browser may try again that found no room among those of its order. None leaves soon.
const ANOTHER_BROWSER: Duration = Duration::from_mins(10);

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

    /// The methods by which an order can be paid, by their names on the wire.
    #[must_use]
    pub fn methods(&self) -> Vec<&str> {
        self.0.config.offered_methods().collect()
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
        register(&self.0.db, self.stores(), payer.hash(), order).await
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
        let order = self.own(headers, order_id).await?;
        let operations = self.0.db.operations_of(order_id).await?;
        let store = self.0.config.store_of(&order);
        let merchant_name = store.map(|store| store.merchant_name.clone());
        Ok(PayersOrder::new(order, merchant_name, &operations))
    }

    /// An order, if it belongs to the session of the request. An unknown order and a foreign one
    /// are looked up the same way and answered the same.
    pub(in crate::http) async fn own(
        &self,
        headers: &HeaderMap,
        order_id: &str,
    ) -> Result<OrderFacts, Failure> {
        match self.0.db.order(order_id).await? {
            Some(order) if self.is_in(headers, &order).await? => Ok(order),
            _ => Err(Problem::not_found().into()),
        }
    }

    /// True when the session of the request may read the payments of an order.
    pub(in crate::http) async fn is_in(
        &self,
        headers: &HeaderMap,
        order: &OrderFacts,
    ) -> Result<bool, DbError> {
        match self.0.sessions.of(headers) {
            Some(session) => self.0.db.lets_session(order, &session.hash).await,
            None => Ok(false),
        }
    }

    /// An order that the page names, if its token, its key or its session permits to pay it.
    pub(in crate::http) async fn to_pay(
        &self,
        headers: &HeaderMap,
        client: IpAddr,
        named: NamedOrder<'_>,
    ) -> Result<PayableOrder, Failure> {
        if let NamedOrder::Id(order_id) = named {
            let order = self.own(headers, order_id).await?;
            // The right to pay an order of a shop is its token's or its key's, which can end. A
            // browser that showed it once may go on with its payment, and begins no other.
            let right = match order.told_at {
                Some(_) => Right::Repeat(OrderRefusal::NotFound),
                None => Right::Pay,
            };
            return Ok(PayableOrder { order, right });
        }
        if let NamedOrder::Key { .. } = named {
            // Anybody can invent ids, and each costs the shop an answer.
            let known = self.0.sessions.of(headers);
            self.0.limits.order(known.as_ref(), client)?;
        }
        payable(&self.0.source, &self.0.db, self.stores(), named)
            .await
            .map_err(Failure::from)
    }

    /// An order that the page names, if it may pay the order now, or was let in before.
    pub(in crate::http) async fn to_look(
        &self,
        headers: &HeaderMap,
        client: IpAddr,
        named: NamedOrder<'_>,
    ) -> Result<OrderFacts, Failure> {
        let PayableOrder { order, right } = self.to_pay(headers, client, named).await?;
        let Right::Repeat(why) = right else {
            return Ok(order);
        };
        // An authorization with such a right repeats the answer of a key, which only its payer has.
        match self.is_in(headers, &order).await? {
            true => Ok(order),
            false => Err(why.into()),
        }
    }

    /// Saves the order that a shop describes, and returns the order that counts.
    pub(in crate::http) async fn save(&self, described: &ShopOrder) -> Result<OrderFacts, Failure> {
        save(&self.0.db, described).await.map_err(Failure::from)
    }

    /// The session of a browser that showed its right to pay the order of a shop: from now on it may
    /// read the payment and cancel it.
    pub(in crate::http) async fn let_in(
        &self,
        headers: &HeaderMap,
        order: &OrderFacts,
    ) -> Result<PayerSession, Failure> {
        let (session, cookie) = self.0.sessions.keep(headers)?;
        let payer = PayerSession::new(session, &cookie);
        if order.told_at.is_some() && !self.0.db.let_session(order, payer.hash()).await? {
            let detail = "Too many browsers have this payment already, and this one is not let in; go on in one of them. This request charged nothing.";
            let problem = Problem::new(ProblemKind::TooManyRequests, detail);
            return Err(problem.retry_after(ANOTHER_BROWSER).into());
        }
        Ok(payer)
    }

    pub(in crate::http) fn config(&self) -> &Config {
        &self.0.config
    }
}
