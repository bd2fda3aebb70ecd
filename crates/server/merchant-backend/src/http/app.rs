//! The state of the router: the use cases and settings that the handlers need.

use super::limits::Limits;
use super::merchant_routes::Orders;
use super::payer::session::Sessions;
use super::problem::Failure;
use crate::background::DeskNews;
use crate::clock::now;
use crate::config::{Config, MerchantStores};
use crate::cookies::CookieKey;
use crate::db::{Db, DbError};
use crate::metrics::Metrics;
use crate::payments::Payments;
use crate::staff::SignIns;
use crate::tasks::Tasks;
use crate::wakeups::Wakeups;
use axum::extract::FromRef;
use payment_model::{Offer, Timestamp};
use payment_rules::order::OrderFacts;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// The state of the router.
#[derive(Clone)]
pub(crate) struct App(Arc<Parts>);

/// What the handlers need.
pub(crate) struct Parts {
    pub(crate) config: Arc<Config>,
    pub(crate) db: Db,
    pub(crate) orders: Orders,
    pub(crate) payments: Payments,
    pub(crate) wakeups: Wakeups,
    pub(crate) tasks: Tasks,
    pub(crate) cookie_key: CookieKey,
    pub(crate) sessions: Sessions,
    pub(crate) sign_ins: SignIns,
    pub(crate) limits: Arc<Limits>,
    pub(crate) metrics: Metrics,
    pub(crate) readiness: Readiness,
    pub(crate) desk_news: DeskNews,
    pub(crate) stored_codes: StoredCodes,
}

impl App {
    pub(crate) fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// Runs work to its end, even if the client goes away.
    pub(super) async fn finish<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Failure> {
        self.tasks.finish(work).await.ok_or(Failure::Internal)
    }

    /// The merchant codes of all stores, and those of closed stores whose operations are still stored.
    pub(super) async fn merchant_codes(&self) -> Result<Vec<String>, DbError> {
        self.stored_codes.of(&self.db, &self.config.stores).await
    }

    /// The methods that an order can be paid by, and why it cannot by the others.
    pub(super) async fn offer(
        &self,
        order: &OrderFacts,
        on_own_page: bool,
    ) -> Result<Offer, DbError> {
        let refused_codes = self.db.refused_codes(&order.merchant_code).await?;
        Ok(self.config.offer(order, on_own_page, refused_codes))
    }

    /// A payment that was made before this time must be settled by now.
    pub(super) fn unsettled_since(&self) -> Timestamp {
        now().saturating_sub(self.config.settlement_due)
    }
}

impl FromRef<App> for Orders {
    fn from_ref(app: &App) -> Self {
        app.orders.clone()
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// How long merchant codes are used for further requests. Only a start with other stores brings others.
const CODES_FRESH: Duration = Duration::from_secs(10);

/// The merchant codes that were read last, which each request of staff needs.
#[derive(Default)]
pub(crate) struct StoredCodes(Mutex<Option<(Instant, Vec<String>)>>);

impl StoredCodes {
    async fn of(&self, db: &Db, stores: &MerchantStores) -> Result<Vec<String>, DbError> {
        let mut last = self.0.lock().await;
        if let Some((_, codes)) = last.as_ref().filter(|(at, _)| at.elapsed() < CODES_FRESH) {
            return Ok(codes.clone());
        }
        let stores = stores.all();
        let mut codes: Vec<String> = stores.map(|store| store.merchant_code.clone()).collect();
        for code in db.merchant_codes().await? {
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        *last = Some((Instant::now(), codes.clone()));
        Ok(codes)
    }
}

/// How long the result of a probe is used for further requests.
const PROBE_FRESH: Duration = Duration::from_secs(5);
/// The longest time that a probe may take.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// The last probe of the database, which all requests share.
#[derive(Default)]
pub(crate) struct Readiness(Mutex<Option<Probe>>);

#[derive(Clone, Copy)]
struct Probe {
    at: Instant,
    ready: bool,
}

impl Readiness {
    /// True if the database takes writes now. Requests at the same time share one probe.
    pub(crate) async fn of(&self, db: &Db) -> bool {
        let mut last = self.0.lock().await;
        if let Some(probe) = last.filter(|probe| probe.at.elapsed() < PROBE_FRESH) {
            return probe.ready;
        }
        let written = timeout(PROBE_TIMEOUT, db.ready()).await;
        let written = written.unwrap_or_else(|_| Err(DbError::slow()));
        if let Err(error) = &written {
            tracing::error!(%error, "not ready");
        }
        let ready = written.is_ok();
        let at = Instant::now();
        *last = Some(Probe { at, ready });
        ready
    }
}
