//! Admission of an attempt to pay: whether the page may begin to pay the order, and whether its attempts come too often.
//!
//! A repetition of an idempotency key begins nothing, so it is counted on its own, and a page that may not pay any more
//! still gets the answer of its key.

use super::Payments;
use super::authorize::Authorization;
use super::new_operation::{AuthorizeCommand, Method};
use crate::clock::moment;
use crate::config::Config;
use crate::db::DbError;
use crate::orders::{self, OrderRefusal, PayableOrder, Right};
use crate::rate_limits::{AddressLimiter, AllTogether, Limiter, check, limiter};
use payment_model::IdempotencyKey;
use payment_rules::fingerprint;
use payment_rules::idempotency::{AuthorizationAnswer, IdempotentRequest, KeyState, Sender};
use payment_rules::order::OrderFacts;
use std::net::IpAddr;
use std::time::Duration;

/// Why an attempt does not begin.
#[derive(Debug)]
pub(crate) enum AdmissionError {
    /// The page may not pay the order.
    Order(OrderRefusal),
    /// The store of the order takes no payments any more.
    StoreClosed,
    /// The attempt of the key still runs.
    Running,
    /// Attempts come too often; to be repeated after so long.
    TooOften(TooOften, Duration),
    Database(DbError),
}

/// Which attempts come too often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TooOften {
    /// Those of a session.
    Session,
    /// Those of a network.
    Network,
    /// Those of all clients together.
    All,
    /// The repetitions of a key.
    Repetition,
}

impl From<OrderRefusal> for AdmissionError {
    fn from(refusal: OrderRefusal) -> Self {
        Self::Order(refusal)
    }
}

impl From<DbError> for AdmissionError {
    fn from(error: DbError) -> Self {
        Self::Database(error)
    }
}

/// Limits attempts to pay. The counters are in memory.
pub(crate) struct AttemptLimits {
    by_session: Limiter<String>,
    by_address: AddressLimiter,
    /// New sessions are free, and each attempt is a write to the disk and a request to the payment service.
    all: AllTogether,
    repetitions_by_key: Limiter<(Sender, IdempotencyKey)>,
    repetitions_by_address: AddressLimiter,
}

impl AttemptLimits {
    pub(crate) fn new(config: &Config) -> Self {
        let timing = &config.timing;
        let repetitions = timing.repetitions_per_minute;
        Self {
            by_session: limiter(timing.authorizes_per_minute),
            // A payer may try to pay an order more than once.
            by_address: AddressLimiter::new(config.orders_per_minute.saturating_mul(2)),
            all: AllTogether::new(config.starts_per_minute),
            repetitions_by_key: limiter(repetitions),
            repetitions_by_address: AddressLimiter::new(repetitions.saturating_mul(4)),
        }
    }

    fn attempt(&self, session_hash: &str, client: IpAddr) -> Result<(), AdmissionError> {
        check(&self.by_session, &session_hash.to_owned()).map_err(too(TooOften::Session))?;
        let counted = self.by_address.check(client);
        counted.map_err(too(TooOften::Network))
    }

    fn repetition(
        &self,
        request: &IdempotentRequest,
        client: IpAddr,
    ) -> Result<(), AdmissionError> {
        let key = (request.sender.clone(), request.key.clone());
        check(&self.repetitions_by_key, &key)
            .and_then(|()| self.repetitions_by_address.check(client))
            .map_err(too(TooOften::Repetition))
    }

    /// Removes clients without recent attempts.
    pub(crate) fn retain_recent(&self) {
        self.by_session.retain_recent();
        self.by_address.retain_recent();
        self.repetitions_by_key.retain_recent();
        self.repetitions_by_address.retain_recent();
    }
}

fn too(often: TooOften) -> impl FnOnce(Duration) -> AdmissionError {
    move |wait| AdmissionError::TooOften(often, wait)
}

impl Payments {
    /// Checks whether an attempt to pay may begin, counts it against the limits, and stores the order that a shop described.
    /// A repetition of an idempotency key has limits of its own.
    pub(crate) async fn admit(
        &self,
        client: IpAddr,
        payable: PayableOrder,
        method: Method,
        key: IdempotencyKey,
        replaces: Option<String>,
    ) -> Result<AuthorizeCommand, AdmissionError> {
        let PayableOrder { mut order, right } = payable;
        let request = request(&order, &method, key);
        let state = self.db.key_state::<AuthorizationAnswer>(&request, moment());
        match (state.await?, right) {
            (None, Right::Repeat(why)) => return Err(why.into()),
            (None, right) => {
                self.limits.attempt(&order.session_hash, client)?;
                if let Right::PayOnceSaved(described) = right {
                    order = orders::save(&self.db, &described).await?;
                }
                self.limits.all.check().map_err(too(TooOften::All))?;
            }
            (Some(state), right) => {
                self.limits.repetition(&request, client)?;
                // The end of the running attempt may free the key, and then this request would begin a new
                // attempt without the right to it.
                if state == KeyState::Running && matches!(right, Right::Repeat(_)) {
                    return Err(AdmissionError::Running);
                }
            }
        }
        let store = self.settings.stores.of_order(&order);
        let limits = store.ok_or(AdmissionError::StoreClosed)?.limits.clone();
        Ok(AuthorizeCommand {
            order,
            limits,
            request,
            method,
            replaces,
        })
    }

    /// Saves an order that a shop describes to a page that leads its payer to the server's own page.
    pub(crate) async fn admit_to_page(
        &self,
        payable: PayableOrder,
    ) -> Result<OrderFacts, AdmissionError> {
        match payable.right {
            Right::Pay => Ok(payable.order),
            Right::PayOnceSaved(described) => {
                self.limits.all.check().map_err(too(TooOften::All))?;
                Ok(orders::save(&self.db, &described).await?)
            }
            Right::Repeat(why) => Err(why.into()),
        }
    }

    /// Runs an admitted attempt to its end, even if the client goes away; `None` if it panicked.
    pub(crate) async fn run(
        &self,
        command: AuthorizeCommand,
    ) -> Option<Result<Authorization, DbError>> {
        let payments = self.clone();
        let work = async move { payments.authorize(command).await };
        self.tasks.finish(work).await
    }
}

/// The request of a payer, which belongs to its order, method and address.
fn request(order: &OrderFacts, method: &Method, key: IdempotencyKey) -> IdempotentRequest {
    let redirect = method.redirect_url().map_or("", |url| url.as_str());
    let name = method.name();
    let asked = [
        &order.merchant_code,
        &order.order_id,
        name.as_str(),
        redirect,
    ];
    IdempotentRequest {
        sender: Sender::Payer(order.session_hash.clone()),
        key,
        fingerprint: fingerprint(&asked.join("\n")),
        order: Some(order.full_id()),
    }
}
