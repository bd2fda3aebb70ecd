//! The use cases and settings that the addresses need.

use super::limits::Limits;
use super::merchant_routes::orders::Orders;
use super::payer::session::Sessions;
use super::readiness::Readiness;
use crate::config::Config;
use crate::cookies::CookieKey;
use crate::db::{Db, DbError};
use crate::metrics::Metrics;
use crate::payments::Payments;
use crate::staff::SignIns;
use crate::tasks::Tasks;
use crate::wakeups::Wakeups;
use axum::extract::FromRef;
use std::ops::Deref;
use std::sync::Arc;

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
}

impl App {
    pub(crate) fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// The merchant codes of all stores, also of those that were closed: their money stays.
    pub(super) async fn merchant_codes(&self) -> Result<Vec<String>, DbError> {
        let stores = self.config.stores.all();
        let mut codes: Vec<String> = stores.map(|store| store.merchant_code.clone()).collect();
        for code in self.db.merchant_codes().await? {
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        Ok(codes)
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
